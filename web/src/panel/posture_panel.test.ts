import assert from 'node:assert/strict';
import { test } from 'node:test';
import { make_clock } from '../state/course';
import { describe_run, format_clock, moved } from './posture_panel';

test('the clock reads as people read clocks', () => {
  assert.equal(format_clock(7.04), '0:07.0');
  assert.equal(format_clock(83.25), '1:23.3');
});

test('a run is told in words', () => {
  const run = { ...make_clock(), began_s: 10, now_s: 52.5 };
  assert.match(describe_run(make_clock()), /green floor/);
  assert.equal(describe_run({ ...run, state: 'running' }), '0:42.5');
  assert.equal(describe_run({ ...run, state: 'done', falls: 2 }), '0:42.5 at the finish, fell over 2 times');
});

test('flippers move in pairs, as far as they go', () => {
  assert.deepEqual(moved([0, 0, 0, 0], true, 0.2, 3), [0.2, 0.2, 0, 0]);
  assert.deepEqual(moved([0, 0, -2.9, -2.9], false, -0.2, 3), [0, 0, -3, -3]);
});
