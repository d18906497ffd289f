import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RobotClock } from './clock';

const kBegin_ns = 1_794_700_000_000_000_000n;
const robot_time = (local_ms: number, offset_ms = 0): bigint =>
  kBegin_ns + BigInt(Math.round((local_ms + offset_ms) * 1e6));
const error_ms = (clock: RobotClock, local_ms: number, offset_ms = 0): number =>
  Number(clock.now(local_ms)! - robot_time(local_ms, offset_ms)) / 1e6;

test('before the first message the robot has no time', () => {
  assert.equal(new RobotClock().now(5), null);
});

test('the fastest message counts: delays make the clock late only until a faster one comes', () => {
  const clock = new RobotClock();
  const delays = [80, 45, 120, 3, 60, 200, 30];
  delays.forEach((delay, i) => clock.take(robot_time(1000 * i), 1000 * i + delay));
  let last = 0;
  for (let t = 6300; t < 9000; t += 16) last = error_ms(clock, t);
  assert.ok(Math.abs(last + 3) < 0.01, `${last} ms`);
});

test('time never goes back while messages come with changing delays', () => {
  const clock = new RobotClock();
  let last = 0n;
  for (let t = 0; t < 60_000; t += 16) {
    if (t % 1008 === 0) clock.take(robot_time(t - 5 - ((t / 7) % 190)), t);
    const now = clock.now(t)!;
    assert.ok(now >= last);
    last = now;
  }
});

test('a clock that drifts is followed', () => {
  const clock = new RobotClock();
  let worst = 0;
  for (let t = 0; t < 120_000; t += 50) {
    const drift_ms = -t * 2e-4; // a robot whose clock loses 0.2 ms a second
    if (t % 1000 === 0) clock.take(robot_time(t, drift_ms), t);
    if (t > 20_000) worst = Math.max(worst, Math.abs(error_ms(clock, t, drift_ms)));
  }
  assert.ok(worst < 3, `${worst} ms`);
});

test('a robot side that was started anew has its new time at once, ahead or behind', () => {
  for (const offset_ms of [86_400_000, -86_400_000, 700]) {
    const clock = new RobotClock();
    for (let t = 0; t < 5000; t += 1000) clock.take(robot_time(t), t);
    clock.now(4999);
    clock.take(robot_time(5000, offset_ms), 5000);
    assert.ok(Math.abs(error_ms(clock, 5001, offset_ms)) < 0.01);
  }
});

test('a late message does not set the clock back', () => {
  const clock = new RobotClock();
  for (let t = 0; t < 5000; t += 1000) clock.take(robot_time(t), t);
  clock.take(robot_time(3000), 6500);
  assert.ok(Math.abs(error_ms(clock, 6501)) < 0.01);
});

test('between messages the clock runs on, for hours', () => {
  const clock = new RobotClock();
  clock.take(robot_time(0), 0);
  assert.ok(Math.abs(error_ms(clock, 3 * 3600_000)) < 0.01);
});
