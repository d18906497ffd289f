// The last minutes of one robot, in memory of fixed size: for trails, the strip chart and going back in time.

import { kRegion } from '../core/layout';
import type { Link } from '../link/messages';
import type { Attitude, Point, Pose, Report } from '../link/protocol';
import type { Seen } from './seen';

// Where the robot is with some probability.
export interface Region {
  radius: number; // of the disc with the area in which its middle is [m]
  outline: Float32Array; // of where its body may be: closed lines, x y each, with NaN between two of them
}

// What was known, and shown, at one moment. Null: unknown then.
export interface Moment {
  time_s: number; // page's clock
  robot_time_s: number; // robot's clock, from wherever it began
  predicted: Pose | null;
  attitude: Attitude | null; // of the predicted robot on rough ground; of the past as reported
  presence: number;
  reported: Pose | null;
  extrapolated: Pose | null;
  truth: Pose | null;
  in50: Region | null;
  in95: Region | null;
  target: Point | null;
  goal: Point | null;
  gap: number; // since the report [s]
  error: number; // of the prediction [m]; NaN: unknown
  error_extrapolated: number;
  ahead: Float32Array; // x y each, at most kAheadPoints
  age: number; // of the newest packet [s]; NaN: none came yet
  speed: number; // predicted
  task: number; // predicted, an index of kTasks
  link: Link | null; // as the program told it
  report: Report | null; // the newest one then
  seen: Seen | null; // where the world was not as its model says
}

export const kAheadPoints = 24;

const kPoses = ['predicted', 'reported', 'extrapolated', 'truth'] as const;
const kRegions = ['in50', 'in95'] as const;
const kPoints = ['target', 'goal'] as const;
const kScalars = ['presence', 'gap', 'error', 'error_extrapolated', 'age', 'speed', 'task'] as const;

type PoseName = (typeof kPoses)[number];
type ScalarName = (typeof kScalars)[number];

const kRegionsAt = 3 * kPoses.length;
const kPointsAt = kRegionsAt + kRegion.size * kRegions.length;
const kScalarsAt = kPointsAt + 2 * kPoints.length;
const kAheadAt = kScalarsAt + kScalars.length;
const kRow = kAheadAt + 2 * kAheadPoints;
const kApart_s = 0.5; // moments further apart have nothing between them
const kReach_s = 0.25; // a report may be so much newer than the newest moment
const kJump = 0.5; // [m] neither have places further apart: it was put there

// Without the places after the last line.
export function trimmed(outline: Float32Array): Float32Array {
  let end = outline.length;
  while (end > 0 && Number.isNaN(outline[end - 1]!)) --end;
  return outline.slice(0, end);
}

// Each line of an outline: x y x y …
export function rings_of(outline: Float32Array): Float32Array[] {
  const rings: Float32Array[] = [];
  let begin = 0;
  for (let i = 0; i <= outline.length; i += 2) {
    if (i < outline.length && !Number.isNaN(outline[i]!)) continue;
    if (i > begin) rings.push(outline.subarray(begin, i));
    begin = i + 2;
  }
  return rings;
}

const turn_between = (from: number, to: number): number => Math.atan2(Math.sin(to - from), Math.cos(to - from));

const is_jump = (from: Point, to: Point): boolean => Math.hypot(to.x - from.x, to.y - from.y) > kJump;

export class History {
  private readonly times_: Float64Array;
  private readonly robot_times_: Float64Array;
  private readonly rows_: Float32Array;
  private readonly links_: (Link | null)[]; // many moments share one
  private readonly reports_: (Report | null)[];
  private readonly seen_: (Seen | null)[];
  private first_ = 0; // counts all moments ever written
  private end_ = 0;

  constructor(
    private readonly capacity_: number,
    private readonly step_s_: number,
  ) {
    this.times_ = new Float64Array(capacity_);
    this.robot_times_ = new Float64Array(capacity_);
    this.rows_ = new Float32Array(capacity_ * kRow);
    this.links_ = new Array<Link | null>(capacity_).fill(null);
    this.reports_ = new Array<Report | null>(capacity_).fill(null);
    this.seen_ = new Array<Seen | null>(capacity_).fill(null);
  }

  get first(): number {
    return this.first_;
  }
  get end(): number {
    return this.end_;
  }
  get oldest_s(): number {
    return this.end_ === this.first_ ? NaN : this.time(this.first_);
  }
  get newest_s(): number {
    return this.end_ === this.first_ ? NaN : this.time(this.end_ - 1);
  }

  // Keeps the moment, unless one was kept less than a step ago.
  push(moment: Moment): void {
    if (this.end_ > this.first_ && moment.time_s < this.newest_s + 0.95 * this.step_s_) return;
    const slot = this.end_ % this.capacity_;
    this.times_[slot] = moment.time_s;
    this.robot_times_[slot] = moment.robot_time_s;
    this.links_[slot] = moment.link;
    this.reports_[slot] = moment.report;
    this.seen_[slot] = moment.seen;
    this.write(moment, slot * kRow);
    ++this.end_;
    this.first_ = Math.max(this.first_, this.end_ - this.capacity_);
  }

  time(index: number): number {
    return this.times_[index % this.capacity_]!;
  }
  scalar(index: number, name: ScalarName): number {
    return this.rows_[(index % this.capacity_) * kRow + kScalarsAt + kScalars.indexOf(name)]!;
  }
  pose(index: number, name: PoseName): Pose | null {
    return this.read_pose((index % this.capacity_) * kRow + 3 * kPoses.indexOf(name));
  }

  // The newest moment not after this time of the page's clock; -1 when there is none.
  find(time_s: number): number {
    return this.search(this.times_, time_s);
  }
  // Where it was predicted to be at this time of the robot's clock; null when nothing was shown then. A little after
  // the newest moment it goes on as before: over a quick link, reports are newer than what was kept.
  predicted_at(robot_time_s: number): Pose | null {
    const index = this.search(this.robot_times_, robot_time_s);
    if (index < 0) return null;
    const from = this.robot_times_[index % this.capacity_]!;
    if (index + 1 >= this.end_) return robot_time_s - from > kReach_s ? null : this.carried_on(index, robot_time_s);
    const to = this.robot_times_[(index + 1) % this.capacity_]!;
    if (to - from > kApart_s || to <= from) return null;
    const share = (robot_time_s - from) / (to - from);
    return this.between(this.pose(index, 'predicted'), this.pose(index + 1, 'predicted'), share);
  }

  // What was shown at this time of the page's clock, smoothly between two moments.
  at(time_s: number): Moment | null {
    const index = this.find(time_s);
    if (index < 0) return this.end_ > this.first_ ? this.moment(this.first_) : null;
    const moment = this.moment(index);
    if (index + 1 >= this.end_) return moment;
    const apart_s = this.time(index + 1) - moment.time_s;
    if (apart_s > kApart_s) return moment;
    const share = (time_s - moment.time_s) / apart_s;
    for (const name of kPoses) moment[name] = this.between(moment[name], this.pose(index + 1, name), share);
    return moment;
  }

  private carried_on(index: number, robot_time_s: number): Pose | null {
    const newest = this.pose(index, 'predicted');
    if (index === this.first_) return newest;
    const before_s = this.robot_times_[(index - 1) % this.capacity_]!;
    const step_s = this.robot_times_[index % this.capacity_]! - before_s;
    const before = this.pose(index - 1, 'predicted');
    if (newest === null || before === null || is_jump(before, newest)) return newest;
    if (step_s > kApart_s || step_s <= 0) return newest;
    return this.between(before, newest, (robot_time_s - before_s) / step_s);
  }

  private between(from: Pose | null, to: Pose | null, share: number): Pose | null {
    if (from === null || to === null) return from;
    if (is_jump(from, to)) return from;
    return {
      x: from.x + share * (to.x - from.x),
      y: from.y + share * (to.y - from.y),
      heading: from.heading + share * turn_between(from.heading, to.heading),
    };
  }

  private search(times: Float64Array, time_s: number): number {
    let low = this.first_;
    let high = this.end_; // the first one that is later is in [low, high]
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (times[middle % this.capacity_]! <= time_s) low = middle + 1;
      else high = middle;
    }
    return low > this.first_ ? low - 1 : -1;
  }

  private write(moment: Moment, at: number): void {
    const rows = this.rows_;
    rows.fill(NaN, at, at + kRow);
    kPoses.forEach((name, i) => {
      const pose = moment[name];
      if (pose !== null) rows.set([pose.x, pose.y, pose.heading], at + 3 * i);
    });
    kRegions.forEach((name, i) => {
      const region = moment[name];
      if (region === null) return;
      const begin = at + kRegionsAt + kRegion.size * i;
      rows[begin + kRegion.radius] = region.radius;
      rows.set(region.outline, begin + kRegion.outline);
    });
    kPoints.forEach((name, i) => {
      const point = moment[name];
      if (point !== null) rows.set([point.x, point.y], at + kPointsAt + 2 * i);
    });
    kScalars.forEach((name, i) => (rows[at + kScalarsAt + i] = moment[name]));
    rows.set(moment.ahead.subarray(0, 2 * kAheadPoints), at + kAheadAt);
  }

  private moment(index: number): Moment {
    const slot = index % this.capacity_;
    const at = slot * kRow;
    const scalar = (i: number): number => this.rows_[at + kScalarsAt + i]!;
    const ahead = this.rows_.slice(at + kAheadAt, at + kRow);
    const n_ahead = ahead.findIndex(Number.isNaN);
    return {
      time_s: this.times_[slot]!,
      robot_time_s: this.robot_times_[slot]!,
      predicted: this.read_pose(at),
      attitude: this.reports_[slot]?.posture ?? null,
      reported: this.read_pose(at + 3),
      extrapolated: this.read_pose(at + 6),
      truth: this.read_pose(at + 9),
      in50: this.read_region(at + kRegionsAt),
      in95: this.read_region(at + kRegionsAt + kRegion.size),
      target: this.read_point(at + kPointsAt),
      goal: this.read_point(at + kPointsAt + 2),
      presence: scalar(0),
      gap: scalar(1),
      error: scalar(2),
      error_extrapolated: scalar(3),
      age: scalar(4),
      speed: scalar(5),
      task: scalar(6),
      link: this.links_[slot]!,
      report: this.reports_[slot]!,
      seen: this.seen_[slot]!,
      ahead: n_ahead < 0 ? ahead : ahead.slice(0, n_ahead),
    };
  }

  private read_pose(at: number): Pose | null {
    const x = this.rows_[at]!;
    return Number.isNaN(x) ? null : { x, y: this.rows_[at + 1]!, heading: this.rows_[at + 2]! };
  }
  private read_region(at: number): Region | null {
    const radius = this.rows_[at + kRegion.radius]!;
    return Number.isNaN(radius) ? null : { radius, outline: trimmed(this.rows_.subarray(at + kRegion.outline, at + kRegion.size)) };
  }
  private read_point(at: number): Point | null {
    const x = this.rows_[at]!;
    return Number.isNaN(x) ? null : { x, y: this.rows_[at + 1]! };
  }
}
