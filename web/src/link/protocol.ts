// What travels over the WebSocket in binary frames, and the SYNC body in them (docs/protocol.md), as plain objects.
import { kFlags, kNumbers, kWords } from './report_layout';

export interface Pose {
  x: number;
  y: number;
  heading: number;
}

export interface Point {
  x: number;
  y: number;
}

export const kTasks = kWords.task;
export const kMotors = kWords.motors;
export type Task = (typeof kTasks)[number];
export type Motors = (typeof kMotors)[number];

export const kMissionStates = ['ready', 'running', 'handed_back', 'done'] as const;
export const kDepartures = [
  'none',
  'blocked',
  'off_path',
  'sensors_disagree',
  'calibration_drifted',
  'action_failed',
  'action_not_done',
  'held',
] as const;

// What a robot says of the mission that it was brought last.
export interface MissionStatus {
  mission: string; // its number, 16 hex digits
  state: (typeof kMissionStates)[number];
  departure: (typeof kDepartures)[number]; // why it handed back; none: somebody took over
  time_s: number; // on the mission's path
}

export const kStandings = ['upright', 'on its side', 'upside down', 'lost'] as const;

// Front left, front right, rear left, rear right [rad]; 0 stretched away, positive with the tip up.
export type Flippers = [number, number, number, number];

// How a robot on rough ground stands: height of its frame, roll to the right, pitch nose down; then the speeds of its
// belts.
export interface Attitude {
  height: number;
  roll: number;
  pitch: number;
}
export interface Posture extends Attitude {
  flippers: Flippers;
  left_speed: number;
  right_speed: number;
  standing: (typeof kStandings)[number];
}

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
  posture: Posture | null; // null: it says nothing of it
  mission: MissionStatus | null; // null: it has none
  response: FoundResponse | null; // null: it says nothing, so it is as it was
  scan: Float64Array | null; // to the nearest echo of each of equal sectors, from straight ahead counter-clockwise; Infinity: none
  hindrance: Hindrance | null; // null: nothing hinders it
}

// What holds an operator's hand back, and what touches the robot; bearings from its heading, counter-clockwise [rad].
export interface Hindrance {
  held_back: { share: number; distance: number; bearing: number } | null;
  contact: { bearings: number[]; lasts_s: number } | null;
}

// How a robot answers its commands, as it has found out; null: its drives have not shown it.
export interface AxisResponse {
  delay_s: number;
  lag_s: number;
}
export interface FoundResponse {
  forward: AxisResponse | null;
  turn: AxisResponse | null;
}

// How a camera is mounted on its robot.
export interface Eye {
  x: number; // of the lens [m]
  y: number;
  z: number;
  tilt: number; // downwards [rad]
}

// An image of one of the robot's cameras; lengths in metres, angles in radians.
export interface CameraImage {
  taken_ns: bigint; // on the robot's clock
  place: { x: number; y: number; z: number }; // of the lens then
  attitude: { roll: number; pitch: number; yaw: number };
  field_of_view: number; // from top to bottom
  eye: Eye;
  camera: number; // its place among the robot's cameras
  width: number; // [pixels]
  height: number;
  jpeg: Uint8Array;
}

export type Frame =
  | { kind: 'report'; robot: number; robot_now_ns: bigint; body: Uint8Array; report: Report }
  | { kind: 'time'; robot: number; robot_now_ns: bigint }
  | { kind: 'truth'; robot: number; time_ns: bigint; pose: Pose }
  | { kind: 'image'; robot: number; image: CameraImage };

const kFixedSize = kNumbers.flags.at + 1; // what every report has
const kOdometrySize = kNumbers.odometry_turn.at + 2 - kFixedSize;
const kSectionHeaderSize = 3;
const kMostSectionBytes = 940; // of one report
const kAttitude = 1; // the section's kind
const kAttitudeSize = 19;
const kPlannedPath = 2; // likewise
const kMission = 6; // likewise
const kMissionSize = 14;
const kResponse = 7; // likewise
const kResponseSize = 8;
const kNotFound = 0xffff;
const kHindrance = 8; // likewise
const kHindranceHeaderSize = 8;
const kMostSides = 4;
const kLiveScan = 9; // likewise
const kScanSectors = 56;
const kNoEcho = 255;
const kPlanHeaderSize = 2;
const kPointSize = 4;
const kMostPoints = 15;
const kLargestExponent = 13;
const kHeaderSize = 16;
const kTruthSize = 40;
const kImageSize = kHeaderSize + 8 + 11 * 8 + 5; // before the JPEG
const kFarthest = 100_000; // [m]

const kReaders = {
  u8: (view: DataView, at: number) => view.getUint8(at),
  i8: (view: DataView, at: number) => view.getInt8(at),
  u16: (view: DataView, at: number) => view.getUint16(at, true),
  i16: (view: DataView, at: number) => view.getInt16(at, true),
  i24: (view: DataView, at: number) => (view.getInt8(at + 2) << 16) | view.getUint16(at, true),
  u32: (view: DataView, at: number) => view.getUint32(at, true),
  i32: (view: DataView, at: number) => view.getInt32(at, true),
};
type Quantity = Exclude<keyof typeof kNumbers, 'model' | 'time'>; // those two are larger than a number can be

function reader_of(view: DataView): (name: Quantity) => number {
  return (name) => {
    const { at, as, step } = kNumbers[name];
    return kReaders[as](view, at) * step;
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
    const origin = Math.floor(view.getInt32((i % 2 === 0 ? kNumbers.x : kNumbers.y).at, true) / (10 * step));
    path[i] = ((origin + content.getInt16(kPlanHeaderSize + 2 * i, true)) * step) / 1000;
  }
  return path.some((length) => Math.abs(length) > kFarthest) ? null : path;
}

function read_posture(view: DataView, begin: number): Posture | null {
  const content = find_section(view, begin, kAttitude);
  if (content === null || content.byteLength < kAttitudeSize) return null;
  const standing = kStandings[content.getUint8(18)];
  if (standing === undefined) return null;
  const number = (at: number, unit: number): number => content.getInt16(at, true) * unit;
  return {
    height: number(0, 1e-3),
    roll: number(2, 1e-4),
    pitch: number(4, 1e-4),
    flippers: [number(6, 2e-4), number(8, 2e-4), number(10, 2e-4), number(12, 2e-4)],
    left_speed: number(14, 1e-3),
    right_speed: number(16, 1e-3),
    standing,
  };
}

function read_mission(view: DataView, begin: number): MissionStatus | null {
  const content = find_section(view, begin, kMission);
  if (content === null || content.byteLength < kMissionSize) return null;
  const state = kMissionStates[content.getUint8(8)];
  const departure = kDepartures[content.getUint8(9)];
  if (state === undefined || departure === undefined) return null;
  const mission = content.getBigUint64(0, true).toString(16).padStart(16, '0');
  return { mission, state, departure, time_s: content.getUint32(10, true) / 1000 };
}

function read_response(view: DataView, begin: number): FoundResponse | null {
  const content = find_section(view, begin, kResponse);
  if (content === null || content.byteLength < kResponseSize) return null;
  const axis = (at: number): AxisResponse | null => {
    const delay = content.getUint16(at, true);
    const lag = content.getUint16(at + 2, true);
    return delay === kNotFound || lag === kNotFound ? null : { delay_s: delay / 1e4, lag_s: lag / 1e4 };
  };
  return { forward: axis(0), turn: axis(4) };
}

function read_hindrance(view: DataView, begin: number): Hindrance | null {
  const content = find_section(view, begin, kHindrance);
  if (content === null || content.byteLength < kHindranceHeaderSize) return null;
  const sides = content.getUint8(7);
  if (sides > kMostSides || content.byteLength < kHindranceHeaderSize + 2 * sides) return null;
  const turn = (at: number): number => (content.getInt16(at, true) * Math.PI) / 32768;
  const share = content.getUint8(0) / 255;
  const bearings = Array.from({ length: sides }, (_, i) => turn(kHindranceHeaderSize + 2 * i));
  return {
    held_back: share > 0 ? { share, distance: content.getUint16(1, true) / 1000, bearing: turn(3) } : null,
    contact: sides > 0 ? { bearings, lasts_s: content.getUint16(5, true) / 100 } : null,
  };
}

// Null: it says nothing of what its lasers see.
function read_scan(view: DataView, begin: number): Float64Array | null {
  const content = find_section(view, begin, kLiveScan);
  if (content === null || content.byteLength < 1 + kScanSectors || content.getUint8(0) === 0) return null;
  const unit_cm = content.getUint8(0);
  return Float64Array.from({ length: kScanSectors }, (_, i) => {
    const range = content.getUint8(1 + i);
    return range === kNoEcho ? Infinity : (range * unit_cm) / 100;
  });
}

// Null: these bytes are not the body of a SYNC frame.
export function decode_report(body: Uint8Array): Report | null {
  if (body.length < kFixedSize) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const read = reader_of(view);
  const point = (x: Quantity, y: Quantity): Point => ({ x: read(x), y: read(y) });
  const is_set = (name: keyof typeof kFlags): boolean => (read('flags') & kFlags[name]) !== 0;
  const task = kTasks[read('task')];
  const motors = kMotors[read('motors')];
  if (task === undefined || motors === undefined || read('correlation') < -1) return null;
  const fixed_size = kFixedSize + (is_set('odometry') ? kOdometrySize : 0);
  if (body.length < fixed_size || !has_whole_sections(view, fixed_size)) return null;

  const { x, y } = point('x', 'y');
  const goal = point('goal_x', 'goal_y');
  if ([x, y, goal.x, goal.y].some((length) => Math.abs(length) > kFarthest)) return null;

  return {
    sequence: read('sequence'),
    robot: read('robot'),
    model: view.getBigUint64(kNumbers.model.at, true),
    time_ns: view.getBigInt64(kNumbers.time.at, true),
    pose: { x, y, heading: read('heading') },
    speed: read('speed'),
    side_speed: read('side_speed'),
    turn_rate: read('turn_rate'),
    acceleration: read('acceleration'),
    turn_acceleration: read('turn_acceleration'),
    target: is_set('target') ? { x: x + read('target_dx'), y: y + read('target_dy') } : null,
    goal: is_set('goal') ? goal : null,
    remaining_wait: read('remaining_wait'),
    until_decision: read('until_decision'),
    max_speed: read('max_speed'),
    max_turn_rate: read('max_turn_rate'),
    sigma_x: read('sigma_x'),
    sigma_y: read('sigma_y'),
    sigma_heading: read('sigma_heading'),
    correlation: read('correlation'),
    task,
    motors,
    hand_driven: is_set('hand_driven'),
    odometry: is_set('odometry') ? { ...point('odometry_x', 'odometry_y'), turn: read('odometry_turn') } : null,
    planned_path: read_planned_path(view, fixed_size),
    posture: read_posture(view, fixed_size),
    mission: read_mission(view, fixed_size),
    response: read_response(view, fixed_size),
    hindrance: read_hindrance(view, fixed_size),
    scan: read_scan(view, fixed_size),
  };
}

function decode_truth(view: DataView, robot: number): Frame | null {
  if (view.byteLength < kTruthSize) return null;
  const pose = { x: view.getFloat64(16, true), y: view.getFloat64(24, true), heading: view.getFloat64(32, true) };
  if (!Object.values(pose).every(Number.isFinite)) return null;
  return { kind: 'truth', robot, time_ns: view.getBigInt64(8, true), pose };
}

// Null: what cannot be; the JPEG itself is looked at by who shows it.
function decode_image(bytes: ArrayBuffer, robot: number): Frame | null {
  if (bytes.byteLength <= kImageSize) return null;
  const view = new DataView(bytes);
  const [x, y, z, roll, pitch, yaw, field_of_view, ...eye] = Array.from({ length: 11 }, (_, i) =>
    view.getFloat64(kHeaderSize + 8 + 8 * i, true),
  ) as [number, number, number, number, number, number, number, number, number, number, number];
  if (![x, y, z, roll, pitch, yaw, ...eye].every(Number.isFinite)) return null;
  if (!(field_of_view > 0 && field_of_view < Math.PI)) return null;
  const image: CameraImage = {
    taken_ns: view.getBigInt64(kHeaderSize, true),
    place: { x, y, z },
    attitude: { roll, pitch, yaw },
    field_of_view,
    eye: { x: eye[0], y: eye[1], z: eye[2], tilt: eye[3] },
    camera: view.getUint8(kImageSize - 1),
    width: view.getUint16(kImageSize - 5, true),
    height: view.getUint16(kImageSize - 3, true),
    jpeg: new Uint8Array(bytes, kImageSize),
  };
  return image.width === 0 || image.height === 0 ? null : { kind: 'image', robot, image };
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
  if (kind === 4) return decode_image(bytes, robot);
  if (kind !== 1) return null;
  const body = new Uint8Array(bytes, kHeaderSize);
  const report = decode_report(body);
  return report === null ? null : { kind: 'report', robot, robot_now_ns, body, report };
}
