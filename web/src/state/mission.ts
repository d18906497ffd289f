// A mission as the operator makes it: what was tried out, what is cut of it, what came of it, and what the robot makes
// of it. One plain object; the panel changes it, the views only read it.

import { kCut, kPhantom, kTimed, kTrial, kTried, kUncut } from '../core/layout';
import type { Action } from '../core/core';
import type { FromRehearsal, Step } from '../core/rehearsal_messages';
import type { Point, Pose } from '../link/protocol';

export const kStages = ['try_out', 'trim', 'preview', 'upload', 'watch'] as const;
export type Stage = (typeof kStages)[number];

// As the core numbers them.
export const kCutKinds = ['bump and back up', 'back and forth', 'loop', 'standing'] as const;
export const kUncutReasons = ['too long', 'in a protected place', 'a waypoint'] as const;

export interface Redundancy {
  bump_m: number;
  back_and_forth_m: number;
  loop_m: number;
  dwell_s: number;
}

export interface KeptPlace extends Point {
  id: number;
  radius: number;
}

export interface Cut {
  kind: (typeof kCutKinds)[number];
  from: number; // points of what was tried out
  to: number;
  from_s: number;
  length: number;
  duration_s: number;
  applied: boolean;
}

export interface Uncut {
  kind: (typeof kCutKinds)[number];
  why: (typeof kUncutReasons)[number];
  from: number;
  to: number;
  length: number;
}

export interface Rehearsed {
  path: Float64Array; // kTimed
  trial: Float64Array; // kTrial
  actions: Action[];
}

export interface Mission {
  stage: Stage;
  by_hand: boolean; // how it is tried out
  start: Pose | null; // null: nobody has begun
  steps: Step[];
  n_driven: number; // of the steps
  phantom: Float64Array | null; // kPhantom
  phantom_ms: number; // when that was heard
  tried: number[]; // kTried each
  resting: boolean; // the phantom stands, and all steps are driven
  redundancy: Redundancy;
  kept: KeptPlace[];
  cuts: Cut[] | null; // null: not looked for since the path changed
  uncut: Uncut[];
  rehearsed: Rehearsed | null; // of these cuts
  computing: boolean;
  problem: string; // why something was refused; empty: nothing was
  name: string;
  preview_s: number;
  playing: boolean;
  pointed_at: number | null; // a cut that somebody looks at
  revision: number; // grows with every change of the path or its cuts: answers to older questions do not count
  next_id: number;
}

export function make_mission(): Mission {
  return {
    stage: 'try_out',
    by_hand: false,
    start: null,
    steps: [],
    n_driven: 0,
    phantom: null,
    phantom_ms: 0,
    tried: [],
    resting: true,
    redundancy: { bump_m: 3, back_and_forth_m: 3, loop_m: 3, dwell_s: 5 },
    kept: [],
    cuts: null,
    uncut: [],
    rehearsed: null,
    computing: false,
    problem: '',
    name: 'round-1',
    preview_s: 0,
    playing: false,
    pointed_at: null,
    revision: 0,
    next_id: 1,
  };
}

// What was found out does not hold any more.
export function change(mission: Mission, what: 'path' | 'cuts'): void {
  ++mission.revision;
  mission.rehearsed = null;
  mission.computing = false;
  mission.problem = '';
  mission.playing = false;
  mission.preview_s = 0;
  mission.pointed_at = null;
  if (what === 'path') {
    mission.cuts = null;
    mission.uncut = [];
  }
}

// Whether there is something to do at a stage.
export function may_enter(mission: Mission, stage: Stage): boolean {
  if (stage === 'try_out' || stage === 'watch') return true;
  if (stage === 'upload') return mission.rehearsed !== null;
  return mission.resting && mission.steps.length > 0 && mission.n_driven === mission.steps.length;
}

// As the core takes them.
export const redundancy_numbers = ({ redundancy: r, kept }: Mission): number[] => [
  r.bump_m,
  r.back_and_forth_m,
  r.loop_m,
  r.dwell_s,
  ...kept.flatMap(({ x, y, radius }) => [x, y, radius]),
];

const rows_of = (numbers: Float64Array, size: number): Float64Array[] =>
  Array.from({ length: numbers.length / size }, (_, i) => numbers.subarray(i * size, (i + 1) * size));

function take_phantom(mission: Mission, message: Extract<FromRehearsal, { type: 'phantom' }>, local_ms: number): void {
  mission.phantom = message.state;
  mission.phantom_ms = local_ms;
  mission.tried.length = message.from * kTried.size;
  for (const number of message.tried) mission.tried.push(number);
  mission.n_driven = message.n_steps;
  mission.resting = message.resting;
}

function take_cuts(mission: Mission, cuts: Float64Array, uncut: Float64Array): void {
  mission.cuts = rows_of(cuts, kCut.size).map((row) => ({
    kind: kCutKinds[row[kCut.kind]!]!,
    from: row[kCut.from]!,
    to: row[kCut.to]!,
    from_s: row[kCut.from_time]!,
    length: row[kCut.length]!,
    duration_s: row[kCut.duration]!,
    applied: row[kCut.applied] === 1,
  }));
  mission.uncut = rows_of(uncut, kUncut.size).map((row) => ({
    kind: kCutKinds[row[kUncut.kind]!]!,
    why: kUncutReasons[row[kUncut.why]!]!,
    from: row[kUncut.from]!,
    to: row[kUncut.to]!,
    length: row[kUncut.length]!,
  }));
}

// A step that cannot be driven goes, and what follows from it stays as it is: the operator sees what is missing.
function take_refusal(mission: Mission, { step, text }: Extract<FromRehearsal, { type: 'refused' }>): void {
  mission.computing = false;
  if (step !== null) {
    mission.steps = mission.steps.filter(({ id }) => id !== step);
    mission.resting = false;
  }
  mission.problem = text;
}

// True: the steps have changed by it, and must be driven anew.
export function take_from_rehearsal(mission: Mission, message: FromRehearsal, local_ms: number): boolean {
  if (message.type === 'phantom') {
    take_phantom(mission, message, local_ms);
    return false;
  }
  // opening and driving by hand belong to no revision
  const always = message.type === 'refused' && (message.what === 'open' || message.what === 'drive');
  if (message.revision !== mission.revision && !always) return false;
  if (message.type === 'cuts') take_cuts(mission, message.cuts, message.uncut);
  if (message.type === 'mission') {
    mission.computing = false;
    mission.rehearsed = { path: message.path, trial: message.trial, actions: message.actions };
  }
  if (message.type === 'refused') {
    take_refusal(mission, message);
    return message.step !== null;
  }
  return false;
}

// -- what is shown of it ---------------------------------------------------------------------------------------------

// What the core takes as the name of an action; no spaces: the space bar stops the robot.
const kLongestAction = 32;
export const action_name = (typed: string): string =>
  typed.trim().replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, kLongestAction);

// A contact of the try-out, where it began.
export interface Contact extends Point {
  at: number; // point of what was tried out
  time_s: number;
}

export function contacts_of(tried: readonly number[]): Contact[] {
  const contacts: Contact[] = [];
  for (let at = 0; at * kTried.size < tried.length; ++at) {
    const row = at * kTried.size;
    if (tried[row + kTried.touched] !== 1) continue;
    contacts.push({ at, time_s: tried[row + kTried.time]!, x: tried[row + kTried.x]!, y: tried[row + kTried.y]! });
  }
  return contacts;
}

const kLongest_s = 0.15; // the phantom is drawn on for so long after it was last heard of

export interface Driving {
  pose: Pose;
  speed: number;
  turn_rate: number;
  clearance: number;
}

// Where a mission is at this time, between two points of its path.
export function driving_at(path: Float64Array, time_s: number): Driving | null {
  const n = path.length / kTimed.size;
  if (n === 0) return null;
  let [low, high] = [0, n - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (path[middle * kTimed.size + kTimed.time]! <= time_s) low = middle;
    else high = middle;
  }
  const [a, b] = [low * kTimed.size, high * kTimed.size];
  const span = path[b]! - path[a]!;
  const share = span > 0 ? Math.max(0, Math.min(1, (time_s - path[a]!) / span)) : 0;
  const between = (at: number): number => path[a + at]! + share * (path[b + at]! - path[a + at]!);
  return {
    pose: { x: between(kTimed.x), y: between(kTimed.y), heading: between(kTimed.heading) },
    speed: between(kTimed.speed),
    turn_rate: between(kTimed.turn_rate),
    clearance: between(kTimed.clearance),
  };
}

// The place of a path that is nearest, looked for within `reach_s` of a time; the whole path where that is infinite.
export function nearest_on(
  path: Float64Array,
  place: Point,
  around_s = 0,
  reach_s = Infinity,
): { time_s: number; off: number } | null {
  let best: { time_s: number; off: number } | null = null;
  for (let at = 0; at < path.length; at += kTimed.size) {
    if (Math.abs(path[at]! - around_s) > reach_s) continue;
    const off = Math.hypot(path[at + kTimed.x]! - place.x, path[at + kTimed.y]! - place.y);
    if (best === null || off < best.off) best = { time_s: path[at]!, off };
  }
  return best;
}

export const duration_of = ({ rehearsed }: Mission): number => rehearsed?.trial[kTrial.duration] ?? 0;

// The phantom: where it is driven to, or where the preview is.
export function phantom_pose(mission: Mission, local_ms: number): Pose | null {
  if (mission.rehearsed !== null && mission.stage !== 'try_out' && mission.stage !== 'trim') {
    return driving_at(mission.rehearsed.path, mission.preview_s)?.pose ?? null;
  }
  const { phantom } = mission;
  if (phantom === null) return mission.start;
  const [x, y, heading] = [phantom[kPhantom.x]!, phantom[kPhantom.y]!, phantom[kPhantom.heading]!];
  if (mission.resting) return { x, y, heading };
  // it is heard of twenty times a second, and drawn more often
  const step_s = Math.min(kLongest_s, Math.max(0, (local_ms - mission.phantom_ms) / 1000));
  const along = phantom[kPhantom.speed]! * step_s;
  return {
    x: x + along * Math.cos(heading),
    y: y + along * Math.sin(heading),
    heading: heading + phantom[kPhantom.turn_rate]! * step_s,
  };
}
