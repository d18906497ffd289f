import assert from 'node:assert/strict';
import { test } from 'node:test';
import { with_corners } from './corners';

test('after each corner of a line of few points comes another one, on the line', () => {
  const line = with_corners([0, 0, 4, 0, 4, 3]);
  assert.deepEqual(line, [0, 0, 4, 0, 4, 0.03, 4, 3]);
});

test('lines of many points, short ones and none stay as they are', () => {
  for (const line of [[], [1, 2], [0, 0, 5, 5], [0, 0, 0.1, 0, 0.2, 0, 0.2, 0.1]]) {
    assert.deepEqual(with_corners(line), line);
  }
});
