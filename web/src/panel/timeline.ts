// The time line: pause, go back, play the last minutes again, return to now.

import { by_id, set_pressed, set_text } from './dom';

const kLiveWithin_s = 0.3; // as close to now as this is now
// Of both time lines, this one and a recording's.
export const kKeySteps_s: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

// How long ago, as people say it.
export function format_ago(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export class Timeline {
  back_to_s: number | null = null; // page's time that is looked at; null: live
  private playing_ = false;
  private now_s_ = 0;
  private readonly scrub_ = by_id<HTMLInputElement>('scrub');

  constructor() {
    this.scrub_.addEventListener('input', () => this.go_to(this.now_s_ + Number(this.scrub_.value)));
    this.scrub_.addEventListener('keydown', (event) => this.key(event));
    by_id('live').addEventListener('click', () => this.go_live());
    by_id('play').addEventListener('click', () => this.toggle());
  }

  get live(): boolean {
    return this.back_to_s === null;
  }

  go_live(): void {
    this.back_to_s = null;
    this.playing_ = false;
  }

  toggle(): void {
    if (this.back_to_s === null) {
      this.back_to_s = this.now_s_;
      this.playing_ = false;
    } else this.playing_ = !this.playing_;
  }

  // oldest_s: what is still remembered.
  update(now_s: number, oldest_s: number, step_s: number): void {
    this.now_s_ = now_s;
    if (this.back_to_s !== null) {
      if (this.playing_) this.back_to_s += step_s;
      if (!Number.isNaN(oldest_s)) this.back_to_s = Math.max(this.back_to_s, oldest_s);
      if (this.playing_ && this.back_to_s > now_s - kLiveWithin_s) this.go_live();
    }
    this.draw(now_s, Number.isNaN(oldest_s) ? now_s : oldest_s);
  }

  // Whole seconds by the arrow keys: the slider's own steps are too small for them.
  private key(event: KeyboardEvent): void {
    const step_s = kKeySteps_s[event.key];
    if (step_s === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const wanted_s = (this.back_to_s ?? this.now_s_) + step_s;
    this.go_to(Math.max(wanted_s, this.now_s_ + Number(this.scrub_.min)));
  }

  private go_to(time_s: number): void {
    this.playing_ = false;
    this.back_to_s = time_s > this.now_s_ - kLiveWithin_s ? null : time_s;
  }

  private draw(now_s: number, oldest_s: number): void {
    const span_s = Math.max(1, Math.floor(now_s - oldest_s));
    if (this.scrub_.min !== String(-span_s)) this.scrub_.min = String(-span_s);
    this.scrub_.max = '0';
    const behind_s = this.back_to_s === null ? 0 : now_s - this.back_to_s;
    this.scrub_.value = String(-behind_s);
    const text = this.live ? 'now' : `${format_ago(behind_s)} before now`;
    if (this.scrub_.getAttribute('aria-valuetext') !== text) this.scrub_.setAttribute('aria-valuetext', text);
    const play = by_id('play');
    const running = this.live || this.playing_;
    play.dataset.shows = running ? 'pause' : 'play';
    play.setAttribute('aria-label', running ? 'Pause' : 'Play');
    set_pressed(by_id('live'), this.live);
    by_id('past').hidden = this.live;
    if (!this.live) {
      const clock = new Date(Date.now() - 1000 * behind_s).toLocaleTimeString();
      set_text(by_id('past'), `${format_ago(behind_s)} ago, at ${clock} · not live`);
    }
  }
}
