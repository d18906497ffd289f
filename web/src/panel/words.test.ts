import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin_goal } from '../state/goal_progress';
import { format_short } from './dom';
import { goal_sentence } from './goal_steps';
import { format_ago } from './timeline';

test('times are said as people say them', () => {
  assert.deepEqual([0.4, 12.6, 59.7, 75].map(format_ago), ['0 s', '13 s', '1 min 0 s', '1 min 15 s']);
  assert.deepEqual([0.0003, -0.00001, 0.18, 1.5].map(format_short), ['0.3 ms', '0.0 ms', '180 ms', '1.50 s']);
});

test('a goal that did not go on says why', () => {
  const goal = begin_goal(1, { x: 0, y: 0 }, 0);
  assert.match(goal_sentence(goal), /waiting for the robot/);
  assert.equal(goal_sentence({ ...goal, phase: 'refused', text: 'too old.' }), 'Goal refused: too old.');
});
