// What is to be drawn: the robots at one moment, live or in the past. Made from the session; the views only read it.

import { kPredicted } from '../core/layout';
import type { World } from '../core/core';
import type { Point, Pose } from '../link/protocol';
import type { History, Moment } from '../state/history';
import { is_pending } from '../state/goal_progress';
import { selected_robot, type Landing, type RobotState, type Session } from '../state/session';
import type { MissionPicture } from './mission_picture';

export const kLayers = ['region', 'ahead', 'trails', 'extrapolated', 'truth', 'seen', 'scan', 'beams', 'values'] as const;
export type Layer = (typeof kLayers)[number];
export type Layers = Record<Layer, boolean>;

export interface RobotPicture {
  id: number;
  name: string;
  selected: boolean;
  world: World | null; // with its own body
  moment: Moment;
}

export interface Picture {
  world: World | null;
  world_key: string; // changes with the world
  robots: RobotPicture[]; // all in this world
  subject: RobotPicture | null; // the selected one
  landing: Landing | null; // of the subject: when the newest command gets there
  ahead: Float32Array | Float64Array; // of the subject …
  ahead_stride: number; // … with so many numbers each point, x and y first
  path: Float64Array; // planned, x y each: the robot's own where it says one
  values: Float32Array | null; // of the subject's goal at this moment
  beams: Float64Array | null;
  wanted: Point | null; // a goal that was sent and is not the robot's yet
  history: History | null;
  live: boolean; // a recording never is
  time_s: number;
  layers: Layers;
  without: boolean; // side by side with what there would be without Forerun
  mission: MissionPicture | null; // null: nobody makes or watches one
}

const kLongestStep_s = 0.1; // a frame older than this is drawn as it is
const kNothing = new Float64Array();

// The frame as it is a little later: the worker's answer is one display frame old.
function carry_on(robot: RobotState, moment: Moment, local_ms: number): Moment {
  const { frame } = robot;
  if (frame === null || moment.predicted === null) return moment;
  const step_s = Math.min(kLongestStep_s, Math.max(0, (local_ms - frame.local_ms) / 1000));
  const speed = frame.predicted[kPredicted.speed]!;
  const side_speed = frame.predicted[kPredicted.side_speed]!;
  const { x, y, heading } = moment.predicted;
  const predicted: Pose = {
    x: x + step_s * (speed * Math.cos(heading) - side_speed * Math.sin(heading)),
    y: y + step_s * (speed * Math.sin(heading) + side_speed * Math.cos(heading)),
    heading: heading + step_s * frame.predicted[kPredicted.turn_rate]!,
  };
  return { ...moment, predicted };
}

function moment_of(robot: RobotState, back_to_s: number | null, local_ms: number): Moment | null {
  if (back_to_s !== null) return robot.history.at(back_to_s);
  return robot.now === null ? null : carry_on(robot, robot.now, local_ms);
}

// History keeps goals in single precision.
export function is_way_to(robot: RobotState | null, goal: Point): boolean {
  const to = robot?.way?.goal;
  return to !== undefined && Math.hypot(to.x - goal.x, to.y - goal.y) < 1e-3;
}

// In one world: of one name and with the same walls. Names alone do not tell, many a site has an "office".
export function is_beside(robot: RobotState, chosen: RobotState): boolean {
  if (robot === chosen) return true;
  return robot.info.world === chosen.info.world && robot.world !== null && robot.world.key === chosen.world?.key;
}

// back_to_s: the page's time to look at; null: live.
export function make_picture(
  session: Session,
  layers: Layers,
  without: boolean,
  back_to_s: number | null,
  local_ms: number,
): Picture {
  const chosen = selected_robot(session);
  const robots: RobotPicture[] = [];
  for (const robot of session.robots.values()) {
    if (chosen === null || !is_beside(robot, chosen)) continue;
    const moment = moment_of(robot, back_to_s, local_ms);
    if (moment === null) continue;
    const { info, world } = robot;
    robots.push({ id: info.id, name: info.name, selected: robot === chosen, world, moment });
  }
  const subject = robots.find(({ selected }) => selected) ?? null;
  const live = back_to_s === null;
  const goal = subject?.moment.goal ?? null;
  const way = goal !== null && is_way_to(chosen, goal) ? chosen!.way : null;
  // a robot that says its plan knows better than our planner; of the past it is not kept
  const told = chosen?.planned_path ?? null;
  const path = told === null ? way?.path : live ? told : null;
  const progress = chosen?.progress ?? null;
  return {
    world: chosen?.world ?? null,
    world_key: chosen?.info.model ?? '',
    robots,
    subject,
    landing: live && session.replay === null ? (chosen?.landing ?? null) : null,
    ahead: live ? (chosen?.ahead ?? kNothing) : (subject?.moment.ahead ?? kNothing),
    ahead_stride: live ? 3 : 2,
    path: path ?? kNothing,
    values: way?.values ?? null,
    beams: chosen?.beams ?? null,
    wanted: live && progress !== null && is_pending(progress) ? progress.place : null,
    history: chosen?.history ?? null,
    live: live && session.mode !== 'replay',
    time_s: back_to_s ?? local_ms / 1000,
    layers,
    without,
    mission: null,
  };
}
