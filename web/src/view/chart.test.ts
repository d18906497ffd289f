import assert from 'node:assert/strict';
import { test } from 'node:test';
import { round_up } from './chart';

test('an axis ends at the next round number', () => {
  assert.deepEqual([0.2, 0.21, 1, 3, 6, 18, 95].map(round_up), [0.2, 0.5, 1, 5, 10, 20, 100]);
});
