import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hello, Mode, Replay } from '../link/messages';
import { kAheadPoints } from './history';
import type { Report } from '../link/protocol';
import { make_session, take_ahead, take_hello, take_report, tell_apart } from './session';

const robot = (id: number, name: string, world = 'w') => ({ id, name, world, model: '0123456789abcdef', cameras: [] });
const hello = (mode: Mode, ...robots: Hello['robots']): Hello => ({
  type: 'hello',
  mode,
  robots,
  version: '1',
  first_time_s: 0,
});
const replay: Replay = { type: 'replay', at_s: 3, duration_s: 9, pace: 1, paused: false, jump: 1 };

test('robots of one name are told apart by their numbers', () => {
  const names = tell_apart([robot(1, 'rhino'), robot(2, 'minerva'), robot(7, 'rhino')]).map(({ name }) => name);
  assert.deepEqual(names, ['rhino 1', 'minerva', 'rhino 7']);
});

test('a robot that was known keeps what is known of it, through greetings of one program', () => {
  const session = make_session();
  const [before] = take_hello(session, hello('demo', robot(1, 'rhino')));
  take_hello(session, hello('demo', robot(1, 'rhino'), robot(2, 'minerva')));
  assert.equal(session.robots.get(1), before);
});

test('after a recording a live robot is live, and nothing of the recording is left of it', () => {
  const session = make_session();
  const [recorded] = take_hello(session, hello('replay', robot(1, 'rhino')));
  session.replay = replay;
  take_hello(session, hello('replay', robot(1, 'rhino')));
  assert.equal(session.robots.get(1), recorded);
  const to_load = take_hello(session, hello('operate', robot(1, 'rhino')));
  assert.equal(session.replay, null);
  assert.notEqual(session.robots.get(1), recorded);
  assert.deepEqual(to_load, [session.robots.get(1)]);
});

test('what is kept of the way ahead is made when it comes, and is no longer than what is remembered', () => {
  const session = make_session();
  const [known] = take_hello(session, hello('demo', robot(1, 'rhino')));
  take_ahead(known!, Float64Array.from({ length: 3 * 50 }, (_, i) => i));
  assert.deepEqual([...known!.ahead_kept.slice(0, 4)], [0, 1, 9, 10]);
  assert.ok(known!.ahead_kept.length <= 2 * kAheadPoints);
  take_ahead(known!, new Float64Array());
  assert.equal(known!.ahead_kept.length, 0);
});

test('a report that comes once more changes nothing', () => {
  const session = make_session();
  const [known] = take_hello(session, hello('demo', robot(1, 'rhino')));
  const report = { time_ns: 5_000_000_000n, sequence: 3, pose: { x: 1, y: 2, heading: 0 } } as Report;
  take_report(known!, report);
  const once = { ...known! };
  take_report(known!, { ...report });
  assert.deepEqual(known, once);
});

test('a plan holds until the robot says another one, or begins anew', () => {
  const session = make_session();
  const [known] = take_hello(session, hello('demo', robot(1, 'rhino')));
  const say = (sequence: number, planned_path: Float64Array | null): Float64Array | null => {
    take_report(known!, { time_ns: 5n, sequence, pose: { x: 1, y: 2, heading: 0 }, planned_path } as Report);
    return known!.planned_path;
  };
  const plan = Float64Array.of(1, 2, 3, 4);
  assert.equal(say(1, null), null);
  assert.equal(say(2, plan), plan);
  assert.equal(say(3, null), plan);
  assert.equal(say(4, new Float64Array())?.length, 0);
  assert.equal(say(5, plan), plan);
  assert.equal(say(0, null), null);
});
