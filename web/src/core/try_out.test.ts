import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from './rehearsal_core';
import type { Step } from './rehearsal_messages';
import { StepRefusal, TryOut } from './try_out';

const kStart = { x: 0, y: 0, heading: 0 };
const waypoint = (id: number, x: number, wait_s = 0, action = ''): Step =>
  ({ kind: 'waypoint', id, x, y: 0, wait_s, action });

// A phantom that needs two slices for each waypoint, cannot stand beyond 10 m, and writes down what it is told.
function make() {
  const told: string[] = [];
  let slices = 0;
  const phantom = {
    begin: ({ x }: { x: number }) => void told.push(`begin ${x}`),
    drive: (v: number, _w: number, _step_s: number): boolean => {
      told.push(`drive ${v}`);
      return v === 0;
    },
    send: (x: number): void => {
      if (x > 10) throw new Refusal('cannot stand there');
      told.push(`send ${x}`);
      slices = 0;
    },
    run: (): boolean => ++slices === 2,
    keep: (n: number) => void told.push(`keep ${n}`),
  };
  const try_out = new TryOut(phantom);
  const settle = (): string[] => {
    for (let i = 0; i < 100 && !try_out.resting; ++i) try_out.go_on();
    return told.splice(0);
  };
  return { try_out, phantom, told, settle };
}

test('only what has changed is driven again', () => {
  const { try_out, settle } = make();
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 2)]);
  assert.deepEqual(settle(), ['begin 0', 'send 1', 'send 2']);
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 2), waypoint(3, 3)]);
  assert.deepEqual(settle(), ['send 3']);
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 5), waypoint(3, 3)]);
  assert.deepEqual(settle(), ['keep 1', 'send 5', 'send 3']);
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 5)]);
  assert.deepEqual(settle(), ['keep 2']);
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 5, 4)]);
  assert.deepEqual(settle(), ['keep 1', 'send 5']);
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 5, 4, 'photo')]);
  assert.deepEqual(settle(), ['keep 1', 'send 5']);
  try_out.want({ ...kStart, x: 7 }, [waypoint(1, 1)]);
  assert.deepEqual(settle(), ['begin 7', 'send 1']);
});

test('a waypoint that is moved while the phantom is on its way is not driven to first', () => {
  const { try_out, settle, told } = make();
  try_out.want(kStart, [waypoint(1, 1)]);
  try_out.go_on();
  told.length = 0;
  try_out.want(kStart, [waypoint(1, 2)]);
  assert.deepEqual(settle(), ['keep 0', 'send 2']);
});

test('a step that cannot be driven is named, and what comes after it is left out', () => {
  const { try_out, settle } = make();
  try_out.want(kStart, [waypoint(1, 1), waypoint(2, 20), waypoint(3, 3)]);
  assert.throws(
    () => settle(),
    (error) => error instanceof StepRefusal && error.step === 2 && error.message === 'cannot stand there',
  );
  assert.ok(try_out.resting);
  assert.equal(try_out.n_steps, 1);
});

test('what a hand drove is driven again when something before it has changed', () => {
  const { try_out, settle, told } = make();
  try_out.want(kStart, [waypoint(1, 1)]);
  settle();
  for (const v of [0.3, 0.2, 0]) try_out.push(5, { v, w: 0, step_s: 0.1 });
  assert.ok(try_out.resting);
  assert.equal(try_out.ended, 5);
  try_out.push(5, { v: 0.3, w: 0, step_s: 0.1 }); // came too late: what follows is another step
  assert.deepEqual(told.splice(0), ['drive 0.3', 'drive 0.2', 'drive 0']);
  const hand: Step = { kind: 'hand', id: 5 };
  try_out.want(kStart, [waypoint(1, 1), hand]);
  assert.deepEqual(settle(), []);
  try_out.want(kStart, [waypoint(1, 2), hand]);
  assert.deepEqual(settle(), ['keep 0', 'send 2', 'drive 0.3', 'drive 0.2', 'drive 0']);
});

test('a hand that may not drive at all has made no step', () => {
  const { try_out, phantom } = make();
  try_out.want(kStart, []);
  phantom.drive = () => {
    throw new Refusal('too long');
  };
  assert.throws(
    () => try_out.push(5, { v: 0.3, w: 0, step_s: 0.1 }),
    (error) => error instanceof StepRefusal && error.step === 5,
  );
  assert.equal(try_out.n_steps, 0);
  assert.ok(try_out.resting);
});

test('zeros begin nothing, and nobody pushes a phantom that is on its way', () => {
  const { try_out, told } = make();
  try_out.want(kStart, [waypoint(1, 1)]);
  try_out.go_on();
  try_out.push(5, { v: 0.3, w: 0, step_s: 0.1 });
  try_out.go_on();
  try_out.push(5, { v: 0, w: 0, step_s: 0.1 });
  assert.deepEqual(told, ['begin 0', 'send 1']);
  assert.equal(try_out.n_steps, 1);
});
