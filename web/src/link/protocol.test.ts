// The byte files of tests/protocol say the same in TypeScript as in C++.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode_frame, decode_report, kMotors, kTasks, type Report } from './protocol';
import { kNumbers } from './report_layout';

type Fields = Record<string, number>;
interface Case {
  name: string;
  bytes: string;
  says: { SYNC?: Fields; 'SYNC odometry'?: Fields };
}

// 64-bit numbers do not fit into a JavaScript number: they are read as text
const text = readFileSync(`${process.env.FORERUN_ROOT}/tests/protocol/frames.json`, 'utf8');
const cases: Case[] = JSON.parse(text.replace(/"(model|time)":\s*(\d+)/g, '"$1": "$2"'));
const from_hex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const bytes_of = (name: string): Uint8Array => from_hex(cases.find((entry) => entry.name === name)!.bytes);
const near = (value: number, expected: number | undefined, what: string): void =>
  assert.ok(Math.abs(value - expected!) < 1e-9, `${what}: ${value}, not ${expected}`);

function check_pose_and_motion(report: Report, says: Fields): void {
  near(report.pose.x, says.x, 'x');
  near(report.pose.y, says.y, 'y');
  near(report.pose.heading, (says.heading! / 65_536) * 2 * Math.PI, 'heading');
  for (const name of ['speed', 'side_speed', 'turn_rate', 'acceleration', 'turn_acceleration'] as const) {
    near(report[name], says[name], name);
  }
  for (const name of ['remaining_wait', 'until_decision', 'max_speed', 'max_turn_rate'] as const) {
    near(report[name], says[name], name);
  }
  for (const name of ['sigma_x', 'sigma_y', 'sigma_heading'] as const) near(report[name], says[name], name);
  near(report.correlation, says.correlation! / 127, 'correlation');
}

function check_intent(report: Report, says: Fields): void {
  const flags = says.flags!;
  assert.equal(report.target !== null, (flags & 1) !== 0);
  assert.equal(report.goal !== null, (flags & 2) !== 0);
  assert.equal(report.hand_driven, (flags & 4) !== 0);
  assert.equal(report.odometry !== null, (flags & 8) !== 0);
  assert.equal(report.task, kTasks[says.task!]);
  assert.equal(report.motors, kMotors[says.motors!]);
  if (report.target) near(report.target.x - report.pose.x, says.target_dx, 'target_dx');
  if (report.target) near(report.target.y - report.pose.y, says.target_dy, 'target_dy');
  if (report.goal) near(report.goal.x, says.goal_x, 'goal_x');
  if (report.goal) near(report.goal.y, says.goal_y, 'goal_y');
}

const syncs = cases.filter(({ says }) => says.SYNC !== undefined);
test('there are SYNC bodies to read', () => assert.ok(syncs.length >= 3));

for (const { name, bytes, says } of syncs) {
  test(`${name}: as in C++`, () => {
    const report = decode_report(from_hex(bytes));
    assert.ok(report);
    const sync = says.SYNC!;
    assert.equal(report.sequence, sync.sequence);
    assert.equal(report.robot, sync.robot);
    assert.equal(report.model, BigInt(sync.model!));
    assert.equal(report.time_ns, BigInt(sync.time!));
    check_pose_and_motion(report, sync);
    check_intent(report, sync);
    const odometry = says['SYNC odometry'];
    if (odometry === undefined) return;
    near(report.odometry!.x, odometry.odometry_x, 'odometry_x');
    near(report.odometry!.y, odometry.odometry_y, 'odometry_y');
    near(report.odometry!.turn, (odometry.odometry_turn! / 4096) * 2 * Math.PI, 'odometry_turn');
  });
}

test('every number that the robot sends is read', () => {
  const whole = bytes_of('sync with odometry');
  for (const [name, { at }] of Object.entries(kNumbers)) {
    const changed = Uint8Array.from(whole);
    changed[at]! ^= 1;
    assert.ok(decode_report(changed), name);
    assert.notDeepEqual(decode_report(changed), decode_report(whole), name);
  }
});

test('bodies that are too short or say what cannot be are refused', () => {
  const whole = bytes_of('sync with odometry');
  for (let size = 0; size < whole.length; ++size) assert.equal(decode_report(whole.subarray(0, size)), null);
  const spoil = (at: number, value: number): Uint8Array => {
    const bytes = Uint8Array.from(whole);
    bytes[at] = value;
    return bytes;
  };
  assert.equal(decode_report(spoil(73, 6)), null, 'task');
  assert.equal(decode_report(spoil(74, 4)), null, 'motors');
  assert.equal(decode_report(spoil(72, 0x80)), null, 'correlation');
  assert.equal(decode_report(spoil(27, 0x7f)), null, 'position');
  assert.equal(decode_report(Uint8Array.from([...whole, 1, 2, 3])), null, 'a section that is cut off');
  assert.ok(decode_report(Uint8Array.from([...whole, 250, 1, 0, 9, 2, 0, 0])), 'sections, also of unknown kinds');
  assert.equal(decode_report(Uint8Array.from([...whole, ...new Array(942).fill(0)])), null, 'too many sections');
});

test('a planned path is read as in C++, and a wrong one says nothing', () => {
  const whole = bytes_of('sync with odometry and a planned path');
  const path = decode_report(whole)?.planned_path;
  assert.deepEqual(Array.from(path ?? []), [12.5, -7.5, 20, -7.25, 20, 3]);
  assert.equal(decode_report(bytes_of('sync with odometry'))?.planned_path, null);
  const section = 84 + 3;
  const spoil = (at: number, value: number): Uint8Array => {
    const bytes = Uint8Array.from(whole);
    bytes[section + at] = value;
    return bytes;
  };
  for (const [at, value] of [
    [0, 14],
    [1, 16],
    [1, 4],
  ] as const) {
    const report = decode_report(spoil(at, value));
    assert.ok(report, 'the robot is where it is');
    assert.equal(report.planned_path, null);
  }
  assert.equal(decode_report(spoil(1, 0))?.planned_path?.length, 0, 'no plan any more');
  const from = (bytes: Uint8Array): number[] => Array.from(decode_report(bytes)?.planned_path ?? []);
  assert.deepEqual(from(spoil(0, 1)).slice(0, 2), [12.654, -7.11], 'steps of 2 mm');
});

test('a report says how far the mission is', () => {
  const whole = bytes_of('sync with odometry');
  const number = [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01];
  const with_mission = (state: number, departure: number): Uint8Array =>
    Uint8Array.from([...whole, 6, 14, 0, ...number, state, departure, 0x58, 0x1b, 0, 0]);
  assert.deepEqual(decode_report(with_mission(2, 1))?.mission, {
    mission: '0123456789abcdef',
    state: 'handed_back',
    departure: 'blocked',
    time_s: 7,
  });
  assert.equal(decode_report(with_mission(4, 0))?.mission, null);
  assert.equal(decode_report(with_mission(1, 9))?.mission, null);
  assert.equal(decode_report(whole)?.mission, null);
});

test('a report says what hinders the robot', () => {
  const whole = bytes_of('sync with odometry');
  const content = bytes_of('hindrance');
  const say = (bytes: Uint8Array) =>
    decode_report(Uint8Array.from([...whole, 8, bytes.length, 0, ...bytes]))?.hindrance ?? null;
  const { held_back, contact } = say(content)!;
  assert.deepEqual(held_back, { share: 0.6, distance: 0.4, bearing: Math.PI / 8 });
  assert.deepEqual(contact, { bearings: [Math.PI / 4, -Math.PI / 4], lasts_s: 2.5 });
  assert.deepEqual(say(new Uint8Array(8)), { held_back: null, contact: null }, 'nothing any more');
  assert.equal(say(content.subarray(0, content.length - 1)), null, 'cut off');
  assert.equal(say(Uint8Array.from([...content.subarray(0, 7), 5, ...new Uint8Array(10)])), null, 'too many sides');
  assert.equal(decode_report(whole)?.hindrance, null);
});

function make_frame(kind: number, robot: number, time_ns: bigint, rest: Uint8Array): ArrayBuffer {
  const bytes = new Uint8Array(16 + rest.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  view.setUint32(4, robot, true);
  view.setBigInt64(8, time_ns, true);
  bytes.set(rest, 16);
  return bytes.buffer;
}

test('the frames of the WebSocket', () => {
  const body = bytes_of('sync');
  const report = decode_frame(make_frame(1, 7, 123n, body));
  assert.ok(report?.kind === 'report');
  assert.equal(report.robot, 7);
  assert.equal(report.robot_now_ns, 123n);
  assert.deepEqual([...report.body], [...body]);
  assert.equal(report.report.sequence, 4711);

  assert.deepEqual(decode_frame(make_frame(2, 7, -5n, new Uint8Array())), {
    kind: 'time',
    robot: 7,
    robot_now_ns: -5n,
  });

  const pose = new Uint8Array(Float64Array.from([1.5, -2.5, 0.25]).buffer);
  assert.deepEqual(decode_frame(make_frame(3, 9, 11n, pose)), {
    kind: 'truth',
    robot: 9,
    time_ns: 11n,
    pose: { x: 1.5, y: -2.5, heading: 0.25 },
  });
});

test('other bytes are skipped', () => {
  assert.equal(decode_frame(new ArrayBuffer(0)), null);
  assert.equal(decode_frame(new ArrayBuffer(15)), null);
  assert.equal(decode_frame(make_frame(4, 1, 0n, new Uint8Array(80))), null);
  assert.equal(decode_frame(make_frame(1, 1, 0n, new Uint8Array(75))), null);
  assert.equal(decode_frame(make_frame(3, 1, 0n, new Uint8Array(23))), null);
  const nan = new Uint8Array(Float64Array.from([NaN, 0, 0]).buffer);
  assert.equal(decode_frame(make_frame(3, 1, 0n, nan)), null);
});

// As PageHub::image writes it.
function image_frame(change: (view: DataView) => void = () => {}): ArrayBuffer {
  const bytes = new ArrayBuffer(16 + 8 + 11 * 8 + 5 + 3);
  const view = new DataView(bytes);
  view.setUint8(0, 4);
  view.setUint32(4, 1, true);
  view.setBigInt64(16, 1_500_000_000n, true);
  [1.5, -2, 0.45, 0.1, 0.2, 0.3, 0.9, 0.2, 0.05, 0.16, 0.1].forEach((n, i) => view.setFloat64(24 + 8 * i, n, true));
  view.setUint16(112, 320, true);
  view.setUint16(114, 240, true);
  view.setUint8(116, 1);
  new Uint8Array(bytes).set([0xff, 0xd8, 7], 117);
  change(view);
  return bytes;
}

test('an image of the camera is read', () => {
  const frame = decode_frame(image_frame());
  assert.ok(frame?.kind === 'image');
  assert.deepEqual(frame.image.place, { x: 1.5, y: -2, z: 0.45 });
  assert.deepEqual(frame.image.attitude, { roll: 0.1, pitch: 0.2, yaw: 0.3 });
  assert.deepEqual(frame.image.eye, { x: 0.2, y: 0.05, z: 0.16, tilt: 0.1 });
  assert.equal(frame.image.camera, 1);
  assert.deepEqual([frame.image.field_of_view, frame.image.width, frame.image.height], [0.9, 320, 240]);
  assert.deepEqual([...frame.image.jpeg], [0xff, 0xd8, 7]);
});

test('an image that cannot be is skipped', () => {
  assert.equal(decode_frame(image_frame((view) => view.setFloat64(24, NaN, true))), null);
  assert.equal(decode_frame(image_frame((view) => view.setFloat64(72, 4, true))), null);
  assert.equal(decode_frame(image_frame((view) => view.setUint16(112, 0, true))), null);
  assert.equal(decode_frame(image_frame((view) => view.setFloat64(104, NaN, true))), null);
  assert.equal(decode_frame(image_frame().slice(0, 117)), null);
});

test('a live scan is read as in C++: metres for each sector', () => {
  const { scan } = decode_report(bytes_of('sync with odometry and a live scan'))!;
  assert.equal(scan!.length, 56);
  assert.deepEqual([scan![0], scan![2], scan![28], scan![55]], [4.8, 10.16, 0, 4.84]);
  assert.equal([...scan!].filter(Number.isFinite).length, 9);
  assert.equal(decode_report(bytes_of('sync with odometry'))!.scan, null);
});

test('a live scan that is cut, or has no unit, says nothing', () => {
  const whole = bytes_of('sync with odometry and a live scan');
  const at = bytes_of('sync with odometry').length;
  const without_unit = Uint8Array.from(whole);
  without_unit[at + 3] = 0;
  assert.equal(decode_report(without_unit)!.scan, null);
  const cut = whole.slice(0, whole.length - 1);
  cut[at + 1]! -= 1;
  assert.equal(decode_report(cut)!.scan, null);
});
