// The page's time while a recording is played: it runs at the recording's pace, and rests when that is paused. All that
// is timed by it (clock, history, ages) then behaves as it did when it was recorded.

import type { Replay } from '../link/messages';

const kOff_ms = 150; // the program says where it stands some milliseconds late; more than this is more than that

export class ReplayClock {
  private at_ms_ = 0;
  private local_ms_ = 0; // when it was so
  private rate_ = 0;

  take({ at_s, pace, paused }: Replay, local_ms: number, jumped: boolean): void {
    const rate = paused ? 0 : pace;
    const at_ms = 1000 * at_s;
    const off_ms = Math.abs(at_ms - this.now(local_ms));
    if (!jumped && rate === this.rate_ && off_ms < kOff_ms * Math.max(1, pace)) return;
    this.at_ms_ = at_ms;
    this.local_ms_ = local_ms;
    this.rate_ = rate;
  }

  // Milliseconds since the recording's beginning.
  now(local_ms: number): number {
    return this.at_ms_ + this.rate_ * (local_ms - this.local_ms_);
  }
}
