import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from '../core/core';
import { kDoor } from '../core/layout';
import { leaf_in_model } from './plan_seen';

const plan = { cell: 0.05 } as World['plan'];
const doors = (open: number): Float64Array => {
  const one = new Float64Array(kDoor.size);
  one[kDoor.x] = 4;
  one[kDoor.y] = 1;
  one[kDoor.width] = 0.9;
  one[kDoor.thickness] = 0.04;
  one[kDoor.closed_angle] = 0;
  one[kDoor.open_angle] = Math.PI / 2;
  one[kDoor.open] = open;
  return one;
};

test('the leaf of the model lies from its hinge in the direction in which it stands there', () => {
  const closed = leaf_in_model({ doors: doors(0), plan }, 0);
  assert.deepEqual([closed.x, closed.y, closed.heading, closed.half_length], [4.45, 1, 0, 0.45]);
  const open = leaf_in_model({ doors: doors(1), plan }, 0);
  assert.ok(Math.abs(open.x - 4) < 1e-9 && Math.abs(open.y - 1.45) < 1e-9);
});

test('what is painted over the leaf of the model is wider than the cells that it touches', () => {
  const { half_width } = leaf_in_model({ doors: doors(0), plan }, 0);
  assert.ok(half_width >= 0.02 + plan.cell);
});
