import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from '../core/core';
import { make_session, take_hello } from '../state/session';
import { is_beside } from './picture';

test('two sites of one name are two sites', () => {
  const session = make_session();
  const robots = [1, 2, 3, 4].map((id) => ({ id, name: 'rhino', world: 'office', model: '0123456789abcdef' }));
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
