import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  action_under_way,
  path_of,
  progress_of,
  status_sentence,
  take_upload,
  upload_of,
  type Brought,
} from './mission_watch';

const kPath = Float64Array.from([0, 1, 2, 3, 4].flatMap((time) => [time, time, 0, 0, 1, 0, 0, 1]));
const kStatus = { mission: '0123456789abcdef', state: 'running', departure: 'none', time_s: 1 } as const;
const bring = (before: string | null): Brought => ({
  path: kPath,
  actions: [],
  robot: 1,
  sent_ms: 1000,
  before,
  number: null,
});
const upload = (mission: string) => ({ mission, state: 'under_way', share: 0, why: '' }) as const;

test('planned, predicted and reported stand side by side', () => {
  const { planned, predicted, reported } = progress_of(kStatus, kPath, { x: 1, y: 0.2 }, { x: 3, y: 0.5 }, 2);
  assert.deepEqual(planned, { time_s: 3, pose: { x: 3, y: 0, heading: 0 } });
  assert.deepEqual(predicted, { time_s: 3, off: 0.5 });
  assert.deepEqual(reported, { time_s: 1, off: 0.2 });
});

test('nobody drives on beyond the end of the path', () => {
  assert.equal(progress_of(kStatus, kPath, { x: 1, y: 0 }, null, 100).planned.time_s, 4);
});

test('a robot that has handed back does not go on, however old its report is', () => {
  const status = { ...kStatus, state: 'handed_back', departure: 'blocked' } as const;
  assert.equal(progress_of(status, kPath, { x: 1, y: 0 }, null, 60).planned.time_s, 1);
  assert.match(status_sentence(status, 60), /something is in its way.*60 s ago/);
});

test('an action is under way where the clock of the path stands at its time', () => {
  const actions = [
    { time_s: 1, name: 'photo' },
    { time_s: 2, name: 'hold' },
  ];
  const at = (time_s: number, more = {}) => action_under_way({ ...kStatus, time_s, ...more }, actions);
  assert.equal(at(1), 'photo');
  assert.equal(at(1.002), '');
  assert.equal(at(1, { state: 'handed_back' }), '', 'somebody took over');
  assert.equal(at(1, { state: 'handed_back', departure: 'action_failed' }), 'photo');
  assert.equal(at(2, { state: 'handed_back', departure: 'held' }), '');
});

test('what it is about is said, and why it holds or has handed back', () => {
  assert.equal(status_sentence(kStatus, 0, 'photo'), 'The robot stands and does “photo”.');
  const back = (departure: 'action_failed' | 'action_not_done' | 'held') =>
    status_sentence({ ...kStatus, state: 'handed_back', departure }, 0, departure === 'held' ? '' : 'photo');
  assert.match(back('action_failed'), /its action “photo” failed/);
  assert.match(back('action_not_done'), /“photo” was not done in time/);
  assert.equal(back('held'), 'The robot holds, as planned, until it is told to go on.');
});

test('the path is the one of the mission that the robot reports, wherever it comes from', () => {
  const fetched = { number: kStatus.mission, name: 'rounds', path: Float64Array.from([1]), actions: [] };
  const sent = { ...bring(null), number: kStatus.mission };
  assert.equal(path_of(kStatus, fetched, sent), fetched.path);
  assert.equal(path_of(kStatus, { ...fetched, number: 'f'.repeat(16) }, sent), kPath);
  assert.equal(path_of(kStatus, null, bring(null)), null);
  assert.equal(path_of(null, fetched, sent), null);
});

test('of a mission whose path is not here yet only the times are known', () => {
  const { planned, predicted, reported } = progress_of(kStatus, null, { x: 1, y: 0 }, { x: 3, y: 0 }, 2);
  assert.deepEqual(planned, { time_s: 3, pose: null });
  assert.equal(predicted, null);
  assert.ok(Number.isNaN(reported.off));
});

test('the upload before is not taken for this one, unless it is the same again', () => {
  const brought = bring('aaaaaaaaaaaaaaaa');
  take_upload(brought, upload('aaaaaaaaaaaaaaaa'), 1100);
  assert.equal(brought.number, null);
  assert.equal(upload_of(brought, upload('aaaaaaaaaaaaaaaa')), null);
  take_upload(brought, upload('bbbbbbbbbbbbbbbb'), 1200);
  assert.equal(upload_of(brought, upload('bbbbbbbbbbbbbbbb'))?.state, 'under_way');
  const again = bring('aaaaaaaaaaaaaaaa');
  take_upload(again, upload('aaaaaaaaaaaaaaaa'), 5000);
  assert.equal(again.number, 'aaaaaaaaaaaaaaaa');
});
