// All that the page knows, as one plain object, and how messages and frames change it. The views only read it.

import { kBody, kLanding, kPredicted, kRegion, kShown } from '../core/layout';
import type { ReadMission, World } from '../core/core';
import type { Predictable, RobotFrame } from '../core/worker_messages';
import { RobotClock } from '../link/clock';
import type { ConnectionState } from '../link/connection';
import type { Demo, Hello, Link, Mode, Outcome, Replay, RobotInfo } from '../link/messages';
import type { CameraImage, FoundResponse, Point, Pose, Report } from '../link/protocol';
import { take_goal_outcome, take_goal_report, type GoalProgress } from './goal_progress';
import { History, kAheadPoints, trimmed, type Moment, type Region } from './history';
import { take_seen } from './seen';

const kHistory_s = 300;
const kHistoryStep_s = 0.1;
const kReportedOff = 0.15; // [m] a robot that drives on has left its goal by so much in the next report
const kTruthReach_s = 0.3; // the truth is drawn on from its last two places for so long
const kNoAhead = new Float32Array();

interface Truth {
  time_ns: bigint;
  pose: Pose;
}

// Where the robot will be when what is done now gets to it.
export interface Landing {
  after_s: number; // so much later
  pose: Pose;
  rest: Pose | null; // where it would come to rest, were it let go of now; null: it goes to a goal
  contact: Pose | null; // where something is in its way
  way: Float64Array; // there and on, x y heading each
}

export interface KnownMission extends ReadMission {
  number: string; // 16 hex digits
}

export interface RobotState {
  info: RobotInfo;
  clock: RobotClock;
  world: World | null; // null: not loaded
  problem: string | null; // why it cannot be
  link: Link | null;
  link_at_ms: number;
  report: Report | null;
  planned_path: Float64Array | null; // as the robot said it last, x y each; null: it never did
  response: FoundResponse | null; // as the robot said it last; null: it never did
  error_at_report: number; // how far off the prediction was when the newest report came [m]; NaN: unknown
  truth: Truth[]; // the newest two
  frame: RobotFrame | null;
  landing: Landing | null; // null: no command is under way
  ahead: Float64Array; // x y heading each
  ahead_kept: Float32Array; // x y each, what is remembered of it
  way: { goal: Point; path: Float64Array; values: Float32Array | null } | null;
  beams: Float64Array | null;
  images: Map<number, CameraImage>; // the newest of each of its cameras
  mission: KnownMission | null; // the one that it was brought last, once it is here
  now: Moment | null;
  history: History;
  outcomes: Outcome[]; // newest first
  progress: GoalProgress | null; // of the goal that was sent last from here
}

export interface Session {
  connection: ConnectionState;
  core: 'starting' | 'ready' | { failed: 'old_core' | 'core'; text: string };
  mode: Mode | null; // null: the program has not greeted yet
  version: string;
  robots: Map<number, RobotState>;
  selected: number | null;
  demo: Demo | null;
  replay: Replay | null; // null: no recording is played
  recorded_s: number; // when the recording begins, since 1970
}

export function make_session(): Session {
  return {
    connection: { kind: 'connecting' },
    core: 'starting',
    mode: null,
    version: '',
    robots: new Map(),
    selected: null,
    demo: null,
    replay: null,
    recorded_s: 0,
  };
}

function make_robot(info: RobotInfo): RobotState {
  return {
    info,
    clock: new RobotClock(),
    world: null,
    problem: null,
    link: null,
    link_at_ms: 0,
    report: null,
    planned_path: null,
    response: null,
    error_at_report: NaN,
    truth: [],
    frame: null,
    landing: null,
    ahead: new Float64Array(),
    ahead_kept: kNoAhead,
    way: null,
    beams: null,
    images: new Map(),
    mission: null,
    now: null,
    history: new History(kHistory_s / kHistoryStep_s, kHistoryStep_s),
    outcomes: [],
    progress: null,
  };
}

export const selected_robot = (session: Session): RobotState | null =>
  session.selected === null ? null : (session.robots.get(session.selected) ?? null);

// The robots of which enough is known to predict them, and what their clocks say at this time of the page.
export function predictable(session: Session, page_ms: number): Predictable[] {
  if (session.core !== 'ready') return [];
  const robots = [];
  for (const { info, world, report, clock } of session.robots.values()) {
    const robot_time_ns = clock.now(page_ms);
    if (world === null || report === null || robot_time_ns === null) continue;
    const upright = world.crawler !== null && report.posture?.standing === 'upright' ? report.posture : null;
    const stood = upright === null ? null : { pose: report.pose, attitude: upright };
    robots.push({ id: info.id, robot_time_ns, stood });
  }
  return robots;
}

// Robots of one make share its name: then their numbers tell them apart.
export function tell_apart(robots: RobotInfo[]): RobotInfo[] {
  const shared = (name: string): boolean => robots.filter((robot) => robot.name === name).length > 1;
  return robots.map((robot) => (shared(robot.name) ? { ...robot, name: `${robot.name} ${robot.id}` } : robot));
}

// Robots that were known keep what is known of them, unless that was of a recording. Gives those whose model must be
// loaded.
export function take_hello(session: Session, hello: Hello): RobotState[] {
  if (hello.mode !== 'replay' && session.replay !== null) {
    session.replay = null;
    session.robots = new Map();
  }
  const known = session.robots;
  session.mode = hello.mode;
  session.version = hello.version;
  session.recorded_s = hello.first_time_s;
  session.robots = new Map();
  const to_load: RobotState[] = [];
  for (const info of tell_apart(hello.robots)) {
    const before = known.get(info.id);
    const same = before !== undefined && (before.info.model === info.model || before.info.model === '');
    const robot = same ? before : make_robot(info);
    robot.info = info;
    session.robots.set(info.id, robot);
    if (robot.world === null && info.model !== '') to_load.push(robot);
  }
  if (session.selected === null || !session.robots.has(session.selected)) {
    session.selected = hello.robots[0]?.id ?? null;
  }
  return to_load;
}

// What was known of it does not hold any more; it is drawn where it was until more is known.
export function forget_robot(robot: RobotState): void {
  const { info, world, problem, now, mission } = robot;
  Object.assign(robot, make_robot(info), { world, problem, now, mission });
}

export function take_link(session: Session, link: Link, local_ms: number): void {
  const robot = session.robots.get(link.robot);
  if (robot === undefined) return;
  robot.link = link;
  robot.link_at_ms = local_ms;
}

// Each command once, as it stands now; the newest ones.
export function take_outcome(session: Session, outcome: Outcome, local_ms: number): void {
  const robot = session.robots.get(outcome.robot);
  // nobody wants to read of each push while somebody drives
  if (robot === undefined || outcome.command === 'drive') return;
  if (robot.progress !== null) {
    robot.progress = take_goal_outcome(robot.progress, outcome, robot.clock.now(local_ms));
  }
  const others = robot.outcomes.filter(({ number }) => number !== outcome.number);
  robot.outcomes = [outcome, ...others].sort((a, b) => b.number - a.number).slice(0, 4);
}

// Whether a report is new is for the core to say: one that comes once more changes nothing here.
export function take_report(robot: RobotState, report: Report): void {
  const predicted = robot.history.predicted_at(seconds_of(report.time_ns));
  robot.error_at_report = predicted === null ? NaN : distance(predicted, report.pose);
  // who was started anew has said nothing yet
  if (robot.report !== null && report.sequence < robot.report.sequence) robot.planned_path = robot.response = null;
  robot.report = report;
  if (report.response !== null) robot.response = report.response;
  if (report.planned_path !== null) robot.planned_path = report.planned_path;
  if (robot.progress !== null) robot.progress = take_goal_report(robot.progress, report, reached_within(robot));
}

const reached_within = ({ world }: RobotState): number => (world?.body[kBody.goal_tolerance] ?? 0.2) + kReportedOff;

export function take_truth(robot: RobotState, truth: Truth): void {
  const newest = robot.truth.at(-1);
  // started anew
  if (newest !== undefined && truth.time_ns <= newest.time_ns) robot.truth = [];
  robot.truth = [...robot.truth.slice(-1), truth];
}

// Age of the newest packet now; null: nothing came yet. A program that was started anew may know less than the page.
export function packet_age_s(robot: RobotState, local_ms: number): number | null {
  if (robot.link === null || robot.link.age_s === null) return robot.now?.gap ?? null;
  return robot.link.age_s + Math.max(0, local_ms - robot.link_at_ms) / 1000;
}

const seconds_of = (time_ns: bigint): number => Number(time_ns / 1000n) / 1e6;
export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const region_at = (numbers: Float64Array, at: number): Region => ({
  radius: numbers[at + kRegion.radius]!,
  outline: trimmed(Float32Array.from(numbers.subarray(at + kRegion.outline, at + kRegion.size))),
});
const pose_at = (numbers: Float64Array, at: number): Pose => ({
  x: numbers[at]!,
  y: numbers[at + 1]!,
  heading: numbers[at + 2]!,
});

// Where it truly is at this time, drawn on along its last step; null: unknown.
function truth_at(truth: Truth[], time_ns: bigint): Pose | null {
  const newest = truth.at(-1);
  if (newest === undefined) return null;
  const since_s = Number(time_ns - newest.time_ns) / 1e9;
  if (Math.abs(since_s) > 1 + kTruthReach_s) return null;
  const before = truth.length > 1 ? truth[0]! : newest;
  const step_s = Number(newest.time_ns - before.time_ns) / 1e9;
  if (step_s <= 0 || step_s > 1) return newest.pose;
  const share = Math.max(-1, Math.min(kTruthReach_s / step_s, since_s / step_s));
  const turn = newest.pose.heading - before.pose.heading;
  return {
    x: newest.pose.x + share * (newest.pose.x - before.pose.x),
    y: newest.pose.y + share * (newest.pose.y - before.pose.y),
    heading: newest.pose.heading + share * Math.atan2(Math.sin(turn), Math.cos(turn)),
  };
}

function thin_out(points: Float64Array): Float32Array {
  const n_points = points.length / 3;
  if (n_points === 0) return kNoAhead;
  const step = Math.max(1, Math.ceil(n_points / kAheadPoints));
  const kept = new Float32Array(2 * Math.ceil(n_points / step));
  for (let i = 0, at = 0; i < n_points; i += step) {
    kept[at++] = points[3 * i]!;
    kept[at++] = points[3 * i + 1]!;
  }
  return kept;
}

export function take_ahead(robot: RobotState, points: Float64Array): void {
  robot.ahead = points;
  robot.ahead_kept = thin_out(points);
}

function landing_of(numbers: Float64Array | null): Landing | null {
  if (numbers === null) return null;
  return {
    after_s: numbers[kLanding.after]!,
    pose: pose_at(numbers, kLanding.x),
    rest: numbers[kLanding.by_itself] === 1 ? null : pose_at(numbers, kLanding.rest_x),
    contact: numbers[kLanding.meets_wall] === 1 ? pose_at(numbers, kLanding.contact_x) : null,
    way: numbers.slice(kLanding.size),
  };
}

// Takes a frame of the core in: what is shown now, and what is remembered of it.
export function take_frame(robot: RobotState, frame: RobotFrame): void {
  const { predicted: numbers, shown } = frame;
  const extrapolated = pose_at(numbers, kPredicted.extrapolated);
  const truth = truth_at(robot.truth, frame.robot_time_ns);
  const predicted = pose_at(numbers, kPredicted.x);
  const target = { x: numbers[kPredicted.target_x]!, y: numbers[kPredicted.target_y]! };
  robot.frame = frame;
  robot.landing = landing_of(frame.landing);
  robot.now = {
    time_s: frame.local_ms / 1000,
    robot_time_s: seconds_of(frame.robot_time_ns),
    predicted: pose_at(shown, kShown.x),
    attitude: frame.attitude ?? robot.report?.posture ?? null,
    presence: shown[kShown.presence]!,
    reported: robot.report?.pose ?? null,
    extrapolated,
    truth,
    in50: region_at(numbers, kPredicted.in50),
    in95: region_at(numbers, kPredicted.in95),
    target: robot.report?.target != null ? target : null,
    goal: robot.report?.goal ?? null,
    gap: numbers[kPredicted.gap]!,
    error: truth !== null ? distance(predicted, truth) : robot.error_at_report,
    error_extrapolated: truth !== null ? distance(extrapolated, truth) : NaN,
    ahead: robot.ahead_kept,
    age: packet_age_s(robot, frame.local_ms) ?? NaN,
    speed: numbers[kPredicted.speed]!,
    task: numbers[kPredicted.task]!,
    link: robot.link,
    report: robot.report,
    seen: take_seen(robot.now?.seen ?? null, frame.seen),
  };
  robot.history.push(robot.now);
}
