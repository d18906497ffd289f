import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Proposals } from './proposals';

test('a goal that was chosen before a stop is not sent after it', () => {
  const proposals = new Proposals();
  const before = proposals.make();
  proposals.make_void();
  assert.equal(proposals.take(before), false);
});

test('a goal that was chosen after a stop is sent, once', () => {
  const proposals = new Proposals();
  proposals.make_void();
  const after = proposals.make();
  assert.equal(proposals.take(after), true);
  assert.equal(proposals.take(after), false);
});

test('of two goals only the newer one is sent, whichever answer comes first', () => {
  const proposals = new Proposals();
  const [older, newer] = [proposals.make(), proposals.make()];
  assert.equal(proposals.take(newer), true);
  assert.equal(proposals.take(older), false);
});
