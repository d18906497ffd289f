import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bar_length, kMaxFactor, pan_by, scale_of, whole, world_at, zoom_by } from './plan_scale';

const box = { low_x: -2, low_y: 3, width: 30, height: 12 };
const size = { width: 400, height: 200 };
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test('the whole world lies in the middle of the plan', () => {
  const scale = scale_of(box, size, whole(box));
  const low = world_at(scale, { x: 0, y: size.height });
  const high = world_at(scale, { x: size.width, y: 0 });
  assert.ok(low.x < box.low_x && low.y < box.low_y);
  assert.ok(high.x > box.low_x + box.width && high.y > box.low_y + box.height);
  near((low.x + high.x) / 2, 13);
  near((low.y + high.y) / 2, 9);
});

test('the place under the pointer stays there while the plan is zoomed', () => {
  const at = { x: 210, y: 96 };
  const before = world_at(scale_of(box, size, whole(box)), at);
  const after = world_at(scale_of(box, size, zoom_by(box, size, whole(box), 5, at)), at);
  near(before.x, after.x);
  near(before.y, after.y);
});

test('zooming ends at the whole world and at the closest look', () => {
  const at = { x: 30, y: 30 };
  assert.equal(zoom_by(box, size, whole(box), 1000, at).factor, kMaxFactor);
  assert.deepEqual(zoom_by(box, size, zoom_by(box, size, whole(box), 3, at), 0.001, at), whole(box));
});

test('the plan cannot be moved out of the world', () => {
  assert.deepEqual(pan_by(box, size, whole(box), 500, -500), whole(box));
  const { middle } = pan_by(box, size, zoom_by(box, size, whole(box), 4, { x: 200, y: 100 }), 1e6, 1e6);
  assert.ok(middle.x > box.low_x && middle.x < 13);
  assert.ok(middle.y < box.low_y + box.height && middle.y > 9);
});

test('the plan follows the pointer that drags it', () => {
  const zoomed = zoom_by(box, size, whole(box), 6, { x: 200, y: 100 });
  const before = world_at(scale_of(box, size, zoomed), { x: 200, y: 100 });
  const after = world_at(scale_of(box, size, pan_by(box, size, zoomed, 12, -7)), { x: 212, y: 93 });
  near(before.x, after.x);
  near(before.y, after.y);
});

test('the scale bar has a round length that fits', () => {
  assert.equal(bar_length(10, 80), 5);
  assert.equal(bar_length(10, 200), 20);
  assert.equal(bar_length(100, 99), 0.5);
  for (const per_metre of [3, 7, 11, 42, 140]) assert.ok(bar_length(per_metre, 70) * per_metre <= 70);
});
