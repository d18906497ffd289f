// The robot's clock as the page keeps it: from what the program says it is, whenever it says so.
//
// What the program says was right when it was sent and arrives later, by an unknown delay that is never negative. So
// of the last messages the one that was fastest is the best: the largest difference between the two clocks.

const kWindow_ms = 10_000; // messages older than this are forgotten: clocks drift, laptops sleep
const kStep_ms = 500; // beyond this the robot's clock was set anew: no gliding
const kSlew = 0.1; // otherwise the page's idea of it glides, at most so much faster or slower than real time

interface Sample {
  local_ms: number;
  offset_ms: number;
}

export class RobotClock {
  private samples_: Sample[] = [];
  private origin_ns_: bigint | null = null; // offsets are relative to it, so that they keep their digits
  private offset_ms_ = 0;
  private moved_ms_ = 0;

  get known(): boolean {
    return this.origin_ns_ !== null;
  }

  take(robot_now_ns: bigint, local_ms: number): void {
    this.origin_ns_ ??= robot_now_ns - BigInt(Math.round(local_ms * 1e6));
    const offset_ms = Number(robot_now_ns - this.origin_ns_) / 1e6 - local_ms;
    const best = this.best_offset();
    if (best === null) this.start_at(offset_ms, local_ms);
    // the clock was set back, or forward: what was learned before is wrong
    else if (offset_ms > best + kStep_ms || offset_ms < best - 20 * kStep_ms) this.start_at(offset_ms, local_ms);
    this.samples_ = this.samples_.filter((sample) => sample.local_ms > local_ms - kWindow_ms);
    this.samples_.push({ local_ms, offset_ms });
  }

  // Nanoseconds of the robot's clock; null before the first message. Never goes back, except where the clock was set.
  now(local_ms: number): bigint | null {
    if (this.origin_ns_ === null) return null;
    const best = this.best_offset() ?? this.offset_ms_;
    const reach_ms = kSlew * Math.max(0, local_ms - this.moved_ms_);
    this.offset_ms_ += Math.max(-reach_ms, Math.min(reach_ms, best - this.offset_ms_));
    this.moved_ms_ = Math.max(local_ms, this.moved_ms_);
    return this.origin_ns_ + BigInt(Math.round((local_ms + this.offset_ms_) * 1e6));
  }

  private best_offset(): number | null {
    if (this.samples_.length === 0) return null;
    return this.samples_.reduce((best, { offset_ms }) => Math.max(best, offset_ms), -Infinity);
  }

  private start_at(offset_ms: number, local_ms: number): void {
    this.samples_ = [];
    this.offset_ms_ = offset_ms;
    this.moved_ms_ = local_ms;
  }
}
