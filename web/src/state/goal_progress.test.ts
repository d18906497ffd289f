import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../link/messages';
import type { Report } from '../link/protocol';
import { begin_goal, is_over, is_pending, take_goal_outcome, take_goal_report } from './goal_progress';

const place = { x: 3, y: 4 };
const begun = begin_goal(1, place, 6);
const answer = (state: Outcome['state'], command = 'goal', number = 7): Outcome => ({
  type: 'outcome',
  robot: 1,
  number,
  command,
  state,
  text: '',
});
const second = 1_000_000_000n;
const report = (task: Report['task'], goal: Report['goal'] = place, x = 0, time_ns = 0n): Report =>
  ({ task, goal, pose: { x, y: 4, heading: 0 }, time_ns }) as Report;

test('a goal is sent, confirmed, under way and reached, each when the robot says so', () => {
  assert.ok(is_pending(begun));
  const confirmed = take_goal_outcome(begun, answer('confirmed'), second);
  assert.equal(confirmed.phase, 'confirmed');
  const under_way = take_goal_report(confirmed, report('driving'), 0.3);
  assert.equal(under_way.phase, 'under_way');
  assert.ok(!is_pending(under_way));
  const reached = take_goal_report(under_way, report('done', place, 3), 0.3);
  assert.equal(reached.phase, 'reached');
  assert.ok(is_over(reached));
  assert.equal(take_goal_report(reached, report('driving', { x: 0, y: 0 }), 0.3), reached);
});

test('answers to earlier commands and to other robots change nothing', () => {
  assert.equal(take_goal_outcome(begun, answer('refused', 'goal', 6), second), begun);
  assert.equal(take_goal_outcome(begun, { ...answer('refused'), robot: 2 }, second), begun);
  assert.equal(take_goal_report(begun, report('driving', { x: 9, y: 9 }), 0.3), begun);
});

test('a goal that is refused says why', () => {
  assert.equal(take_goal_outcome(begun, { ...answer('refused'), text: 'too late' }, second).text, 'too late');
  assert.equal(take_goal_report(begun, report('unreachable'), 0.3).phase, 'refused');
});

test('a report shows that the goal has arrived even when its confirmation was lost', () => {
  const lost = take_goal_outcome(begun, answer('failed'), second);
  assert.equal(lost.phase, 'unconfirmed');
  assert.equal(take_goal_report(lost, report('driving'), 0.3).phase, 'under_way');
});

test('a goal was reached when the robot is there, though the report that said so was lost', () => {
  const under_way = take_goal_report(begun, report('driving'), 0.3);
  const other = { x: 8, y: 8 };
  assert.equal(take_goal_report(under_way, report('driving', other, 2.9), 0.3).phase, 'reached');
  assert.equal(take_goal_report(under_way, report('driving', other, 1), 0.3).phase, 'ended');
});

test('a stop ends the goal', () => {
  const under_way = take_goal_report(begun, report('driving'), 0.3);
  assert.equal(take_goal_outcome(under_way, answer('confirmed', 'stop', 8), second).text, 'stopped');
});

test('a confirmed goal of which no later report speaks is over', () => {
  const confirmed = take_goal_outcome(begun, answer('confirmed'), second);
  const other = { x: 8, y: 8 };
  assert.equal(take_goal_report(confirmed, report('driving', other, 0, second), 0.3), confirmed, 'made before it came');
  const later = 3n * second;
  assert.equal(take_goal_report(confirmed, report('driving', other, 2.9, later), 0.3).phase, 'reached');
  assert.equal(take_goal_report(confirmed, report('done', null, 2.9, later), 0.3).phase, 'reached');
  const ended = take_goal_report(confirmed, report('driving', other, 0, later), 0.3);
  assert.deepEqual([ended.phase, ended.text], ['ended', 'the robot has another goal now']);
  assert.ok(!is_pending(ended));
});

test('without the clock of the robot, no report counts as later', () => {
  const confirmed = take_goal_outcome(begun, answer('confirmed'), null);
  assert.equal(take_goal_report(confirmed, report('driving', { x: 8, y: 8 }, 0, 9n * second), 0.3), confirmed);
});
