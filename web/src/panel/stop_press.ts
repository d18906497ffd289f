// What became of a stop: waiting for a connection, on its way until there is an answer, and the answer for a while.

import type { Outcome } from '../link/messages';

export type StopState = 'ready' | 'unsent' | Outcome['state'];

const kShow_ms = 8000; // the answer

export class StopPress {
  private robot_: number | null = null; // null: nobody has pressed
  private after_ = -1; // number of the newest command when it was pressed
  private pressed_ms_ = 0;
  private sent_ = false;
  private lost_ = false; // it went out, but the connection ended before there was an answer
  private answer_: Outcome['state'] | null = null;
  private answered_ms_ = 0;

  press(robot: number, after: number, local_ms: number): void {
    [this.robot_, this.after_, this.pressed_ms_] = [robot, after, local_ms];
    [this.sent_, this.lost_, this.answer_] = [false, false, null];
  }

  // The robot whose stop has still to go out.
  get unsent(): number | null {
    return this.sent_ ? null : this.robot_;
  }
  get lost(): boolean {
    return this.lost_;
  }

  take_sent(): void {
    this.sent_ = true;
  }

  // Nobody knows whether it got through: it goes again. A program that was started anew counts its commands anew.
  take_lost_connection(): void {
    if (this.robot_ === null || !this.sent_ || this.answer_ !== null) return;
    [this.sent_, this.lost_, this.after_] = [false, true, -1];
  }

  take_outcome({ robot, command, number, state }: Outcome, local_ms: number): void {
    if (command !== 'stop' || robot !== this.robot_ || number <= this.after_ || !this.sent_ || state === 'sent') return;
    // one that failed may still be confirmed
    if (this.answer_ === 'confirmed' || this.answer_ === 'refused') return;
    [this.answer_, this.answered_ms_] = [state, local_ms];
  }

  // As seen by somebody who looks at this robot.
  state(robot: number | null, local_ms: number): StopState {
    if (this.unsent !== null) return 'unsent';
    if (this.robot_ === null || this.robot_ !== robot) return 'ready';
    if (this.answer_ === null) return 'sent';
    return local_ms < this.answered_ms_ + kShow_ms ? this.answer_ : 'ready';
  }

  waited_s(local_ms: number): number {
    return Math.max(0, Math.floor((local_ms - this.pressed_ms_) / 1000));
  }
}
