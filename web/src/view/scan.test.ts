import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcs_of, kArcPoints } from './scan';

test('a sector with an echo is an arc at its range, from the heading on counter-clockwise', () => {
  const scan = Float64Array.of(2, Infinity, Infinity, Infinity);
  const arc = arcs_of({ x: 1, y: 1, heading: Math.PI / 2 }, scan);
  assert.equal(arc.length, 2 * kArcPoints);
  const near = (at: number, expected: number): void => assert.ok(Math.abs(arc[at]! - expected) < 1e-9);
  near(0, 1);
  near(1, 3);
  near(arc.length - 2, -1);
  near(arc.length - 1, 1);
});

test('nothing is drawn where there was no echo', () => {
  assert.equal(arcs_of({ x: 0, y: 0, heading: 0 }, new Float64Array(56).fill(Infinity)).length, 0);
});
