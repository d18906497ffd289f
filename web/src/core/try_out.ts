// A try-out in the worker: brings the phantom to where the steps lead that the page wants, and drives no more of them
// than have changed.

import type { Pose } from '../link/protocol';
import { Refusal } from './rehearsal_core';
import type { Step } from './rehearsal_messages';

// What is used of the core.
export interface Phantom {
  begin(start: Pose): void;
  drive(v: number, w: number, step_s: number): boolean;
  send(x: number, y: number, wait_s: number, action: string): void;
  run(step_s: number): boolean;
  keep(n_steps: number): void;
}

interface Push {
  v: number;
  w: number;
  step_s: number;
}

const kSlice_s = 5; // of the phantom's time, then the page may say something else
const kBrake_s = 0.5;
const kMostBrakes = 40;

const same_pose = (a: Pose, b: Pose): boolean => a.x === b.x && a.y === b.y && a.heading === b.heading;

function same_step(a: Step, b: Step): boolean {
  if (a.kind === 'hand' || b.kind === 'hand') return a.kind === b.kind && a.id === b.id;
  return a.x === b.x && a.y === b.y && a.wait_s === b.wait_s && a.action === b.action;
}

export class StepRefusal extends Refusal {
  constructor(
    readonly step: number, // its id
    text: string,
  ) {
    super(text);
  }
}

export class TryOut {
  private start_: Pose | null = null;
  private done_: Step[] = []; // the last one may be under way
  private wanted_: Step[] = [];
  private under_way_ = false;
  private readonly pushes_ = new Map<number, Push[]>(); // of hands
  private ended_ = 0;

  constructor(private readonly phantom_: Phantom) {}

  get n_steps(): number {
    return this.done_.length;
  }
  // The step that a hand drove last, once it has come to rest.
  get ended(): number {
    return this.ended_;
  }
  get resting(): boolean {
    return !this.under_way_ && this.done_.length === this.wanted_.length;
  }

  want(start: Pose, steps: readonly Step[]): void {
    this.wanted_ = [...steps];
    if (this.start_ === null || !same_pose(this.start_, start)) {
      this.start_ = null;
      this.done_ = [];
      this.under_way_ = false;
      this.phantom_.begin(start);
      this.start_ = start;
      return;
    }
    const n_both = Math.min(this.done_.length, steps.length);
    let n_same = 0;
    while (n_same < n_both && same_step(this.done_[n_same]!, steps[n_same]!)) ++n_same;
    if (n_same === this.done_.length) return;
    this.phantom_.keep(n_same);
    this.done_.length = n_same;
    this.under_way_ = false;
  }

  // Goes on for a while. A step that cannot be driven is thrown: it, and what comes after it, is left out.
  go_on(): void {
    if (this.resting || this.start_ === null) return;
    if (!this.under_way_) this.done_.push(this.wanted_[this.done_.length]!);
    const step = this.done_.at(-1)!;
    try {
      this.carry_out(step);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.done_.pop();
      this.under_way_ = false;
      this.phantom_.keep(this.done_.length);
      this.wanted_ = this.wanted_.slice(0, this.done_.length);
      throw new StepRefusal(step.id, error.message);
    }
  }

  // A push by hand: the first one with this number begins a step.
  push(id: number, push: Push): void {
    if (this.start_ === null) return;
    const last = this.done_.at(-1);
    const goes_on = this.under_way_ && last?.kind === 'hand' && last.id === id;
    if (!goes_on) {
      // nobody pushes a phantom that is on its way somewhere; what has ended does not go on; and zeros begin nothing
      if (!this.resting || this.pushes_.has(id) || (push.v === 0 && push.w === 0)) return;
      this.done_.push({ kind: 'hand', id });
      this.wanted_.push({ kind: 'hand', id });
      this.pushes_.set(id, []);
    }
    try {
      this.under_way_ = !this.phantom_.drive(push.v, push.w, push.step_s);
    } catch (error) {
      if (goes_on || !(error instanceof Refusal)) throw error;
      for (const steps of [this.done_, this.wanted_]) steps.pop();
      throw new StepRefusal(id, error.message);
    }
    this.pushes_.get(id)!.push(push);
    if (!this.under_way_) this.ended_ = id;
  }

  private carry_out(step: Step): void {
    if (step.kind === 'waypoint') {
      if (!this.under_way_) this.phantom_.send(step.x, step.y, step.wait_s, step.action);
      this.under_way_ = !this.phantom_.run(kSlice_s);
      return;
    }
    let stands = false;
    for (const { v, w, step_s } of this.pushes_.get(step.id) ?? []) stands = this.phantom_.drive(v, w, step_s);
    for (let i = 0; i < kMostBrakes && !stands; ++i) stands = this.phantom_.drive(0, 0, kBrake_s);
    this.under_way_ = false;
  }
}
