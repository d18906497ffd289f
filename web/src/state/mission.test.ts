import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kCut, kTimed } from '../core/layout';
import {
  action_name,
  change,
  driving_at,
  make_mission,
  may_enter,
  nearest_on,
  phantom_pose,
  take_from_rehearsal,
} from './mission';

const point = (time: number, x: number, y = 0): number[] => [time, x, y, 0, 0.5, 0, 0.1, 1];
const kPath = Float64Array.from([...point(0, 0), ...point(1, 1), ...point(2, 3), ...point(3, 3, 4)]);
const kPhantomAt = (x: number): Float64Array => Float64Array.from([1, x, 0, 0, 0.4, 0, 2, 0, 2, 1]);
const kDone = { type: 'phantom', n_steps: 1, resting: true, ended: 0 } as const;
const heard = (x: number, from: number, tried: number[]) => ({
  ...kDone,
  state: kPhantomAt(x),
  tried: Float64Array.from(tried),
  from,
});

test('stages open one after the other', () => {
  const mission = make_mission();
  const open = (): string[] =>
    (['try_out', 'trim', 'preview', 'upload'] as const).filter((stage) => may_enter(mission, stage));
  assert.deepEqual(open(), ['try_out']);
  mission.steps.push({ kind: 'hand', id: 1 });
  assert.deepEqual(open(), ['try_out']);
  take_from_rehearsal(mission, heard(2, 0, [0, 0, 0, 0, 0, 0]), 0);
  assert.deepEqual(open(), ['try_out', 'trim', 'preview']);
  const found = { type: 'mission', revision: 0, path: kPath, trial: new Float64Array(7), actions: [] } as const;
  take_from_rehearsal(mission, found, 0);
  assert.deepEqual(open(), ['try_out', 'trim', 'preview', 'upload']);
  change(mission, 'cuts');
  assert.deepEqual(open(), ['try_out', 'trim', 'preview'], 'of other cuts there is no mission yet');
});

test('an answer to a question that nobody asks any more does not count', () => {
  const mission = make_mission();
  change(mission, 'path');
  const old = { type: 'mission', revision: 0, path: kPath, trial: new Float64Array(7), actions: [] } as const;
  take_from_rehearsal(mission, old, 0);
  assert.equal(mission.rehearsed, null);
});

test('the path goes on from the point where it was changed', () => {
  const mission = make_mission();
  take_from_rehearsal(mission, heard(1, 0, [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0]), 0);
  take_from_rehearsal(mission, heard(9, 1, [1, 9, 0, 0, 0, 0]), 0);
  assert.deepEqual(mission.tried, [0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0]);
});

test('a step that cannot be driven goes with a word about it', () => {
  const mission = make_mission();
  mission.steps = [
    { kind: 'waypoint', id: 1, x: 0, y: 0, wait_s: 0, action: '' },
    { kind: 'hand', id: 2 },
  ];
  const refusal = { type: 'refused', what: 'steps', revision: 0, step: 1, text: 'in a wall' } as const;
  assert.ok(take_from_rehearsal(mission, refusal, 0), 'the rest must be driven anew');
  assert.deepEqual(mission.steps, [{ kind: 'hand', id: 2 }]);
  assert.equal(mission.problem, 'in a wall');
});

test('what is typed becomes a name that an action may have', () => {
  assert.equal(action_name(' open gripper!'), 'open-gripper-');
  assert.equal(action_name('x'.repeat(40)).length, 32);
  assert.equal(action_name('  '), '');
});

test('cuts come with their kinds and reasons', () => {
  const mission = make_mission();
  const cuts = new Float64Array(kCut.size);
  cuts.set([2, 5, 9, 1.5, 3, 12, 0.01, 1]);
  take_from_rehearsal(mission, { type: 'cuts', revision: 0, cuts, uncut: Float64Array.from([1, 2, 3, 4, 2]) }, 0);
  const cut = { kind: 'loop', from: 5, to: 9, from_s: 1.5, length: 3, duration_s: 12, applied: true };
  assert.deepEqual(mission.cuts, [cut]);
  assert.deepEqual(mission.uncut, [{ kind: 'back and forth', why: 'a waypoint', from: 3, to: 4, length: 2 }]);
});

test('a mission is somewhere at every time, and stands before and after', () => {
  assert.equal(driving_at(kPath, -1)!.pose.x, 0);
  assert.equal(driving_at(kPath, 1.5)!.pose.x, 2);
  assert.deepEqual(driving_at(kPath, 99)!.pose, { x: 3, y: 4, heading: 0 });
  assert.equal(driving_at(new Float64Array(), 1), null);
});

test('the nearest place of a path that comes by twice is the one of that time', () => {
  const twice = Float64Array.from([...point(0, 0), ...point(1, 1), ...point(2, 2), ...point(3, 1)]);
  assert.deepEqual(nearest_on(twice, { x: 1, y: 1 }, 3, 1.5), { time_s: 3, off: 1 });
  assert.equal(nearest_on(twice, { x: 1, y: 1 })!.time_s, 1);
  assert.equal(twice.length % kTimed.size, 0);
});

test('the phantom is drawn on between what is heard of it, and stands when it rests', () => {
  const mission = make_mission();
  assert.equal(phantom_pose(mission, 0), null);
  take_from_rehearsal(mission, heard(2, 0, []), 1000);
  assert.equal(phantom_pose(mission, 1100)!.x, 2);
  mission.resting = false;
  assert.ok(Math.abs(phantom_pose(mission, 1100)!.x - 2.04) < 1e-9);
});
