// The commands of this page, as the core is told of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kCommand, kGiven, kSettled } from '../core/layout';
import type { ToWorker } from '../core/worker_messages';
import { OwnCommands } from './own_commands';
import { make_session, take_hello, take_link, type Session } from './session';

const kInfo = { id: 1, name: 'robot', world: 'hall', model: '', cameras: [] };
const kLink = { type: 'link', robot: 1, age_s: 0, loss: 0.1, clock_offset_s: 0, warnings: [], upload: null } as const;

function begin(round_trip_s = 2): { own: OwnCommands; posted: ToWorker[]; session: Session } {
  const session = make_session();
  take_hello(session, { type: 'hello', mode: 'operate', robots: [kInfo], version: '', first_time_s: 0 });
  session.robots.get(1)!.clock.take(5_000_000_000n, 0);
  take_link(session, { ...kLink, warnings: [], round_trip_s, clock_sigma_s: 0.004 }, 0);
  const posted: ToWorker[] = [];
  return { own: new OwnCommands(session, (message) => posted.push(message)), posted, session };
}

const drive = (v: number) => ({ type: 'drive', robot: 1, v, w: 0 }) as const;
const outcome = (command: string, state: 'confirmed' | 'refused' | 'failed') =>
  ({ type: 'outcome', robot: 1, number: 1, command, state, text: '' }) as const;
const numbers_of = (posted: ToWorker[]): number[] =>
  posted.flatMap((message) => (message.type === 'give' ? [message.command.number] : []));
const settled = (posted: ToWorker[]): number[][] =>
  posted.flatMap((message) => (message.type === 'settle' ? [[message.number, message.outcome]] : []));

test('a command takes effect half a round trip after it was given', () => {
  const { own, posted } = begin();
  own.give({ type: 'goal', robot: 1, x: 3, y: 4 }, 0);
  const [given] = posted;
  assert.ok(given?.type === 'give');
  const { kind, given_ns, effect_ns, numbers } = given.command;
  assert.equal(kind, kCommand.goal);
  assert.equal(effect_ns - given_ns, 1_000_000_000n);
  assert.equal(numbers.length, kGiven.size);
  assert.deepEqual(numbers, [3, 4, 0, 0.004, 0.1]);
});

test('what is held in a row has one number, letting go another one', () => {
  const { own, posted } = begin();
  for (const [v, ms] of [[0.3, 0], [0.3, 100], [0.2, 200], [0, 300], [0.3, 400]] as const) own.give(drive(v), ms);
  assert.deepEqual(numbers_of(posted), [1, 1, 1, 2, 3]);
});

test('what is not about a robot, or no command, is nothing to predict', () => {
  const { own, posted } = begin();
  own.give({ type: 'replay', pace: 2 }, 0);
  own.give({ type: 'look', robot: 1, cameras: [0] }, 0);
  own.give({ type: 'stop', robot: 7 }, 0);
  assert.deepEqual(posted, []);
});

test('what was refused is taken out, with the row to which it belongs', () => {
  const { own, posted } = begin();
  own.give(drive(0.3), 0);
  own.give(drive(0), 500);
  own.take_outcome(outcome('drive', 'refused'), 2600);
  assert.deepEqual(settled(posted), [
    [1, kSettled.refused],
    [2, kSettled.refused],
  ]);
});

test('a command whose place a newer one took is not taken out', () => {
  const { own, posted } = begin();
  own.give(drive(0.3), 0);
  own.give({ type: 'goal', robot: 1, x: 3, y: 4 }, 500);
  own.take_outcome(outcome('drive', 'failed'), 500);
  assert.deepEqual(settled(posted), []);
});

test('no answer is no loss until one could be here', () => {
  const { own, posted } = begin();
  own.give(drive(0), 0);
  own.take_outcome(outcome('drive', 'failed'), 2100);
  assert.deepEqual(settled(posted), []);
  own.take_outcome(outcome('drive', 'failed'), 2600);
  assert.deepEqual(settled(posted), [[1, kSettled.lost]]);
});

test('what was not even sent is taken out at once', () => {
  const { own, posted } = begin();
  own.give(drive(0.3), 0);
  own.take_outcome(outcome('drive', 'failed'), 20);
  assert.deepEqual(settled(posted), [[1, kSettled.lost]]);
});

test('a goal that was confirmed stays until a report shows it', () => {
  const { own, posted } = begin();
  own.give({ type: 'goal', robot: 1, x: 3, y: 4 }, 0);
  own.take_outcome(outcome('goal', 'confirmed'), 2100);
  assert.deepEqual(settled(posted), [[1, kSettled.confirmed]]);
});
