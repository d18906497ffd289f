import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Link } from '../link/messages';
import { History, kAheadPoints, type Moment } from './history';

function make_moment(time_s: number, x = time_s, heading = 0): Moment {
  const pose = { x, y: 2 * x, heading };
  return {
    time_s,
    robot_time_s: time_s + 1000,
    predicted: pose,
    presence: 1,
    reported: null,
    extrapolated: { x: -x, y: 0, heading: 0 },
    truth: null,
    in50: { radius: 2, outline: Float32Array.of(x, 0, x + 1, 0, x, 1) },
    in95: null,
    target: null,
    goal: { x: 7, y: 8 },
    gap: 0.25,
    error: NaN,
    error_extrapolated: 3,
    ahead: Float32Array.from([1, 2, 3, 4]),
    age: 1.5,
    speed: 0.5,
    task: 1,
    link: null,
    report: null,
    seen: null,
  };
}
function fill(history: History, from_s: number, to_s: number): void {
  for (let i = Math.round(from_s * 10); i < Math.round(to_s * 10); ++i) history.push(make_moment(i / 10));
}

test('a moment comes back as it was, unknown things as unknown', () => {
  const history = new History(10, 0.1);
  history.push(make_moment(1));
  const moment = history.at(1)!;
  assert.deepEqual(moment.predicted, { x: 1, y: 2, heading: 0 });
  assert.deepEqual(moment.in50, { radius: 2, outline: Float32Array.of(1, 0, 2, 0, 1, 1) });
  assert.deepEqual(moment.goal, { x: 7, y: 8 });
  assert.deepEqual([...moment.ahead], [1, 2, 3, 4]);
  assert.deepEqual([moment.reported, moment.truth, moment.in95, moment.target], [null, null, null, null]);
  assert.equal(moment.gap, 0.25);
  assert.deepEqual([moment.age, moment.speed], [1.5, 0.5]);
  assert.ok(Number.isNaN(moment.error));
  assert.equal(moment.robot_time_s, 1001);
});

test('what the robot saw comes back with its moment', () => {
  const history = new History(10, 0.1);
  const seen = { standing: Float64Array.of(1), moving: Float64Array.of(2) };
  history.push({ ...make_moment(1), seen });
  history.push(make_moment(2));
  assert.deepEqual([history.at(1)!.seen, history.at(2)!.seen], [seen, null]);
});

test('only the newest are kept', () => {
  const history = new History(50, 0.1);
  fill(history, 0, 60);
  assert.equal(history.end - history.first, 50);
  assert.ok(Math.abs(history.oldest_s - 55) < 1e-9 && Math.abs(history.newest_s - 59.9) < 1e-9);
  assert.ok(Math.abs(history.at(57.3)!.predicted!.x - 57.3) < 1e-4);
  assert.equal(history.at(0)!.time_s, history.oldest_s, 'before all: the oldest');
  assert.equal(history.at(99)!.time_s, history.newest_s, 'after all: the newest');
});

test('frames between two steps are not kept', () => {
  const history = new History(1000, 0.1);
  for (let i = 0; i < 600; ++i) history.push(make_moment(i / 60));
  assert.ok(history.end >= 85 && history.end <= 101, `${history.end}`);
});

test('between two moments the robot moves smoothly, turning the short way', () => {
  const history = new History(10, 0.1);
  history.push(make_moment(1, 1, Math.PI - 0.1));
  history.push(make_moment(1.1, 1.1, -Math.PI + 0.1));
  const pose = history.at(1.05)!.predicted!;
  assert.ok(Math.abs(pose.x - 1.05) < 1e-5);
  assert.ok(Math.abs(Math.cos(pose.heading) + 1) < 1e-5);
});

test('nothing is made up across a pause or a jump', () => {
  const pause = new History(10, 0.1);
  pause.push(make_moment(1, 0));
  pause.push(make_moment(4, 0.3));
  assert.equal(pause.at(3.9)!.predicted!.x, 0);
  const jump = new History(10, 0.1);
  jump.push(make_moment(1, 0));
  jump.push(make_moment(1.1, 9));
  assert.equal(jump.at(1.09)!.predicted!.x, 0);
});

test('what was predicted is found by the time of the robot', () => {
  const history = new History(40, 0.1);
  fill(history, 0, 6);
  assert.ok(Math.abs(history.predicted_at(1003.25)!.x - 3.25) < 1e-4);
  assert.equal(history.predicted_at(1001), null, 'forgotten');
  assert.equal(history.predicted_at(1007), null, 'not yet shown');
});

test('a report that is a little newer than the newest moment finds the prediction carried on', () => {
  const history = new History(40, 0.1);
  history.push(make_moment(1));
  assert.equal(history.predicted_at(1001.05)!.x, 1, 'one moment tells no speed');
  history.push(make_moment(1.1));
  assert.ok(Math.abs(history.predicted_at(1001.2)!.x - 1.2) < 1e-4);
  assert.equal(history.predicted_at(1001.4), null, 'out of reach');
  history.push(make_moment(1.2, 9));
  assert.equal(history.predicted_at(1001.25)!.x, 9, 'a jump does not go on');
});

test('the way ahead is cut where there is no more room for it', () => {
  const history = new History(4, 0.1);
  const long = Float32Array.from({ length: 4 * kAheadPoints }, (_, i) => i);
  history.push({ ...make_moment(0), ahead: long });
  assert.deepEqual([...history.at(0)!.ahead], [...long.subarray(0, 2 * kAheadPoints)]);
});

test('an empty one has nothing', () => {
  const history = new History(4, 0.1);
  assert.equal(history.at(0), null);
  assert.equal(history.find(0), -1);
  assert.ok(Number.isNaN(history.oldest_s));
});

test('what the program told of the link then comes back with the moment', () => {
  const history = new History(10, 0.1);
  const link: Link = {
    type: 'link',
    robot: 1,
    age_s: 2,
    loss: 0.3,
    round_trip_s: 0.1,
    clock_offset_s: 0,
    clock_sigma_s: 0.01,
    warnings: [],
    upload: null,
  };
  history.push(make_moment(1));
  history.push({ ...make_moment(2), link });
  assert.equal(history.at(1.9)!.link, null);
  assert.equal(history.at(2)!.link, link);
});
