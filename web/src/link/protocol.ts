// What travels over the WebSocket in binary frames, and the SYNC body in them (docs/protocol.md), as plain objects.

export interface Pose {
  x: number;
  y: number;
  heading: number;
}

export interface Point {
  x: number;
  y: number;
}

export const kTasks = ['idle', 'driving', 'waiting', 'done', 'cancelled', 'unreachable'] as const;
export const kMotors = ['on', 'off', 'stopped', 'fault'] as const;
export type Task = (typeof kTasks)[number];
export type Motors = (typeof kMotors)[number];

export interface Odometry {
  x: number;
  y: number;
  turn: number;
}

// SI and radians; times are nanoseconds of the robot's clock.
export interface Report {
  sequence: number;
  robot: number;
  model: bigint;
  time_ns: bigint;
  pose: Pose;
  speed: number;
  side_speed: number;
  turn_rate: number;
  acceleration: number;
  turn_acceleration: number;
  target: Point | null;
  goal: Point | null;
  remaining_wait: number;
  until_decision: number;
  max_speed: number;
  max_turn_rate: number;
  sigma_x: number;
  sigma_y: number;
  sigma_heading: number;
  correlation: number;
  task: Task;
  motors: Motors;
  hand_driven: boolean;
  odometry: Odometry | null;
  planned_path: Float64Array | null; // x y each; none: it has no plan; null: it says nothing, so it is as it was
}

export type Frame =
  | { kind: 'report'; robot: number; robot_now_ns: bigint; body: Uint8Array; report: Report }
  | { kind: 'time'; robot: number; robot_now_ns: bigint }
  | { kind: 'truth'; robot: number; time_ns: bigint; pose: Pose };

const kSyncSize = 76;
const kOdometrySize = 8;
const kSectionHeaderSize = 3;
const kMostSectionBytes = 940; // of one report
const kPlannedPath = 2; // the section's kind
const kPlanHeaderSize = 2;
const kPointSize = 4;
const kMostPoints = 15;
const kLargestExponent = 13;
const kHeaderSize = 16;
const kTruthSize = 40;
const kFarthest = 100_000; // [m]
const kFlags = { target: 1, goal: 2, hand_driven: 4, odometry: 8 };

function read_i24(view: DataView, at: number): number {
  return (view.getInt8(at + 2) << 16) | view.getUint16(at, true);
}

function read_odometry(view: DataView): Odometry {
  return {
    x: read_i24(view, 76) / 1000,
    y: read_i24(view, 79) / 1000,
    turn: (view.getInt16(82, true) / 4096) * 2 * Math.PI,
  };
}

// Kind and length, then as many bytes, until the body ends. What they say is for who knows their kinds.
function has_whole_sections(view: DataView, begin: number): boolean {
  let at = begin;
  while (at + kSectionHeaderSize <= view.byteLength) at += kSectionHeaderSize + view.getUint16(at + 1, true);
  return at === view.byteLength && at - begin <= kMostSectionBytes;
}

// The content of the first section of this kind.
function find_section(view: DataView, begin: number, kind: number): DataView | null {
  for (let at = begin; at < view.byteLength; at += kSectionHeaderSize + view.getUint16(at + 1, true)) {
    if (view.getUint8(at) !== kind) continue;
    return new DataView(view.buffer, view.byteOffset + at + kSectionHeaderSize, view.getUint16(at + 1, true));
  }
  return null;
}

// In whole steps from where the robot is, rounded down to such steps. Null: there is none, or it cannot be.
function read_planned_path(view: DataView, begin: number): Float64Array | null {
  const content = find_section(view, begin, kPlannedPath);
  if (content === null || content.byteLength < kPlanHeaderSize) return null;
  const exponent = content.getUint8(0);
  const count = content.getUint8(1);
  if (exponent > kLargestExponent || count > kMostPoints) return null;
  if (content.byteLength < kPlanHeaderSize + kPointSize * count) return null;
  const step = 2 ** exponent; // [mm]
  const path = new Float64Array(2 * count);
  for (let i = 0; i < path.length; ++i) {
    const origin = Math.floor(view.getInt32(i % 2 === 0 ? 24 : 28, true) / (10 * step));
    path[i] = ((origin + content.getInt16(kPlanHeaderSize + 2 * i, true)) * step) / 1000;
  }
  return path.some((length) => Math.abs(length) > kFarthest) ? null : path;
}

// Null: these bytes are not the body of a SYNC frame.
export function decode_report(body: Uint8Array): Report | null {
  if (body.length < kSyncSize) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const i16 = (at: number): number => view.getInt16(at, true);
  const u16 = (at: number): number => view.getUint16(at, true);
  const flags = view.getUint8(75);
  const task = kTasks[view.getUint8(73)];
  const motors = kMotors[view.getUint8(74)];
  const correlation = view.getInt8(72);
  const has_odometry = (flags & kFlags.odometry) !== 0;
  if (task === undefined || motors === undefined || correlation === -128) return null;
  const fixed_size = kSyncSize + (has_odometry ? kOdometrySize : 0);
  if (body.length < fixed_size || !has_whole_sections(view, fixed_size)) return null;

  const x = view.getInt32(24, true) / 10_000;
  const y = view.getInt32(28, true) / 10_000;
  const goal = { x: view.getInt32(48, true) / 1000, y: view.getInt32(52, true) / 1000 };
  if ([x, y, goal.x, goal.y].some((length) => Math.abs(length) > kFarthest)) return null;

  return {
    sequence: view.getUint32(0, true),
    robot: view.getUint32(4, true),
    model: view.getBigUint64(8, true),
    time_ns: view.getBigInt64(16, true),
    pose: { x, y, heading: (u16(32) / 65_536) * 2 * Math.PI },
    speed: i16(34) / 2000,
    side_speed: i16(36) / 2000,
    turn_rate: i16(38) / 1000,
    acceleration: i16(40) / 1000,
    turn_acceleration: i16(42) / 250,
    target: flags & kFlags.target ? { x: x + i16(44) / 500, y: y + i16(46) / 500 } : null,
    goal: flags & kFlags.goal ? goal : null,
    remaining_wait: view.getUint32(56, true) / 1000,
    until_decision: u16(60) / 10_000,
    max_speed: u16(62) / 2000,
    max_turn_rate: u16(64) / 1000,
    sigma_x: u16(66) / 2000,
    sigma_y: u16(68) / 2000,
    sigma_heading: u16(70) / 10_000,
    correlation: correlation / 127,
    task,
    motors,
    hand_driven: (flags & kFlags.hand_driven) !== 0,
    odometry: has_odometry ? read_odometry(view) : null,
    planned_path: read_planned_path(view, fixed_size),
  };
}

function decode_truth(view: DataView, robot: number): Frame | null {
  if (view.byteLength < kTruthSize) return null;
  const pose = { x: view.getFloat64(16, true), y: view.getFloat64(24, true), heading: view.getFloat64(32, true) };
  if (!Object.values(pose).every(Number.isFinite)) return null;
  return { kind: 'truth', robot, time_ns: view.getBigInt64(8, true), pose };
}

// Null: not a frame of this protocol, or one of a kind that this page does not know; it is skipped.
export function decode_frame(bytes: ArrayBuffer): Frame | null {
  if (bytes.byteLength < kHeaderSize) return null;
  const view = new DataView(bytes);
  const kind = view.getUint8(0);
  const robot = view.getUint32(4, true);
  const robot_now_ns = view.getBigInt64(8, true);
  if (kind === 2) return { kind: 'time', robot, robot_now_ns };
  if (kind === 3) return decode_truth(view, robot);
  if (kind !== 1) return null;
  const body = new Uint8Array(bytes, kHeaderSize);
  const report = decode_report(body);
  return report === null ? null : { kind: 'report', robot, robot_now_ns, body, report };
}
