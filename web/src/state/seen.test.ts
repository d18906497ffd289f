import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kSeen, kThing } from '../core/layout';
import { describe_seen, doors_elsewhere, take_seen } from './seen';

const thing = (numbers: Partial<Record<keyof typeof kSeen, number>>): number[] => {
  const row = new Array<number>(kSeen.size).fill(0);
  for (const [name, number] of Object.entries(numbers)) row[kSeen[name as keyof typeof kSeen]] = number;
  return row;
};
const box = (x: number): number[] => thing({ kind: kThing.box, x });
const door = (opening: number, index = 0): number[] => thing({ kind: kThing.door, opening, door: index });
const person = (x: number): number[] => thing({ kind: kThing.moving, x, trust: 1 });
const take = (before: ReturnType<typeof take_seen>, ...rows: number[][]): ReturnType<typeof take_seen> =>
  take_seen(before, Float64Array.from(rows.flat()));

test('a robot that has told of nothing has said nothing, one that did so before sees the world as it should be', () => {
  assert.equal(take(null), null);
  const seen = take(take(null, box(1)))!;
  assert.deepEqual([seen.standing.length, seen.moving.length], [0, 0]);
});

test('what stands is told apart from what moves', () => {
  const seen = take(null, box(1), door(0), person(5))!;
  assert.deepEqual([seen.standing.length, seen.moving.length], [2 * kSeen.size, kSeen.size]);
  assert.equal(seen.moving[kSeen.x], 5);
});

test('what stands is kept once for as long as it is the same, however much moves', () => {
  const before = take(null, box(1), person(5))!;
  const after = take(before, box(1), person(6))!;
  assert.equal(after.standing, before.standing);
  assert.equal(after.moving[kSeen.x], 6);
  assert.notEqual(take(after, box(2), person(6))!.standing, before.standing);
  assert.notEqual(take(after, person(6))!.standing, before.standing);
});

test('what is seen is counted in words', () => {
  assert.equal(describe_seen(take(null, box(1), box(2), door(0.2), person(1), person(2), person(3))!), '2 boxes, 1 closed door, 3 people');
  assert.equal(describe_seen(take(null, box(1), door(1), door(0.9), person(1))!), '1 box, 2 open doors, 1 person');
  assert.equal(describe_seen(take(take(null, box(1)))!), '');
});

test('a door stands elsewhere as soon as one of several robots says so, and no longer than that', () => {
  const [a, b] = [take(null, box(1), door(0, 4)), take(null, door(1, 2), door(1, 4))];
  const elsewhere = (...all: ReturnType<typeof take_seen>[]): number[] =>
    [...doors_elsewhere(all.map((seen) => ({ moment: { seen } })))].sort();
  assert.deepEqual(elsewhere(a, b, null), [2, 4]);
  assert.deepEqual(elsewhere(a), [4]);
  assert.deepEqual(elsewhere(take(a, box(1))), []);
});
