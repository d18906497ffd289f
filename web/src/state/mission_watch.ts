// A mission that a robot has: whether it is the one that was made here, and how it is going.

import type { Upload } from '../link/messages';
import { kHold, type Action } from '../core/core';
import type { MissionStatus, Point, Pose } from '../link/protocol';
import { kTimed } from '../core/layout';
import { driving_at, nearest_on } from './mission';
import type { KnownMission, RobotState } from './session';

const kReach_s = 10; // of path around the time at which the robot should be there
const kAnswer_ms = 3000; // then an upload of before is taken for this one: the same mission has the same number

// A mission that was sent from this page.
export interface Brought {
  path: Float64Array; // kTimed
  actions: Action[];
  robot: number;
  sent_ms: number;
  before: string | null; // number of the upload before it
  number: string | null; // null: the program has not named it yet
}

// The program names an upload by its number when it has all of it.
export function take_upload(brought: Brought, upload: Upload | null, local_ms: number): void {
  if (brought.number !== null || upload === null) return;
  if (upload.mission !== brought.before || local_ms > brought.sent_ms + kAnswer_ms) brought.number = upload.mission;
}

// The upload that belongs to it; null: nothing is known of it yet.
export const upload_of = (brought: Brought | null, upload: Upload | null): Upload | null =>
  brought !== null && upload !== null && upload.mission === brought.number ? upload : null;

// The path of the mission that the robot reports: as it was fetched, or as it was sent from here. Null: not known yet.
export function path_of(
  status: MissionStatus | null,
  known: KnownMission | null,
  brought: Brought | null,
): Float64Array | null {
  if (status === null) return null;
  if (known?.number === status.mission) return known.path;
  return brought?.number === status.mission ? brought.path : null;
}

// The actions of that mission.
export function actions_of(
  status: MissionStatus | null,
  known: KnownMission | null,
  brought: Brought | null,
): readonly Action[] {
  if (status === null) return [];
  if (known?.number === status.mission) return known.actions;
  return brought?.number === status.mission ? brought.actions : [];
}

const kSameTime_s = 1.001e-3; // reports tell the time on the path in milliseconds

// What the robot is about where its path's clock stands, or what it was handed back for.
export function action_under_way({ state, departure, time_s }: MissionStatus, actions: readonly Action[]): string {
  if (state !== 'running' && departure !== 'action_failed' && departure !== 'action_not_done') return '';
  const found = actions.find((action) => Math.abs(action.time_s - time_s) < kSameTime_s);
  return found === undefined || found.name === kHold ? '' : found.name;
}

export const duration_of_path = (path: Float64Array): number => path[path.length - kTimed.size] ?? 0;

// How long ago the report was made from which the robot is predicted.
export function report_age_s({ report, now }: RobotState): number {
  if (report === null || now === null) return 0;
  return Math.max(0, now.robot_time_s - Number(report.time_ns / 1000n) / 1e6);
}

// How long the clock of its path has gone on since: not at all where it is about an action.
export const went_on_s = (robot: RobotState, action: string): number => (action === '' ? report_age_s(robot) : 0);

export interface Standing {
  time_s: number; // on the path
  off: number; // from the path; NaN: the path is not known here
}

export interface Progress {
  planned: { time_s: number; pose: Pose | null };
  predicted: Standing | null;
  reported: Standing;
}

// How a mission goes, `age_s` after the report that told of it. `path`: null where it is not known.
export function progress_of(
  status: MissionStatus,
  path: Float64Array | null,
  reported: Point,
  predicted: Point | null,
  age_s: number,
): Progress {
  const went_on_s = status.state === 'running' ? Math.max(0, age_s) : 0;
  const planned_s = Math.min(status.time_s + went_on_s, path === null ? Infinity : duration_of_path(path));
  const off_at = (place: Point, time_s: number): { time_s: number; off: number } =>
    (path === null ? null : nearest_on(path, place, time_s, kReach_s)) ?? { time_s, off: NaN };
  return {
    planned: { time_s: planned_s, pose: path === null ? null : (driving_at(path, planned_s)?.pose ?? null) },
    predicted: predicted === null || path === null ? null : off_at(predicted, planned_s),
    reported: { time_s: status.time_s, off: off_at(reported, status.time_s).off },
  };
}

const kDepartureWords: Record<MissionStatus['departure'], string> = {
  none: 'somebody took over',
  blocked: 'something is in its way',
  off_path: 'it is off its path',
  sensors_disagree: 'its sensors do not see the rehearsed world',
  calibration_drifted: 'its wheels are no longer what they were',
  action_failed: 'its action failed',
  action_not_done: 'its action was not done in time',
  held: 'it holds, as planned',
};

// `action`: what it is about; empty: it drives.
export function status_sentence({ state, departure }: MissionStatus, age_s: number, action = ''): string {
  const when = age_s > 2 ? ` It said so ${age_s.toFixed(0)} s ago.` : '';
  if (state === 'handed_back' && departure === 'held') {
    return `The robot holds, as planned, until it is told to go on.${when}`;
  }
  if (state === 'handed_back' && action !== '') {
    const ended = departure === 'action_failed' ? 'failed' : 'was not done in time';
    return `The robot stands and has handed back: its action “${action}” ${ended}.${when}`;
  }
  if (state === 'running' && action !== '') return `The robot stands and does “${action}”.${when}`;
  if (state === 'handed_back') return `The robot stands and has handed back: ${kDepartureWords[departure]}.${when}`;
  if (state === 'running') return `The robot is on its mission, link or no link.${when}`;
  return state === 'done' ? `The mission is done.${when}` : `The robot has the mission and waits for its start.${when}`;
}
