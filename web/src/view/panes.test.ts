import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pane_at, panes_of } from './panes';

test('two pictures fill the view between them, beside each other or on a phone above each other', () => {
  for (const [width, height] of [
    [1081, 780],
    [390, 541],
  ] as const) {
    const [first, second] = panes_of(width, height, true);
    assert.equal(first.width * first.height + second!.width * second!.height, width * height);
  }
  assert.equal(panes_of(1081, 780, true)[1]!.top, 0);
  assert.equal(panes_of(390, 541, true)[1]!.left, 0);
});

test('every point of the view is in one picture', () => {
  const panes = panes_of(390, 541, true);
  assert.equal(pane_at(panes, 200, 10), 0);
  assert.equal(pane_at(panes, 200, 540), 1);
  assert.equal(pane_at(panes, 200, 541), -1);
  assert.equal(pane_at(panes_of(390, 541, false), 389, 540), 0);
});
