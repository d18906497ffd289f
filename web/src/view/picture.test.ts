import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from '../core/core';
import type { Moment } from '../state/history';
import { make_session, take_hello } from '../state/session';
import { is_beside, kLayers, make_picture, type Layers } from './picture';

test('two sites of one name are two sites', () => {
  const session = make_session();
  const robots = [1, 2, 3, 4].map((id) => ({ id, name: 'rhino', world: 'office', model: '0123456789abcdef', cameras: [] }));
  const [here, beside, elsewhere, unknown] = take_hello(
    session,
    { type: 'hello', mode: 'watch', robots, version: '1', first_time_s: 0 },
  );
  for (const [state, key] of [[here, 'a'], [beside, 'a'], [elsewhere, 'b']] as const) state!.world = { key } as World;
  assert.ok(is_beside(here!, here!));
  assert.ok(is_beside(beside!, here!));
  assert.ok(!is_beside(elsewhere!, here!));
  assert.ok(!is_beside(unknown!, here!));
});

test("a robot's own plan is drawn in place of the way that our planner would take", () => {
  const session = make_session();
  const [robot] = take_hello(session, {
    type: 'hello',
    mode: 'watch',
    robots: [{ id: 1, name: 'rhino', world: 'office', model: '0123456789abcdef', cameras: [] }],
    version: '1',
    first_time_s: 0,
  });
  const goal = { x: 5, y: 5 };
  robot!.now = { predicted: null, goal } as Moment;
  robot!.way = { goal, path: Float64Array.of(0, 0, 5, 5), values: null };
  const layers = Object.fromEntries(kLayers.map((layer) => [layer, true])) as Layers;
  const path = (back_to_s: number | null): number[] => [...make_picture(session, layers, false, back_to_s, 0).path];
  assert.deepEqual(path(null), [0, 0, 5, 5]);
  robot!.planned_path = Float64Array.of(0, 0, 0, 5, 5, 5);
  assert.deepEqual(path(null), [0, 0, 0, 5, 5, 5]);
  robot!.planned_path = new Float64Array();
  assert.deepEqual(path(null), [], 'it has none');
});
