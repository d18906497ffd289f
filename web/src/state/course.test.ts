import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from '../core/core';
import type { Report } from '../link/protocol';
import { course_of, is_on, make_clock, take_run } from './course';

const rectangle = (x: number, material: number): number[][] => [
  [x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, material],
  [x, 0, 0, x + 1, 1, 0, x, 1, 0, material],
];
const world_of = (names: string[]): World =>
  ({
    triangles: Float64Array.from([...rectangle(0, 0), ...rectangle(1, 1), ...rectangle(5, 2)].flat()),
    material_names: names,
  }) as World;
const report_at = (x: number, time_s: number, standing = 'upright'): Report =>
  ({ time_ns: BigInt(Math.round(time_s * 1e9)), pose: { x, y: 0.5, heading: 0 }, posture: { standing } }) as Report;

test('a course has a start and a finish', () => {
  assert.notEqual(course_of(world_of(['start', 'concrete', 'finish'])), null);
  assert.equal(course_of(world_of(['start', 'concrete', 'stone'])), null);
});

test('a place is on a floor or beside it', () => {
  const { start } = course_of(world_of(['start', 'concrete', 'finish']))!;
  assert.ok(is_on(start, { x: 0.5, y: 0.2 }));
  assert.ok(is_on(start, { x: 0.2, y: 0.9 }));
  assert.ok(!is_on(start, { x: 1.5, y: 0.5 }));
});

test('the clock runs from the start to the finish, and counts falls', () => {
  const course = course_of(world_of(['start', 'concrete', 'finish']))!;
  let clock = make_clock();
  clock = take_run(clock, course, report_at(3, 0));
  assert.equal(clock.state, 'away');
  for (const [x, time_s] of [[0.5, 1], [0.9, 2], [1.5, 3]] as const) clock = take_run(clock, course, report_at(x, time_s));
  assert.equal(clock.state, 'running');
  clock = take_run(clock, course, report_at(2, 4, 'upside down'));
  clock = take_run(clock, course, report_at(2, 5, 'upside down'));
  clock = take_run(clock, course, report_at(5.5, 7));
  assert.deepEqual([clock.state, clock.now_s - clock.began_s, clock.falls], ['done', 5, 1]);
  clock = take_run(clock, course, report_at(4, 9));
  assert.equal(clock.now_s - clock.began_s, 5, 'what comes after the finish does not count');
  clock = take_run(clock, course, report_at(0.5, 10));
  assert.equal(clock.state, 'ready', 'back at the start for another run');
});
