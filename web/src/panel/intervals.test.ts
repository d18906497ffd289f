import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervals_within, nearest_interval } from './intervals';

test('the slider offers what the program takes', () => {
  assert.deepEqual(intervals_within({ low: 0.4, high: 4 }), [0.5, 1, 2, 4]);
  assert.equal(intervals_within({ low: 0.05, high: 60 }).at(-1), 60);
});

test('a setting between two places shows as the nearer one', () => {
  const intervals = intervals_within({ low: 0.05, high: 60 });
  assert.equal(intervals[nearest_interval(intervals, 3.1)], 4);
  assert.equal(intervals[nearest_interval(intervals, 0)], 0.05);
  assert.equal(intervals[nearest_interval(intervals, 1000)], 60);
});
