import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tell_apart } from './session';

test('robots of one name are told apart by their numbers', () => {
  const robot = (id: number, name: string) => ({ id, name, world: 'w', model: '' });
  const names = tell_apart([robot(1, 'rhino'), robot(2, 'minerva'), robot(7, 'rhino')]).map(({ name }) => name);
  assert.deepEqual(names, ['rhino 1', 'minerva', 'rhino 7']);
});
