// What the page and the rehearsing worker say to each other.

import type { Pose } from '../link/protocol';
import type { Action } from './core';

// How a try-out goes on, from rest to rest: to a waypoint, or the way that a hand once drove.
export type Step =
  | { kind: 'waypoint'; id: number; x: number; y: number; wait_s: number; action: string } // '': it does nothing
  | { kind: 'hand'; id: number };

export type ToRehearsal =
  | { type: 'open'; wasm_url: string; bytes: ArrayBuffer } // another model
  // What the try-out is to be. What is the same from its beginning on is not driven again.
  | { type: 'steps'; revision: number; start: Pose; steps: Step[] }
  | { type: 'drive'; id: number; v: number; w: number; step_s: number } // by hand, as part of the step of this number
  | { type: 'trim'; revision: number; redundancy: number[] }
  | { type: 'apply'; revision: number; cut: number; applied: boolean }
  | { type: 'compute'; revision: number }
  | { type: 'write'; revision: number; name: string } // a file
  | { type: 'pack'; revision: number; name: string }; // for the robot

export type FromRehearsal =
  | {
      type: 'phantom';
      state: Float64Array; // kPhantom
      tried: Float64Array; // the points of the path from number `from` on: kTried
      from: number;
      n_steps: number; // that are driven
      resting: boolean; // it stands, and all is done
      ended: number; // the step that a hand drove last and that has come to rest; 0: none
    }
  | { type: 'cuts'; revision: number; cuts: Float64Array; uncut: Float64Array }
  | { type: 'mission'; revision: number; path: Float64Array; trial: Float64Array; actions: Action[] }
  | { type: 'file'; revision: number; text: string }
  | { type: 'packed'; revision: number; mission: Uint8Array }
  // `step`: number of the one that cannot be driven
  | { type: 'refused'; what: ToRehearsal['type']; revision: number; step: number | null; text: string };
