import assert from 'node:assert/strict';
import { test } from 'node:test';
import { world_key } from './world_key';

const make = (triangles: number[], doors: number[] = []) => ({
  triangles: Float64Array.from(triangles),
  materials: Float64Array.from([0.5, 0.5, 0.5]),
  doors: Float64Array.from(doors),
});

test('one world has one key, wherever in memory it lies', () => {
  const shifted = { ...make([]), triangles: Float64Array.from([9, 1, 2, 3]).subarray(1) };
  assert.equal(world_key(make([1, 2, 3])), world_key(shifted));
  assert.match(world_key(make([])), /^[0-9a-f]{16}$/);
});

test('another wall or another door makes another world', () => {
  const walls = [make([1, 2, 3]), make([1, 2, 4]), make([2, 1, 3]), make([-1, 2, 3])];
  const worlds = [...walls, make([1, 2], [3]), make([1, 2, 3], [0])];
  assert.equal(new Set(worlds.map(world_key)).size, worlds.length);
});
