// Which robot is looked at.

import type { Session } from '../state/session';
import { by_id } from './dom';

export class RobotSelect {
  private readonly select_ = by_id<HTMLSelectElement>('robot-select');

  constructor(
    private readonly session_: Session,
    on_change: () => void,
  ) {
    this.select_.addEventListener('change', () => {
      session_.selected = Number(this.select_.value);
      on_change();
    });
    this.update();
  }

  // After a greeting.
  update(): void {
    const robots = [...this.session_.robots.values()];
    this.select_.replaceChildren(...robots.map(({ info }) => new Option(info.name, String(info.id))));
    if (this.session_.selected !== null) this.select_.value = String(this.session_.selected);
    this.select_.disabled = robots.length < 2;
    this.select_.hidden = robots.length === 0;
  }
}
