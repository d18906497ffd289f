// One sentence for those who see the demo for the first time; once closed, it stays closed.

import type { DemoSettings } from '../link/messages';
import { by_id, set_text } from './dom';

const kKey = 'forerun.intro';

// What goes on at these settings, in one breath.
export function intro_text({ loss, interval_s, blackout }: DemoSettings): string {
  const colours = 'Blue is where it is now, grey its last report.';
  if (blackout) return `Nothing of the robot arrives any more. ${colours}`;
  const lost = loss > 0 ? `, and ${Math.round(100 * loss)} % of that is lost` : '';
  const every = `every ${Number(interval_s.toPrecision(2))} s`;
  const often = interval_s >= 1 ? every : `${Math.round(1 / interval_s)} times a second`;
  return `The robot reports ${often}${lost}. ${colours}`;
}

function was_closed(): boolean {
  try {
    return localStorage.getItem(kKey) === 'closed';
  } catch {
    return false; // a browser that keeps nothing
  }
}

export class Intro {
  private closed_ = was_closed();

  constructor() {
    by_id('intro-close').addEventListener('click', () => {
      this.closed_ = true;
      by_id('intro').hidden = true;
      try {
        localStorage.setItem(kKey, 'closed');
      } catch {
        // then it is there again next time
      }
    });
  }

  update(settings: DemoSettings | null, demo: boolean): void {
    const element = by_id('intro');
    element.hidden = this.closed_ || !demo || settings === null;
    if (!element.hidden) set_text(by_id('intro-text'), intro_text(settings!));
  }
}
