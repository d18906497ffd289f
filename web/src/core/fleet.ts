// The robots in the worker: which instance of the core holds which model and predictor.
//
// An instance has fixed memory. Robots of one model share one as long as it has room for all that may be asked about
// them; the next robot gets a new one. An instance that trapped is given up, and its robots begin anew in another one
// with the next report: not with the newest, which may be what it trapped on.

import type { Core, ReadMission, World } from './core';
import type { Attitude } from '../link/protocol';
import { kShown } from './layout';
import type { FrameRequest, RobotFrame } from './worker_messages';

interface Host {
  core: Core;
  model: number;
  hash: string;
}

interface Robot {
  host: Host;
  predictor: number;
}

const kMostWaiting = 40; // reports
const kMostRobots = 6; // in one instance: each may be asked for its way ahead, which takes as much memory again
const kRoom = 64 << 20; // left for that, for beams and for the value function
const kAnew_s = 0.5; // after a pause as long as this the robot is shown where it is, at once

// As the robot said it stood, changed by what the ground does between there and where it is shown.
function attitude_at(
  core: Core,
  model: number,
  { pose, attitude }: NonNullable<FrameRequest['stood']>,
  shown: Float64Array,
): Attitude {
  const now = { x: shown[kShown.x]!, y: shown[kShown.y]!, heading: shown[kShown.heading]! };
  const then = core.rest(model, pose, attitude.height);
  const here = core.rest(model, now, attitude.height);
  if (then === null || here === null) return attitude;
  return {
    height: attitude.height + here.height - then.height,
    roll: attitude.roll + here.roll - then.roll,
    pitch: attitude.pitch + here.pitch - then.pitch,
  };
}

export class Fleet {
  private hosts_: Host[] = [];
  private readonly bundles_ = new Map<string, Uint8Array>();
  private readonly robots_ = new Map<number, Robot>();
  private readonly missions_ = new Map<number, { number: bigint; object: Uint8Array }>(); // that robots have
  private readonly newest_ = new Map<number, Uint8Array[]>(); // reports that no predictor has taken in yet

  constructor(private readonly make_core_: () => Core) {
    make_core_(); // throws when the core is too old
  }

  // The world, or the sentence that says why there is none.
  add(id: number, hash: string, bytes: Uint8Array): World | string {
    this.bundles_.set(hash, bytes);
    const known = this.robots_.get(id);
    if (known !== undefined) known.host.core.free_predictor(known.predictor);
    this.robots_.delete(id);
    const robot = this.place(hash);
    if (typeof robot !== 'string') this.settle(id, robot);
    this.sweep();
    if (typeof robot === 'string') return robot;
    return robot.host.core.world(robot.host.model);
  }

  // Forgets robots that are gone, or have another model now, and with them what only they used.
  keep(models: ReadonlyMap<number, string>): void {
    for (const [id, { host, predictor }] of this.robots_) {
      if (models.get(id) === host.hash) continue;
      host.core.free_predictor(predictor);
      this.robots_.delete(id);
    }
    for (const kept of [this.newest_, this.missions_]) {
      for (const id of kept.keys()) if (!models.has(id)) kept.delete(id);
    }
    this.sweep();
  }

  // Taken in with the next frame: where reports come faster than this machine can take them in, only the newest counts.
  // Of a recording each counts, up to a limit: after a jump the predictor learns from those before.
  report(id: number, body: Uint8Array, each: boolean): void {
    const before = each ? (this.newest_.get(id) ?? []).slice(1 - kMostWaiting) : [];
    this.newest_.set(id, [...before, body]);
  }

  // The robot begins anew with the next report.
  forget(id: number): void {
    this.newest_.delete(id);
    const robot = this.robots_.get(id);
    if (robot === undefined) return;
    robot.host.core.free_predictor(robot.predictor);
    const placed = this.place(robot.host.hash);
    if (typeof placed === 'string') this.robots_.delete(id);
    else this.settle(id, placed);
  }

  // The robot's mission, by its number: it is predicted on its path. Null: it cannot be read.
  mission(id: number, number: string, object: Uint8Array): ReadMission | null {
    const known = { number: BigInt(`0x${number}`), object };
    this.missions_.set(id, known);
    return this.use(id, (core, _, predictor) => core.mission(predictor, known.number, known.object));
  }

  frame(request: FrameRequest, local_ms: number): RobotFrame | null {
    this.catch_up(request.id);
    const robot = this.robots_.get(request.id);
    if (robot === undefined) return null;
    return this.guard(request.id, () => {
      const { core } = robot.host;
      const advanced = core.advance(robot.predictor, request.robot_time_ns);
      if (advanced === null) return null;
      if (request.frame_s > kAnew_s) core.show_anew(robot.predictor);
      const shown = core.show(robot.predictor, request.frame_s);
      if (shown === null) return null;
      const landing = core.landing(robot.predictor);
      const { id, robot_time_ns, stood } = request;
      const seen = core.seen(robot.predictor, robot_time_ns);
      const attitude = stood === null ? null : attitude_at(core, robot.host.model, stood, shown);
      return { id, robot_time_ns, local_ms, predicted: advanced.numbers, shown, attitude, seen, stale: advanced.stale, landing };
    });
  }

  look_ahead(id: number, ahead_s: number, step_s: number): Float64Array | null {
    return this.use(id, (core, _, predictor) => core.look_ahead(predictor, ahead_s, step_s));
  }

  // Calls with the robot's core, model and predictor; null when it has none.
  use<T>(id: number, call: (core: Core, model: number, predictor: number) => T): T | null {
    const robot = this.robots_.get(id);
    if (robot === undefined) return null;
    return this.guard(id, () => call(robot.host.core, robot.host.model, robot.predictor));
  }

  // A predictor that is new to its robot is told what the one before knew.
  private settle(id: number, robot: Robot): void {
    this.robots_.set(id, robot);
    const mission = this.missions_.get(id);
    if (mission === undefined) return;
    this.use(id, (core, _, predictor) => core.mission(predictor, mission.number, mission.object));
  }

  private catch_up(id: number): void {
    const bodies = this.newest_.get(id);
    if (bodies === undefined || !this.robots_.has(id)) return;
    this.newest_.delete(id);
    for (const body of bodies) this.use(id, (core, _, predictor) => core.resync(predictor, body));
  }

  // An instance holds one model: without robots it goes as a whole, and its memory with it.
  private sweep(): void {
    const used = new Set([...this.robots_.values()].map(({ host }) => host));
    this.hosts_ = this.hosts_.filter((host) => used.has(host));
    for (const hash of this.bundles_.keys()) {
      if (!this.hosts_.some((host) => host.hash === hash)) this.bundles_.delete(hash);
    }
  }

  private place(hash: string): Robot | string {
    const is_full = (host: Host): boolean =>
      [...this.robots_.values()].filter((robot) => robot.host === host).length >= kMostRobots;
    for (const host of this.hosts_.filter((entry) => entry.hash === hash && !is_full(entry))) {
      if (!host.core.has_room(kRoom)) continue;
      const predictor = host.core.create_predictor(host.model);
      if (predictor !== 0) return { host, predictor };
    }
    const core = this.make_core_();
    const model = core.create_model(this.bundles_.get(hash)!);
    if (model === 0) return core.text();
    const predictor = core.create_predictor(model);
    if (predictor === 0) return core.text();
    const host = { core, model, hash };
    this.hosts_.push(host);
    return { host, predictor };
  }

  private guard<T>(id: number, call: () => T): T | null {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      console.error('core.wasm broke a promise:', this.robots_.get(id)?.host.core.text(), error);
      this.give_up(this.robots_.get(id)!.host);
      return null;
    }
  }

  private give_up(host: Host): void {
    this.hosts_.splice(this.hosts_.indexOf(host), 1);
    for (const [id, robot] of this.robots_) {
      if (robot.host !== host) continue;
      const placed = this.place(host.hash);
      this.missions_.delete(id); // it may be what it trapped on
      if (typeof placed === 'string') this.robots_.delete(id);
      else this.robots_.set(id, placed);
    }
  }
}
