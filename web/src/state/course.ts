// A training course with a clock. It is part of the world: the clock runs from when the robot leaves the floor that is
// made of "start" until it comes to the one that is made of "finish", by the robot's own clock.

import type { World } from '../core/core';
import type { Point, Report } from '../link/protocol';

export interface Course {
  start: Float64Array; // triangles in the plan view, x y each corner
  finish: Float64Array;
}

export interface CourseClock {
  state: 'away' | 'ready' | 'running' | 'done'; // away: not at the start yet
  began_s: number;
  now_s: number;
  falls: number; // how often the robot fell over on the way
  fallen: boolean;
}

export const make_clock = (): CourseClock => ({ state: 'away', began_s: 0, now_s: 0, falls: 0, fallen: false });

function floor_of({ triangles, material_names }: World, name: string): Float64Array {
  const corners: number[] = [];
  for (let at = 0; at < triangles.length; at += 10) {
    if (material_names[triangles[at + 9]!] !== name) continue;
    for (const corner of [0, 3, 6]) corners.push(triangles[at + corner]!, triangles[at + corner + 1]!);
  }
  return Float64Array.from(corners);
}

// Null: this world has none.
export function course_of(world: World): Course | null {
  const course = { start: floor_of(world, 'start'), finish: floor_of(world, 'finish') };
  return course.start.length > 0 && course.finish.length > 0 ? course : null;
}

export function is_on(triangles: Float64Array, { x, y }: Point): boolean {
  for (let at = 0; at < triangles.length; at += 6) {
    const side = (i: number): number => {
      const [from, to] = [at + 2 * i, at + 2 * ((i + 1) % 3)];
      const [ax, ay] = [triangles[from]!, triangles[from + 1]!];
      return (triangles[to]! - ax) * (y - ay) - (triangles[to + 1]! - ay) * (x - ax);
    };
    const [a, b, c] = [side(0), side(1), side(2)];
    if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) return true;
  }
  return false;
}

// With each report. Back at the start, it is ready for another run.
export function take_run(clock: CourseClock, course: Course, report: Report): CourseClock {
  const now_s = Number(report.time_ns / 1000n) / 1e6;
  const fallen = (report.posture?.standing ?? 'upright') !== 'upright';
  if (is_on(course.start, report.pose)) return { ...make_clock(), state: 'ready', began_s: now_s, now_s };
  if (clock.state === 'away' || clock.state === 'done') return clock;
  const began_s = clock.state === 'ready' ? clock.now_s : clock.began_s;
  const falls = clock.falls + (fallen && !clock.fallen ? 1 : 0);
  const state = is_on(course.finish, report.pose) ? 'done' : 'running';
  return { state, began_s, now_s, falls, fallen };
}
