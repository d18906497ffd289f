// The time line of a recording: it takes the place of the live one, spans all of it, and asks the program to play.

import type { Outgoing, Replay } from '../link/messages';
import { by_id, set_text } from './dom';
import { Pacer } from './pacer';
import { kKeySteps_s } from './timeline';

const kPaces = [1, 2, 4, 8];
const kSettle_ms = 500; // until the program has followed

const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');

// As on a player: 4:05, or 1:02:03.
export function format_place(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// A simulation has no date.
function when(begin_s: number, at_s: number): string {
  return begin_s < 1e6 ? `${format_place(at_s)} of virtual time` : new Date(1000 * (begin_s + at_s)).toLocaleString();
}

export class ReplayBar {
  private readonly bar_ = document.createElement('div');
  private readonly play_ = document.createElement('button');
  private readonly scrub_ = document.createElement('input');
  private readonly place_ = document.createElement('span');
  private readonly pace_ = document.createElement('select');
  private touched_ms_ = -Infinity;
  private readonly pacer_ = new Pacer<{ at_s: number }>();
  private replay_: Replay | null = null;

  constructor(private readonly send_: (message: Outgoing) => void) {
    this.bar_.className = 'timeline replay-bar';
    this.bar_.hidden = true;
    this.bar_.setAttribute('role', 'group');
    this.bar_.setAttribute('aria-label', 'Recording');
    this.play_.type = 'button';
    this.play_.className = 'replay-play';
    this.play_.addEventListener('click', () => this.toggle());
    this.scrub_.type = 'range';
    this.scrub_.step = '0.1';
    this.scrub_.setAttribute('aria-label', 'Place in the recording');
    this.scrub_.addEventListener('input', () => this.go_to(Number(this.scrub_.value)));
    this.scrub_.addEventListener('keydown', (event) => this.key(event));
    this.place_.className = 'replay-place';
    this.pace_.setAttribute('aria-label', 'Pace');
    for (const pace of kPaces) this.pace_.add(new Option(`${pace}×`, String(pace)));
    this.pace_.addEventListener('change', () => this.send_({ type: 'replay', pace: Number(this.pace_.value) }));
    this.bar_.append(this.play_, this.scrub_, this.place_, this.pace_);
    by_id('scrub').parentElement!.after(this.bar_);
    window.addEventListener('keydown', (event) => this.space(event));
  }

  // page_s: seconds since the recording's beginning.
  update(replay: Replay | null, begin_s: number, page_s: number, local_ms: number): void {
    this.replay_ = replay;
    by_id('scrub').parentElement!.hidden = replay !== null;
    this.bar_.hidden = replay === null;
    if (replay === null) return;
    this.ask(local_ms);
    const dragged = local_ms < this.touched_ms_ + kSettle_ms;
    const at_s = dragged ? Number(this.scrub_.value) : Math.min(page_s, replay.duration_s);
    this.draw(replay, at_s, dragged);
    const past = by_id('past');
    past.hidden = false;
    set_text(past, `A recording · ${when(begin_s, at_s)} · not live`);
  }

  private draw(replay: Replay, at_s: number, dragged: boolean): void {
    const end = String(Math.max(0.1, replay.duration_s));
    if (this.scrub_.max !== end) this.scrub_.max = end;
    if (!dragged) {
      this.scrub_.value = String(at_s);
      if (document.activeElement !== this.pace_) this.pace_.value = String(replay.pace);
    }
    const text = `${format_place(at_s)} / ${format_place(replay.duration_s)}`;
    set_text(this.place_, text);
    if (this.scrub_.getAttribute('aria-valuetext') !== text) this.scrub_.setAttribute('aria-valuetext', text);
    set_text(this.play_, replay.paused ? '▶' : '❚❚');
    this.play_.setAttribute('aria-label', replay.paused ? 'Play' : 'Pause');
  }

  private toggle(): void {
    if (this.replay_ !== null) this.send_({ type: 'replay', paused: !this.replay_.paused });
  }

  private go_to(at_s: number): void {
    this.pacer_.want({ at_s });
    this.touched_ms_ = performance.now();
  }

  // Not with every pixel of a drag.
  private ask(local_ms: number): void {
    const wish = this.pacer_.take(local_ms);
    if (wish !== null) this.send_({ type: 'replay', ...wish });
  }

  private key(event: KeyboardEvent): void {
    const step_s = kKeySteps_s[event.key];
    if (this.replay_ === null || step_s === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at_s = Math.min(this.replay_.duration_s, Math.max(0, Number(this.scrub_.value) + step_s));
    this.scrub_.value = String(at_s);
    this.go_to(at_s);
  }

  // There is nothing to stop: the space bar does what it does in every player.
  private space(event: KeyboardEvent): void {
    if (this.replay_ === null || event.code !== 'Space' || event.repeat) return;
    if (event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    this.toggle();
  }
}
