// What is to be drawn of a mission that is being made or watched.

import { kTimed, kTrial, kTried } from '../core/layout';
import type { Action } from '../core/core';
import type { Step } from '../core/rehearsal_messages';
import type { Point, Pose } from '../link/protocol';
import {
  contacts_of,
  driving_at,
  phantom_pose,
  type Cut,
  type KeptPlace,
  type Mission,
  type Stage,
} from '../state/mission';

export interface MissionPicture {
  stage: Stage;
  phantom: Pose | null;
  start: Pose | null;
  waypoints: (Point & { words: string; action: string })[]; // one mark a place, with the numbers of all that lie there
  actions: (Point & { words: string })[]; // where it stands for something, where there are no waypoints
  contacts: readonly Point[]; // of the try-out, in the order of their numbers
  kept: readonly KeptPlace[];
  tried: Float32Array; // x y each
  left: Float32Array[]; // what is left of it when the cuts are made
  cut: { points: Float32Array; applied: boolean; pointed_at: boolean }[];
  path: Float32Array | null; // the mission, x y each
  nearest: (Point & { room: number }) | null; // where it comes nearest to anything
}

const kSamePlace = 0.15; // [m]
const kNothing: MissionPicture = {
  stage: 'watch',
  phantom: null,
  start: null,
  waypoints: [],
  actions: [],
  contacts: [],
  kept: [],
  tried: new Float32Array(),
  left: [],
  cut: [],
  path: null,
  nearest: null,
};

const slice = (tried: readonly number[], from: number, to: number): Float32Array => {
  const points = new Float32Array(2 * Math.max(0, to - from + 1));
  for (let i = 0; i < points.length / 2; ++i) {
    points[2 * i] = tried[(from + i) * kTried.size + kTried.x]!;
    points[2 * i + 1] = tried[(from + i) * kTried.size + kTried.y]!;
  }
  return points;
};

// The stretches between the cuts that are made.
export function left_of(
  n_points: number,
  cuts: readonly Pick<Cut, 'from' | 'to' | 'applied'>[],
): [number, number][] {
  const left: [number, number][] = [];
  let from = 0;
  for (const cut of cuts) {
    if (!cut.applied) continue;
    left.push([from, cut.from]);
    from = cut.to;
  }
  left.push([from, n_points - 1]);
  return left.filter(([a, b]) => b > a);
}

export function marks_of(steps: readonly Step[]): MissionPicture['waypoints'] {
  const marks: MissionPicture['waypoints'] = [];
  steps.forEach((step, i) => {
    if (step.kind !== 'waypoint') return;
    const same = marks.find(({ x, y }) => Math.hypot(x - step.x, y - step.y) < kSamePlace);
    if (same === undefined) {
      marks.push({ x: step.x, y: step.y, words: String(i + 1), action: step.action });
      return;
    }
    same.words += `, ${i + 1}`;
    same.action = [same.action, step.action].filter((name) => name !== '').join(', ');
  });
  return marks;
}

function path_of(numbers: Float64Array): Float32Array {
  const path = new Float32Array((2 * numbers.length) / kTimed.size);
  for (let i = 0; i < path.length / 2; ++i) {
    path[2 * i] = numbers[i * kTimed.size + kTimed.x]!;
    path[2 * i + 1] = numbers[i * kTimed.size + kTimed.y]!;
  }
  return path;
}

// One mark a place, with the names of all that is done there.
function places_of(path: Float64Array, actions: readonly Action[]): MissionPicture['actions'] {
  const places: MissionPicture['actions'] = [];
  for (const { time_s, name } of actions) {
    const at = driving_at(path, time_s);
    if (at === null) continue;
    const { x, y } = at.pose;
    const same = places.find((place) => Math.hypot(place.x - x, place.y - y) < kSamePlace);
    if (same === undefined) places.push({ x, y, words: name });
    else same.words += `, ${name}`;
  }
  return places;
}

// Made anew only where something has changed: the phantom moves far more often than the rest.
export class MissionPainter {
  private key_ = '';
  private still_: Omit<MissionPicture, 'phantom'> | null = null;
  private watched_: Float64Array | null = null;
  private watched_xy_: Float32Array | null = null;
  private watched_actions_: readonly Action[] | null = null;
  private places_: MissionPicture['actions'] = [];

  paint(mission: Mission, local_ms: number): MissionPicture {
    const { revision, tried, cuts, stage, rehearsed, pointed_at, steps, kept, start } = mission;
    const applied = cuts?.map((cut) => (cut.applied ? 1 : 0)).join('') ?? 'none';
    const places = [start, ...steps, ...kept].map((place) => JSON.stringify(place)).join();
    const key = [revision, tried.length, applied, stage, rehearsed !== null, pointed_at, places].join(' ');
    if (key !== this.key_ || this.still_ === null) this.still_ = this.paint_still(mission);
    this.key_ = key;
    return { ...this.still_, phantom: phantom_pose(mission, local_ms) };
  }

  // Only the mission that the robot has, and where it should be on it.
  watch(path: Float64Array | null, actions: readonly Action[], phantom: Pose | null): MissionPicture {
    if (path !== this.watched_ || actions !== this.watched_actions_) {
      this.watched_xy_ = path === null ? null : path_of(path);
      this.places_ = path === null ? [] : places_of(path, actions);
    }
    this.watched_ = path;
    this.watched_actions_ = actions;
    return { ...kNothing, path: this.watched_xy_, actions: this.places_, phantom };
  }

  private paint_still(mission: Mission): Omit<MissionPicture, 'phantom'> {
    const { stage, start, steps, kept, tried, cuts, rehearsed, pointed_at } = mission;
    const n_points = tried.length / kTried.size;
    const shown_cuts = (stage === 'trim' ? cuts : null) ?? [];
    const preview = stage === 'try_out' || stage === 'trim' ? null : rehearsed;
    const trial = preview?.trial;
    return {
      stage,
      start,
      waypoints: marks_of(steps),
      actions: [],
      contacts: stage === 'try_out' || stage === 'trim' ? contacts_of(tried) : [],
      kept: stage === 'trim' ? kept : [],
      tried: slice(tried, 0, n_points - 1),
      left: preview !== null ? [] : left_of(n_points, shown_cuts).map(([from, to]) => slice(tried, from, to)),
      cut: shown_cuts.map(({ from, to, applied }, i) => ({
        points: slice(tried, from, to),
        applied,
        pointed_at: i === pointed_at,
      })),
      path: preview === null ? null : path_of(preview.path),
      nearest:
        trial === undefined
          ? null
          : { x: trial[kTrial.nearest_x]!, y: trial[kTrial.nearest_y]!, room: trial[kTrial.min_clearance]! },
    };
  }
}
