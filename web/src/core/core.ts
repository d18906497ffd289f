// core.wasm with types: one instance, its models and predictors. Nothing here computes; the core does.

import { kApiVersion, kBeam, kBody, kCrawler, kDoor, kLanding, kPredicted, kSeen, kShown, kStatus, kTimed } from './layout';
import type { Attitude, Pose } from '../link/protocol';
import { world_key } from './world_key';

export type Handle = number;

// A command of the one who watches, at times of the robot's clock.
export interface OwnCommand {
  number: number; // by which its outcome is told; velocities in a row share one
  kind: number; // kCommand
  given_ns: bigint;
  effect_ns: bigint; // when it gets there
  numbers: number[]; // kGiven
}

export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  forerun_api_version(): number;
  forerun_allocate(size: number): number;
  forerun_free(at: number): void;
  forerun_numbers(): number;
  forerun_cells(): number;
  forerun_text(): number;
  forerun_text_size(): number;
  forerun_model_create(at: number, size: number): Handle;
  forerun_world_triangles(model: Handle): number;
  forerun_world_materials(model: Handle): number;
  forerun_material_name(model: Handle, index: number): number;
  forerun_world_doors(model: Handle): number;
  forerun_robot_corners(model: Handle): number;
  forerun_robot_body(model: Handle): number;
  forerun_robot_crawler(model: Handle): number;
  forerun_rest(model: Handle, x: number, y: number, heading: number, height: number): number;
  forerun_plan(model: Handle): number;
  forerun_check_place(model: Handle, x: number, y: number): number;
  forerun_value_function(model: Handle, x: number, y: number): number;
  forerun_plan_as_told(model: Handle, predictor: Handle): number;
  forerun_path_from(model: Handle, x: number, y: number): number;
  forerun_beams(model: Handle, x: number, y: number, heading: number): number;
  forerun_predictor_create(model: Handle): Handle;
  forerun_predictor_free(predictor: Handle): void;
  forerun_predictor_resync(predictor: Handle, at: number, size: number): number;
  forerun_predictor_advance(predictor: Handle, robot_time_ns: bigint): number;
  forerun_predictor_give(
    predictor: Handle,
    number: number,
    kind: number,
    given_ns: bigint,
    effect_ns: bigint,
    numbers: number,
  ): number;
  forerun_predictor_settle(predictor: Handle, number: number, outcome: number): number;
  forerun_predictor_landing(predictor: Handle): number;
  forerun_predictor_show(predictor: Handle, frame_s: number): number;
  forerun_predictor_show_anew(predictor: Handle): number;
  forerun_predictor_look_ahead(predictor: Handle, ahead_s: number, step_s: number): number;
  forerun_predictor_seen(predictor: Handle, robot_time_ns: bigint): number;
  forerun_predictor_beams(predictor: Handle, model: Handle, robot_time_ns: bigint, x: number, y: number, heading: number): number;
  forerun_predictor_mission(predictor: Handle, number: bigint, at: number, size: number): number;
}

export interface Plan {
  width: number;
  height: number;
  cell: number;
  low_x: number;
  low_y: number;
  clearance: Float32Array; // to the nearest obstacle; 0 where there is one or no floor
}

export interface World {
  key: string; // the same for all robots that are there, of whatever make
  triangles: Float64Array; // ax ay az bx by bz cx cy cz material, each
  materials: Float64Array; // red green blue, linear
  material_names: string[];
  doors: Float64Array; // kDoor
  corners: Float64Array; // x y; none: the robot is a disc
  body: Float64Array; // kBody
  crawler: Float64Array | null; // kCrawler; null: it has no tracks
  plan: Plan;
}

// What a robot does where it stands, at this time of its mission's path.
export interface Action {
  time_s: number;
  name: string;
}
export const kHold = 'hold'; // it waits for the operator

// "[[12.35,"photo"],…]"
export const parse_actions = (text: string): Action[] =>
  (JSON.parse(text) as [number, string][]).map(([time_s, name]) => ({ time_s, name }));

export interface ReadMission {
  path: Float64Array; // kTimed
  name: string;
  actions: Action[];
}

export class OldCore extends Error {}

export class Core {
  protected readonly api_: Exports;
  protected readonly u8_: Uint8Array;
  private readonly f64_: Float64Array;
  private readonly f32_: Float32Array;

  constructor(module: WebAssembly.Module) {
    const exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    const version = typeof exports.forerun_api_version === 'function' ? exports.forerun_api_version() : 0;
    if (version !== kApiVersion) throw new OldCore(`core.wasm speaks version ${version}, this page ${kApiVersion}`);
    exports._initialize();
    this.api_ = exports;
    // the memory never grows, so these views stay valid
    this.u8_ = new Uint8Array(exports.memory.buffer);
    this.f64_ = new Float64Array(exports.memory.buffer);
    this.f32_ = new Float32Array(exports.memory.buffer);
  }

  // Why the last call refused.
  text(): string {
    const at = this.api_.forerun_text();
    return new TextDecoder().decode(this.u8_.slice(at, at + this.api_.forerun_text_size()));
  }

  // Zero: refused.
  create_model(bytes: Uint8Array): Handle {
    return this.with_bytes(bytes, (at, size) => this.api_.forerun_model_create(at, size));
  }
  create_predictor(model: Handle): Handle {
    return this.api_.forerun_predictor_create(model);
  }
  // That much memory is left, in one piece.
  has_room(size: number): boolean {
    const at = this.api_.forerun_allocate(size);
    if (at !== 0) this.api_.forerun_free(at);
    return at !== 0;
  }
  free_predictor(predictor: Handle): void {
    this.api_.forerun_predictor_free(predictor);
  }

  world(model: Handle): World {
    const api = this.api_;
    const triangles = this.numbers(10 * api.forerun_world_triangles(model));
    const n_materials = api.forerun_world_materials(model);
    const materials = this.numbers(3 * n_materials);
    const material_names = Array.from({ length: n_materials }, (_, i) => {
      api.forerun_material_name(model, i);
      return this.text();
    });
    const doors = this.numbers(kDoor.size * api.forerun_world_doors(model));
    const corners = this.numbers(2 * api.forerun_robot_corners(model));
    api.forerun_robot_body(model);
    const body = this.numbers(kBody.size);
    const crawler = api.forerun_robot_crawler(model) > 0 ? this.numbers(kCrawler.size) : null;
    const key = world_key({ triangles, materials, doors });
    return { key, triangles, materials, material_names, doors, corners, body, crawler, plan: this.plan(model) };
  }

  // True, or the sentence that says why the robot cannot stand there.
  check_place(model: Handle, x: number, y: number): true | string {
    return this.api_.forerun_check_place(model, x, y) >= 0 ? true : this.text();
  }
  // Null: no way leads there.
  value_function(model: Handle, x: number, y: number): Float32Array | null {
    const n_cells = this.api_.forerun_value_function(model, x, y);
    return n_cells > 0 ? this.cells(n_cells) : null;
  }
  // From here on they lead through the world as the predictor's robot has told it; true: they are others now.
  plan_as_told(model: Handle, predictor: Handle): boolean {
    return this.api_.forerun_plan_as_told(model, predictor) > 0;
  }
  path_from(model: Handle, x: number, y: number): Float64Array {
    return this.numbers(2 * Math.max(0, this.api_.forerun_path_from(model, x, y)));
  }
  // How a robot with tracks rests there, whose frame was last known at this height; null: there is no ground.
  rest(model: Handle, { x, y, heading }: Pose, height: number): Attitude | null {
    if (this.api_.forerun_rest(model, x, y, heading, height) < 0) return null;
    const [at, roll, pitch] = this.numbers(3) as unknown as [number, number, number];
    return { height: at, roll, pitch };
  }
  beams(model: Handle, { x, y, heading }: Pose): Float64Array {
    return this.numbers(kBeam.size * Math.max(0, this.api_.forerun_beams(model, x, y, heading)));
  }
  // With what the robot has seen at this time in their way.
  beams_now(predictor: Handle, model: Handle, robot_time_ns: bigint, { x, y, heading }: Pose): Float64Array {
    const n_beams = this.api_.forerun_predictor_beams(predictor, model, robot_time_ns, x, y, heading);
    return this.numbers(kBeam.size * Math.max(0, n_beams));
  }

  resync(predictor: Handle, body: Uint8Array): number {
    return this.with_bytes(body, (at, size) => this.api_.forerun_predictor_resync(predictor, at, size));
  }
  give(predictor: Handle, { number, kind, given_ns, effect_ns, numbers }: OwnCommand): void {
    const bytes = new Uint8Array(Float64Array.from(numbers).buffer);
    this.with_bytes(bytes, (at) =>
      this.api_.forerun_predictor_give(predictor, number, kind, given_ns, effect_ns, at),
    );
  }
  settle(predictor: Handle, number: number, outcome: number): void {
    this.api_.forerun_predictor_settle(predictor, number, outcome);
  }
  // kLanding, and the way: x y heading each; null: no command is under way.
  landing(predictor: Handle): Float64Array | null {
    const n_places = this.api_.forerun_predictor_landing(predictor);
    return n_places > 0 ? this.numbers(kLanding.size + 3 * n_places) : null;
  }
  // Null: there was no report yet.
  advance(predictor: Handle, robot_time_ns: bigint): { numbers: Float64Array; stale: boolean } | null {
    const status = this.api_.forerun_predictor_advance(predictor, robot_time_ns);
    return status < 0 ? null : { numbers: this.numbers(kPredicted.size), stale: status === kStatus.stale };
  }
  show(predictor: Handle, frame_s: number): Float64Array | null {
    return this.api_.forerun_predictor_show(predictor, frame_s) < 0 ? null : this.numbers(kShown.size);
  }
  show_anew(predictor: Handle): void {
    this.api_.forerun_predictor_show_anew(predictor);
  }
  // Where the world is not as its model says at this time, kSeen each.
  seen(predictor: Handle, robot_time_ns: bigint): Float64Array {
    return this.numbers(kSeen.size * Math.max(0, this.api_.forerun_predictor_seen(predictor, robot_time_ns)));
  }
  // The path of the mission that the robot has (kTimed), its name and its actions; null: refused.
  mission(predictor: Handle, number: bigint, object: Uint8Array): ReadMission | null {
    const n_points = this.with_bytes(object, (at, size) =>
      this.api_.forerun_predictor_mission(predictor, number, at, size),
    );
    if (n_points < 0) return null;
    const [name, actions] = this.text().split('\n') as [string, string];
    return { path: this.numbers(kTimed.size * n_points), name, actions: parse_actions(actions) };
  }
  // x y heading each.
  look_ahead(predictor: Handle, ahead_s: number, step_s: number): Float64Array {
    return this.numbers(3 * Math.max(0, this.api_.forerun_predictor_look_ahead(predictor, ahead_s, step_s)));
  }

  private plan(model: Handle): Plan {
    const n_cells = this.api_.forerun_plan(model);
    const [width, height, cell, low_x, low_y] = this.numbers(5) as unknown as [number, number, number, number, number];
    return { width, height, cell, low_x, low_y, clearance: this.cells(n_cells) };
  }
  protected numbers(count: number): Float64Array {
    const at = this.api_.forerun_numbers() / 8;
    return this.f64_.slice(at, at + Math.max(0, count));
  }
  private cells(count: number): Float32Array {
    const at = this.api_.forerun_cells() / 4;
    return this.f32_.slice(at, at + Math.max(0, count));
  }
  protected with_bytes<T>(bytes: Uint8Array, use: (at: number, size: number) => T): T {
    const at = this.api_.forerun_allocate(bytes.length);
    if (at === 0) throw new Error('core.wasm has no memory left for its input');
    this.u8_.set(bytes, at);
    try {
      return use(at, bytes.length);
    } finally {
      this.api_.forerun_free(at);
    }
  }
}
