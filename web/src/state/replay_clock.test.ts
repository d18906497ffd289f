import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Replay } from '../link/messages';
import { ReplayClock } from './replay_clock';

const at = (at_s: number, more: Partial<Replay> = {}): Replay => ({
  type: 'replay',
  at_s,
  duration_s: 100,
  pace: 1,
  paused: false,
  jump: 1,
  ...more,
});

test('it runs at the pace of the recording', () => {
  const clock = new ReplayClock();
  clock.take(at(10, { pace: 4 }), 1000, true);
  assert.equal(clock.now(1500), 12_000);
});

test('it rests while the recording is paused', () => {
  const clock = new ReplayClock();
  clock.take(at(10), 1000, true);
  clock.take(at(11, { paused: true }), 2000, false);
  assert.equal(clock.now(9000), 11_000);
  clock.take(at(11), 9000, false);
  assert.equal(clock.now(9500), 11_500);
});

test('messages that come a little late do not shake it', () => {
  const clock = new ReplayClock();
  clock.take(at(10), 1000, true);
  clock.take(at(10.2), 1260, false);
  assert.equal(clock.now(1260), 10_260);
  // but where it stands is what the program says
  clock.take(at(10.5), 2000, false);
  assert.equal(clock.now(2000), 10_500);
});

test('a jump counts at once', () => {
  const clock = new ReplayClock();
  clock.take(at(10), 1000, true);
  clock.take(at(10.05, { jump: 2 }), 1000, true);
  assert.equal(clock.now(1000), 10_050);
});
