// What the page and the predicting worker say to each other.

import type { Attitude, Pose } from '../link/protocol';
import type { OwnCommand, ReadMission, World } from './core';

// One robot at one moment, as the core predicts it.
export interface RobotFrame {
  id: number;
  robot_time_ns: bigint;
  local_ms: number; // the page's clock for which it was asked
  predicted: Float64Array; // kPredicted
  shown: Float64Array; // kShown
  attitude: Attitude | null; // on rough ground, as the robot stands where it is shown
  seen: Float64Array; // kSeen
  stale: boolean;
  landing: Float64Array | null; // kLanding, and the way; null: no command is under way
}

export interface FrameRequest {
  id: number;
  robot_time_ns: bigint;
  frame_s: number;
  stood: { pose: Pose; attitude: Attitude } | null; // as it said last; null: it never did
}

export type Predictable = Omit<FrameRequest, 'frame_s'>;

export type ToWorker =
  | { type: 'start'; wasm_url: string }
  | { type: 'model'; robot: number; hash: string; bytes: ArrayBuffer }
  | { type: 'robots'; models: Map<number, string> } // all there are, with the models that they have now
  | { type: 'report'; robot: number; body: Uint8Array; each: boolean } // each: of a recording, none is left out
  | { type: 'forget'; robot: number } // all reports
  | { type: 'give'; robot: number; command: OwnCommand }
  | { type: 'settle'; robot: number; number: number; outcome: number } // kSettled
  | { type: 'frame'; local_ms: number; robots: FrameRequest[]; ahead_of: number | null }
  | { type: 'way'; robot: number; from: Pose; goal: { x: number; y: number }; with_values: boolean }
  | { type: 'beams'; robot: number; pose: Pose; robot_time_ns: bigint | null } // null: of the past, what was seen is not known
  | { type: 'mission'; robot: number; number: string; object: ArrayBuffer } // that its reports name
  | { type: 'check_place'; proposal: number; robot: number; x: number; y: number };

export type FromWorker =
  | { type: 'started' }
  | { type: 'failed'; reason: 'old_core' | 'core'; text: string }
  | { type: 'model_refused'; robot: number; hash: string; text: string }
  | { type: 'world'; robot: number; hash: string; world: World }
  | { type: 'frame'; frames: RobotFrame[]; ahead: { robot: number; points: Float64Array } | null }
  | { type: 'way'; robot: number; goal: { x: number; y: number }; values: Float32Array | null; path: Float64Array }
  | { type: 'beams'; robot: number; beams: Float64Array }
  | ({ type: 'mission'; robot: number; number: string } & ReadMission)
  | { type: 'place'; proposal: number; robot: number; x: number; y: number; refusal: string | null };
