// The demo's switches: how bad the network is, how faithful the robot, and what it would look like without Forerun.

import { kRealities, type Demo, type DemoSettings, type Range, type Reality } from '../link/messages';
import { by_id, format_short, set_pressed, set_text } from './dom';
import { intervals_within, nearest_interval } from './intervals';
import { Pacer } from './pacer';

const kRealityTexts: Record<Reality, string> = {
  exact: 'as modelled',
  noisy: 'with noise',
  mismatched: 'unlike its model',
  crowded: 'among people',
};
const kSettle_ms = 1200; // while somebody moves a slider, the program does not move it back

export class DemoPanel {
  without = false;
  private touched_ms_ = -Infinity;
  private blackout_ = false;
  private intervals_s_: number[] = [];
  private readonly pacer_ = new Pacer<Partial<DemoSettings>>();
  private readonly loss_ = by_id<HTMLInputElement>('loss');
  private readonly interval_ = by_id<HTMLInputElement>('interval');
  private readonly delay_ = by_id<HTMLInputElement>('delay');
  private readonly reality_ = by_id<HTMLInputElement>('reality'); // a select that is open would keep the space bar

  constructor(private readonly send_: (settings: Partial<DemoSettings>) => void) {
    this.loss_.addEventListener('input', () => this.change({ loss: Number(this.loss_.value) / 100 }));
    this.delay_.addEventListener('input', () => this.change({ delay_s: Number(this.delay_.value) }));
    this.interval_.addEventListener('input', () =>
      this.change({ interval_s: this.intervals_s_[Number(this.interval_.value)]! }),
    );
    this.reality_.addEventListener('input', () => this.change({ reality: kRealities[Number(this.reality_.value)]! }));
    by_id('blackout').addEventListener('click', () => this.change({ blackout: !this.blackout_ }));
    by_id('without').addEventListener('click', () => {
      this.without = !this.without;
      set_pressed(by_id('without'), this.without);
    });
  }

  update(settings: Demo | null, demo: boolean, local_ms: number): void {
    by_id('demo-box').hidden = !demo;
    this.send_due(local_ms);
    if (settings === null || local_ms < this.touched_ms_ + kSettle_ms) return;
    this.set_ranges(settings.ranges);
    this.blackout_ = settings.blackout;
    this.loss_.value = String(Math.round(100 * settings.loss));
    this.delay_.value = String(settings.delay_s);
    this.interval_.value = String(nearest_interval(this.intervals_s_, settings.interval_s));
    this.reality_.value = String(kRealities.indexOf(settings.reality));
    this.write_values(settings.interval_s);
  }

  // The sliders reach as far as the program's own list of settings.
  private set_ranges({ loss, delay_s, interval_s }: Demo['ranges']): void {
    this.intervals_s_ = intervals_within(interval_s);
    set_range(this.loss_, { low: 100 * loss.low, high: 100 * loss.high });
    set_range(this.delay_, delay_s);
    set_range(this.interval_, { low: 0, high: this.intervals_s_.length - 1 });
  }

  private change(settings: Partial<DemoSettings>): void {
    this.touched_ms_ = performance.now();
    if (settings.blackout !== undefined) this.blackout_ = settings.blackout;
    this.write_values(this.intervals_s_[Number(this.interval_.value)]!);
    this.pacer_.want(settings);
    this.send_due(performance.now());
  }

  private send_due(local_ms: number): void {
    const settings = this.pacer_.take(local_ms);
    if (settings !== null) this.send_(settings);
  }

  private write_values(interval_s: number): void {
    const texts: [HTMLInputElement, string][] = [
      [this.loss_, `${this.loss_.value} %`],
      [this.interval_, interval_s < 1 ? format_short(interval_s) : `${interval_s} s`],
      [this.delay_, format_short(Number(this.delay_.value))],
      [this.reality_, kRealityTexts[kRealities[Number(this.reality_.value)]!]],
    ];
    for (const [input, text] of texts) {
      set_text(by_id(`${input.id}-value`), text);
      input.setAttribute('aria-valuetext', text);
    }
    set_pressed(by_id('blackout'), this.blackout_);
    set_text(by_id('blackout'), this.blackout_ ? 'End the blackout' : 'Blackout');
    by_id('blackout-on').hidden = !this.blackout_;
  }
}

function set_range(input: HTMLInputElement, { low, high }: Range): void {
  input.min = String(low);
  input.max = String(high);
}
