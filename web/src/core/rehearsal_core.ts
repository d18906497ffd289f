// The part of core.wasm that rehearses missions, with types: one phantom in one world.

import { Core, parse_actions, type Action, type Exports, type Handle } from './core';
import { kCut, kPhantom, kTimed, kTrial, kTried, kUncut } from './layout';

interface RehearsalExports extends Exports {
  forerun_bytes(): number;
  forerun_rehearsal_create(model: Handle, x: number, y: number, heading: number): Handle;
  forerun_rehearsal_free(rehearsal: Handle): void;
  forerun_rehearsal_drive(rehearsal: Handle, v: number, vy: number, w: number, step_s: number): number;
  forerun_rehearsal_send(rehearsal: Handle, x: number, y: number, wait_s: number, at: number, size: number): number;
  forerun_rehearsal_run(rehearsal: Handle, step_s: number): number;
  forerun_rehearsal_keep(rehearsal: Handle, n_stretches: number): number;
  forerun_rehearsal_state(rehearsal: Handle): number;
  forerun_rehearsal_path(rehearsal: Handle, from: number): number;
  forerun_rehearsal_trim(rehearsal: Handle, at: number, n_numbers: number): number;
  forerun_rehearsal_cuts(rehearsal: Handle): number;
  forerun_rehearsal_uncut(rehearsal: Handle): number;
  forerun_rehearsal_apply(rehearsal: Handle, cut: number, applied: number): number;
  forerun_rehearsal_compute(rehearsal: Handle): number;
  forerun_rehearsal_mission_path(rehearsal: Handle): number;
  forerun_rehearsal_trial(rehearsal: Handle): number;
  forerun_rehearsal_actions(rehearsal: Handle): number;
  forerun_rehearsal_write(rehearsal: Handle, at: number, size: number): number;
  forerun_rehearsal_pack(rehearsal: Handle, at: number, size: number): number;
}

// What was refused, in one sentence.
export class Refusal extends Error {}

export class RehearsalCore extends Core {
  private rehearsal_: Handle = 0;

  private get rehearse_(): RehearsalExports {
    return this.api_ as RehearsalExports;
  }

  // Another phantom; the one before is gone.
  begin(model: Handle, x: number, y: number, heading: number): void {
    const api = this.rehearse_;
    if (this.rehearsal_ !== 0) api.forerun_rehearsal_free(this.rehearsal_);
    this.rehearsal_ = api.forerun_rehearsal_create(model, x, y, heading);
    if (this.rehearsal_ === 0) throw new Refusal(this.text());
  }
  // True: it stands.
  drive(v: number, w: number, step_s: number): boolean {
    return this.accepted(this.rehearse_.forerun_rehearsal_drive(this.rehearsal_, v, 0, w, step_s)) === 1;
  }
  // `action`: what it does there; empty: nothing.
  send(x: number, y: number, wait_s: number, action: string): void {
    const name = new TextEncoder().encode(action);
    this.with_bytes(name, (at, size) =>
      this.accepted(this.rehearse_.forerun_rehearsal_send(this.rehearsal_, x, y, wait_s, at, size)),
    );
  }
  // True: it is there.
  run(step_s: number): boolean {
    return this.accepted(this.rehearse_.forerun_rehearsal_run(this.rehearsal_, step_s)) === 1;
  }
  keep(n_stretches: number): void {
    this.accepted(this.rehearse_.forerun_rehearsal_keep(this.rehearsal_, n_stretches));
  }
  state(): Float64Array {
    this.rehearse_.forerun_rehearsal_state(this.rehearsal_);
    return this.numbers(kPhantom.size);
  }
  tried(from: number): Float64Array {
    return this.numbers(kTried.size * this.accepted(this.rehearse_.forerun_rehearsal_path(this.rehearsal_, from)));
  }

  trim(redundancy: readonly number[]): void {
    const bytes = new Uint8Array(Float64Array.from(redundancy).buffer);
    this.with_bytes(bytes, (at) =>
      this.accepted(this.rehearse_.forerun_rehearsal_trim(this.rehearsal_, at, redundancy.length)),
    );
  }
  cuts(): Float64Array {
    return this.numbers(kCut.size * this.accepted(this.rehearse_.forerun_rehearsal_cuts(this.rehearsal_)));
  }
  uncut(): Float64Array {
    return this.numbers(kUncut.size * this.accepted(this.rehearse_.forerun_rehearsal_uncut(this.rehearsal_)));
  }
  apply(cut: number, applied: boolean): void {
    this.accepted(this.rehearse_.forerun_rehearsal_apply(this.rehearsal_, cut, applied ? 1 : 0));
  }

  compute(): void {
    this.accepted(this.rehearse_.forerun_rehearsal_compute(this.rehearsal_));
  }
  mission_path(): Float64Array {
    return this.numbers(kTimed.size * this.accepted(this.rehearse_.forerun_rehearsal_mission_path(this.rehearsal_)));
  }
  trial(): Float64Array {
    this.accepted(this.rehearse_.forerun_rehearsal_trial(this.rehearsal_));
    return this.numbers(kTrial.size);
  }
  // The mission as it was driven in the simulator.
  driven(): { path: Float64Array; trial: Float64Array; actions: Action[] } {
    return { path: this.mission_path(), trial: this.trial(), actions: this.actions() };
  }
  actions(): Action[] {
    this.accepted(this.rehearse_.forerun_rehearsal_actions(this.rehearsal_));
    return parse_actions(this.text());
  }
  // The mission file.
  write(name: string): string {
    return new TextDecoder().decode(this.named(name, (...args) => this.rehearse_.forerun_rehearsal_write(...args)));
  }
  // The mission as it travels, without a seal.
  pack(name: string): Uint8Array {
    return this.named(name, (...args) => this.rehearse_.forerun_rehearsal_pack(...args));
  }

  private named(name: string, write: (rehearsal: Handle, at: number, size: number) => number): Uint8Array {
    const bytes = new TextEncoder().encode(name);
    const size = this.with_bytes(bytes, (at) => this.accepted(write(this.rehearsal_, at, bytes.length)));
    const at = this.rehearse_.forerun_bytes();
    return this.u8_.slice(at, at + size);
  }

  private accepted(status: number): number {
    if (status < 0) throw new Refusal(this.text());
    return status;
  }
}
