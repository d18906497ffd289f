import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begins_hold, DeadMan, holds_on, stick_of_keys, stick_of_pad, stops, type Pad } from './stick';

function make_pad(axes: number[], ...pressed: number[]): Pad {
  const buttons = Array.from({ length: 16 }, (_, i) => ({ pressed: pressed.includes(i) }));
  return { connected: true, axes, buttons };
}
const ahead = { forward: 1, left: 0 };

test('keys add up, opposite ones cancel, and Shift is faster', () => {
  assert.equal(stick_of_keys(new Set(), true), null);
  assert.deepEqual(stick_of_keys(new Set(['KeyW', 'ArrowLeft']), true), { forward: 1, left: 1 });
  assert.deepEqual(stick_of_keys(new Set(['KeyW', 'ArrowUp']), true), ahead);
  assert.deepEqual(stick_of_keys(new Set(['KeyW', 'KeyS']), true), { forward: 0, left: 0 });
  assert.ok(stick_of_keys(new Set(['KeyW']), false)!.forward < 1);
});

test('a gamepad drives only while its button is held', () => {
  assert.equal(stick_of_pad(make_pad([0, -1])), null);
  assert.deepEqual(stick_of_pad(make_pad([0, -1], 5)), ahead);
  assert.deepEqual(stick_of_pad(make_pad([-1, 0], 0)), { forward: 0, left: 1 });
  assert.deepEqual(stick_of_pad(make_pad([0, 0, 1], 7)), { forward: 0, left: -1 });
});

test('a gamepad that was pulled out does not drive, nor does a stick that is a little off', () => {
  assert.equal(stick_of_pad({ ...make_pad([0, -1], 5), connected: false }), null);
  assert.deepEqual(stick_of_pad(make_pad([0.1, -0.14], 5)), { forward: 0, left: 0 });
  assert.ok(stick_of_pad(make_pad([0, -0.16], 5))!.forward < 0.05);
});

test('the red button of a gamepad stops', () => {
  assert.ok(stops(make_pad([], 1)));
  assert.ok(!stops(make_pad([], 0, 2, 3)));
});

test('a button that was held through a stop must be let go first', () => {
  const dead_man = new DeadMan();
  assert.equal(dead_man.take(ahead, true), null);
  assert.equal(dead_man.take(null, true), null);
  assert.deepEqual(dead_man.take(ahead, true), ahead);
  dead_man.let_go();
  assert.equal(dead_man.take(ahead, true), null);
  assert.equal(dead_man.take(null, true), null);
  assert.deepEqual(dead_man.take(ahead, true), ahead);
});

test('nobody drives while nobody looks, nor with what was held meanwhile', () => {
  const dead_man = new DeadMan();
  dead_man.take(null, true);
  assert.deepEqual(dead_man.take(ahead, true), ahead);
  assert.equal(dead_man.take(ahead, false), null);
  assert.equal(dead_man.take(null, false), null);
  assert.equal(dead_man.take(ahead, true), null);
});

test('the touch pad is held with one finger or the first button, and no other', () => {
  assert.ok(begins_hold({ isPrimary: true, button: 0, buttons: 1 }));
  assert.ok(!begins_hold({ isPrimary: true, button: 2, buttons: 2 }));
  assert.ok(!begins_hold({ isPrimary: false, button: 0, buttons: 1 }));
});

test('a pointer that comes back without its button has let the pad go', () => {
  assert.ok(holds_on({ isPrimary: true, button: -1, buttons: 3 }));
  assert.ok(!holds_on({ isPrimary: true, button: -1, buttons: 2 }));
  assert.ok(!holds_on({ isPrimary: true, button: -1, buttons: 0 }));
});
