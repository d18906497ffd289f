import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kTried } from '../core/layout';
import type { Step } from '../core/rehearsal_messages';
import { change, make_mission, take_from_rehearsal } from '../state/mission';
import { left_of, marks_of, MissionPainter } from './mission_picture';

const waypoint = (id: number, x: number, action = ''): Step => ({ kind: 'waypoint', id, x, y: 0, wait_s: 0, action });
const tried = (n: number): Float64Array =>
  Float64Array.from({ length: kTried.size * n }, (_, i) => (i % kTried.size === kTried.x ? i : 0));

test('what is left lies between the cuts that are made', () => {
  const cut = (from: number, to: number, applied = true) => ({ from, to, applied });
  assert.deepEqual(left_of(10, []), [[0, 9]]);
  assert.deepEqual(left_of(10, [cut(2, 4), cut(5, 6, false), cut(6, 9)]), [
    [0, 2],
    [4, 6],
  ]);
});

test('waypoints at one place share a mark', () => {
  const marks = marks_of([waypoint(1, 0), { kind: 'hand', id: 2 }, waypoint(3, 5), waypoint(4, 0.05)]);
  assert.deepEqual(
    marks.map(({ words }) => words),
    ['1, 4', '3'],
  );
});

test('what is done at a place stands beside its mark', () => {
  const marks = marks_of([waypoint(1, 0, 'photo'), waypoint(2, 5), waypoint(3, 0, 'look')]);
  assert.deepEqual(
    marks.map(({ action }) => action),
    ['photo, look', ''],
  );
  const path = Float64Array.from([0, 1, 2].flatMap((time) => [time, 2 * time, 0, 0, 0, 0, 0, 1]));
  const { actions } = new MissionPainter().watch(path, [{ time_s: 1, name: 'photo' }], null);
  assert.deepEqual(actions, [{ x: 2, y: 0, words: 'photo' }]);
});

test('what is done at one place of a mission shares a mark, which is made once', () => {
  const path = Float64Array.from([0, 1, 2, 3].flatMap((time) => [time, time < 2 ? 0 : 5, 0, 0, 0, 0, 0, 1]));
  const actions = ['photo', 'look', 'go'].map((name, i) => ({ time_s: [0, 1, 3][i]!, name }));
  const painter = new MissionPainter();
  const picture = painter.watch(path, actions, null);
  assert.deepEqual(picture.actions, [
    { x: 0, y: 0, words: 'photo, look' },
    { x: 5, y: 0, words: 'go' },
  ]);
  assert.equal(painter.watch(path, actions, null).actions, picture.actions);
  assert.deepEqual(painter.watch(path, [], null).actions, []);
  assert.deepEqual(painter.watch(null, actions, null).actions, []);
});

test('contacts are marked where they began', () => {
  const mission = make_mission();
  const points = tried(3);
  points[kTried.size + kTried.touched] = 1;
  const state = new Float64Array(10);
  const heard = { type: 'phantom', state, tried: points, from: 0, n_steps: 0, resting: true, ended: 0 } as const;
  take_from_rehearsal(mission, heard, 0);
  const { contacts } = new MissionPainter().paint(mission, 0);
  assert.deepEqual(contacts.map(({ x }) => x), [kTried.size + kTried.x]);
});

test('the picture is painted anew when something has changed, and only then', () => {
  const mission = make_mission();
  const painter = new MissionPainter();
  const state = Float64Array.from([1, 2, 3, 0, 0, 0, 0, 0, 3, 1]);
  const heard = { type: 'phantom', state, tried: tried(3), from: 0, n_steps: 0, resting: true, ended: 0 } as const;
  take_from_rehearsal(mission, heard, 0);
  const first = painter.paint(mission, 0);
  assert.equal(first.tried.length, 6);
  assert.equal(painter.paint(mission, 9).tried, first.tried);
  change(mission, 'path');
  assert.notEqual(painter.paint(mission, 9).tried, first.tried);
});
