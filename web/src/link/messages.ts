// The text messages of the WebSocket: JSON with a "type". What comes in is checked field by field.

import type { Flippers } from './protocol';

export type Mode = 'demo' | 'operate' | 'watch' | 'replay';
export type WarningKind = 'late' | 'stale' | 'down';
export type OutcomeState = 'sent' | 'confirmed' | 'refused' | 'failed';
export const kRealities = ['exact', 'noisy', 'mismatched', 'crowded'] as const;
export type Reality = (typeof kRealities)[number];

export interface RobotInfo {
  id: number;
  name: string;
  world: string;
  model: string; // 16 hex digits; empty: the program does not know it yet
  cameras: string[]; // whose images can be asked for
}

export interface Hello {
  type: 'hello';
  mode: Mode;
  robots: RobotInfo[];
  version: string;
  first_time_s: number; // when a recording begins, since 1970; of a simulation 0
}

export interface LinkWarning {
  kind: WarningKind;
  text: string;
}

// How far a mission that was uploaded from here has come.
export interface Upload {
  mission: string; // its number, 16 hex digits
  state: 'under_way' | 'taken' | 'refused';
  share: number; // of it that has arrived, 0 … 1
  why: string; // it was refused
}

export interface Link {
  type: 'link';
  robot: number;
  age_s: number | null; // null: nothing came yet
  loss: number | null;
  round_trip_s: number | null;
  clock_offset_s: number | null;
  clock_sigma_s: number | null;
  warnings: LinkWarning[];
  upload: Upload | null; // the newest one; null: there was none
}

export interface Outcome {
  type: 'outcome';
  robot: number;
  number: number;
  command: string; // which kind; empty: a message that was not understood
  state: OutcomeState;
  text: string;
}

export interface DemoSettings {
  loss: number;
  delay_s: number;
  interval_s: number;
  blackout: boolean;
  reality: Reality;
}

// From the smallest to the largest value that the program takes.
export interface Range {
  low: number;
  high: number;
}

// Settings with the ranges that the program's one list of them gives.
export interface Demo extends DemoSettings {
  type: 'demo';
  ranges: { loss: Range; delay_s: Range; interval_s: Range };
}

// Where a recording stands that is played.
export interface Replay {
  type: 'replay';
  at_s: number; // since its beginning
  duration_s: number;
  pace: number;
  paused: boolean;
  jump: number; // another one: what comes does not follow from what came before
}

export type Incoming = Hello | Link | Outcome | Replay | Demo;

export type Outgoing =
  | { type: 'goal'; robot: number; x: number; y: number }
  | { type: 'stop'; robot: number }
  | { type: 'cancel'; robot: number }
  // vy: to the left, of robots that can; flippers: where they go, without they stay
  | { type: 'drive'; robot: number; v: number; w: number; vy?: number; flippers?: Flippers }
  | { type: 'mission'; robot: number; part: number; of: number; bytes: string } // a piece of it, in base64
  | { type: 'start'; robot: number; mission: string } // its number, 16 hex digits
  | { type: 'look'; robot: number; cameras: number[] } // of which of its cameras images are wanted
  | ({ type: 'demo' } & Partial<DemoSettings>)
  | { type: 'replay'; at_s?: number; pace?: number; paused?: boolean };

const kPart = 4500; // [bytes] of a mission that fit into one message

// A mission in pieces, which the program puts together, signs, and brings to the robot.
export function mission_parts(robot: number, mission: Uint8Array): Outgoing[] {
  const of = Math.max(1, Math.ceil(mission.length / kPart));
  return Array.from({ length: of }, (_, part) => {
    const piece = mission.subarray(part * kPart, (part + 1) * kPart);
    return { type: 'mission', robot, part, of, bytes: btoa(String.fromCharCode(...piece)) };
  });
}

type Fields = Record<string, unknown>;

const number_or_null = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const text_of = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 500) : '');
const list_of = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
const one_of = <T extends string>(value: unknown, allowed: readonly T[]): T | null =>
  allowed.find((name) => name === value) ?? null;

// Of a model or a mission.
const is_number = (text: string): boolean => /^[0-9a-f]{16}$/i.test(text);

function read_hello(fields: Fields): Hello | null {
  const mode = one_of(fields.mode, ['demo', 'operate', 'watch', 'replay'] as const);
  if (mode === null) return null;
  const robots = list_of(fields.robots).flatMap((entry) => {
    const id = number_or_null(entry.id);
    if (id === null) return [];
    const model = is_number(text_of(entry.model)) ? text_of(entry.model) : '';
    const cameras = Array.isArray(entry.cameras) ? entry.cameras.map(text_of) : [];
    return [{ id, name: text_of(entry.name) || `robot ${id}`, world: text_of(entry.world), model, cameras }];
  });
  const first_time_s = number_or_null(fields.first_time_s) ?? 0;
  return { type: 'hello', mode, robots, version: text_of(fields.version), first_time_s };
}

function read_upload(value: unknown): Upload | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Fields;
  const state = one_of(fields.state, ['under_way', 'taken', 'refused'] as const);
  const mission = text_of(fields.mission);
  if (state === null || !is_number(mission)) return null;
  const share = Math.max(0, Math.min(1, number_or_null(fields.share) ?? 0));
  return { mission, state, share, why: text_of(fields.why) };
}

function read_link(fields: Fields): Link | null {
  const robot = number_or_null(fields.robot);
  if (robot === null) return null;
  const warnings = list_of(fields.warnings).flatMap((entry) => {
    const kind = one_of(entry.kind, ['late', 'stale', 'down'] as const);
    return kind === null ? [] : [{ kind, text: text_of(entry.text) }];
  });
  return {
    type: 'link',
    robot,
    age_s: number_or_null(fields.age_s),
    loss: number_or_null(fields.loss),
    round_trip_s: number_or_null(fields.round_trip_s),
    clock_offset_s: number_or_null(fields.clock_offset_s),
    clock_sigma_s: number_or_null(fields.clock_sigma_s),
    warnings,
    upload: read_upload(fields.upload),
  };
}

function read_outcome(fields: Fields): Outcome | null {
  const robot = number_or_null(fields.robot);
  const number = number_or_null(fields.number);
  const state = one_of(fields.state, ['sent', 'confirmed', 'refused', 'failed'] as const);
  if (robot === null || number === null || state === null) return null;
  return { type: 'outcome', robot, number, command: text_of(fields.command), state, text: text_of(fields.text) };
}

function read_range(value: unknown): Range | null {
  if (!Array.isArray(value)) return null;
  const [low, high] = [number_or_null(value[0]), number_or_null(value[1])];
  return low === null || high === null || low > high ? null : { low, high };
}

function read_ranges(value: unknown): Demo['ranges'] | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Fields;
  const [loss, delay_s, interval_s] = [fields.loss, fields.delay_s, fields.interval_s].map(read_range);
  return loss && delay_s && interval_s ? { loss, delay_s, interval_s } : null;
}

function read_demo(fields: Fields): Demo | null {
  const loss = number_or_null(fields.loss);
  const delay_s = number_or_null(fields.delay_s);
  const interval_s = number_or_null(fields.interval_s);
  const reality = one_of(fields.reality, kRealities);
  const ranges = read_ranges(fields.ranges);
  if (loss === null || delay_s === null || interval_s === null || reality === null || ranges === null) return null;
  return { type: 'demo', loss, delay_s, interval_s, blackout: fields.blackout === true, reality, ranges };
}

function read_replay(fields: Fields): Replay | null {
  const at_s = number_or_null(fields.at_s);
  const duration_s = number_or_null(fields.duration_s);
  const pace = number_or_null(fields.pace);
  const jump = number_or_null(fields.jump);
  if (at_s === null || duration_s === null || pace === null || jump === null) return null;
  return { type: 'replay', at_s, duration_s, pace, paused: fields.paused === true, jump };
}

// Null: not a message of this protocol, or one that this page does not know; it is skipped.
export function decode_message(text: string): Incoming | null {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof fields !== 'object' || fields === null) return null;
  const readers: Record<string, (fields: Fields) => Incoming | null> = {
    hello: read_hello,
    link: read_link,
    outcome: read_outcome,
    demo: read_demo,
    replay: read_replay,
  };
  const type = text_of((fields as Fields).type);
  return Object.hasOwn(readers, type) ? readers[type]!(fields as Fields) : null;
}
