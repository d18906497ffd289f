// Which robot is looked at. With several, a list of all: each with the state of its link.
//
// Buttons, not a select: an open one keeps the space bar to itself, and that is stop.

import type { WarningKind } from '../link/messages';
import { selected_robot, type RobotState, type Session } from '../state/session';
import { by_id, make_button, set_pressed, set_text } from './dom';

const kTexts: Record<WarningKind | 'well', string> = {
  well: 'link well',
  late: 'packets late',
  stale: 'old report',
  down: 'link down',
};

const worst_of = ({ link }: RobotState): WarningKind | 'well' =>
  (['down', 'stale', 'late'] as const).find((worst) => link?.warnings.some(({ kind }) => kind === worst)) ?? 'well';

export class RobotList {
  private readonly buttons_ = new Map<number, HTMLButtonElement>();

  constructor(
    private readonly session_: Session,
    private readonly on_change_: () => void,
  ) {}

  choose(id: number): void {
    if (id === this.session_.selected) return;
    this.session_.selected = id;
    this.update();
    this.on_change_();
  }

  // After a greeting.
  set_robots(): void {
    const { robots } = this.session_;
    for (const [id, button] of this.buttons_) {
      if (robots.has(id)) continue;
      button.remove();
      this.buttons_.delete(id);
    }
    // those that stay are left alone: one of them may have the focus
    const list = by_id('robots');
    let at = 0;
    for (const [id, { info }] of robots) {
      const button = this.button(id);
      set_text(button, info.name);
      if (list.children[at] !== button) list.insertBefore(button, list.children[at] ?? null);
      ++at;
    }
    by_id('robots-box').hidden = robots.size < 2;
    this.update();
  }

  update(): void {
    const { robots, selected } = this.session_;
    set_text(by_id('robot-name'), selected_robot(this.session_)?.info.name ?? '');
    set_text(by_id('robots-title'), `${robots.size} robots`);
    for (const [id, button] of this.buttons_) {
      const robot = robots.get(id);
      if (robot === undefined) continue;
      set_pressed(button, id === selected);
      const worst = worst_of(robot);
      const label = `${robot.info.name}, ${kTexts[worst]}`;
      if (button.getAttribute('aria-label') === label) continue;
      button.dataset.worst = worst;
      button.title = kTexts[worst];
      button.setAttribute('aria-label', label);
    }
  }

  private button(id: number): HTMLButtonElement {
    let button = this.buttons_.get(id);
    if (button === undefined) {
      button = make_button('', false, () => this.choose(id));
      this.buttons_.set(id, button);
    }
    return button;
  }
}
