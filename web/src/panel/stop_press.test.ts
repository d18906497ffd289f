import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../link/messages';
import { StopPress } from './stop_press';

const answer = (state: Outcome['state'], number = 7, robot = 1): Outcome => ({
  type: 'outcome',
  robot,
  number,
  command: 'stop',
  state,
  text: '',
});
function pressed(): StopPress {
  const stop = new StopPress();
  stop.press(1, 6, 0);
  stop.take_sent();
  return stop;
}

test('a stop is on its way until there is an answer, however long that takes', () => {
  const stop = pressed();
  stop.take_outcome(answer('sent'), 10);
  assert.equal(stop.state(1, 23_400), 'sent');
  assert.equal(stop.waited_s(23_400), 23);
  stop.take_outcome(answer('confirmed'), 30_000);
  assert.equal(stop.state(1, 37_000), 'confirmed');
  assert.equal(stop.state(1, 38_001), 'ready');
});

test('answers to an earlier stop, to another command and of another robot are none', () => {
  const stop = pressed();
  stop.take_outcome(answer('confirmed', 6), 10);
  stop.take_outcome({ ...answer('confirmed'), command: 'goal' }, 10);
  stop.take_outcome(answer('confirmed', 7, 2), 10);
  assert.equal(stop.state(1, 20), 'sent');
  assert.equal(stop.state(2, 20), 'ready');
});

test('a stop that has not gone out is nothing else, whichever robot is looked at', () => {
  const stop = new StopPress();
  assert.equal(stop.unsent, null);
  stop.press(1, 6, 0);
  assert.equal(stop.unsent, 1);
  assert.equal(stop.state(2, 60_000), 'unsent');
});

test('a stop without an answer goes again when the connection was lost', () => {
  const stop = pressed();
  stop.take_lost_connection();
  assert.equal(stop.unsent, 1);
  assert.ok(stop.lost);
  stop.take_sent();
  stop.take_outcome(answer('confirmed', 1), 50);
  assert.equal(stop.state(1, 60), 'confirmed');
  stop.take_lost_connection();
  assert.equal(stop.unsent, null, 'it was confirmed');
});

test('a stop that failed and is confirmed later is confirmed', () => {
  const stop = pressed();
  stop.take_outcome(answer('failed'), 10);
  assert.equal(stop.state(1, 20), 'failed');
  stop.take_outcome(answer('confirmed'), 4000);
  stop.take_outcome(answer('failed'), 4001);
  assert.equal(stop.state(1, 5000), 'confirmed');
});
