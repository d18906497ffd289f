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
    this.buttons_.clear();
    for (const [id, { info }] of robots) this.buttons_.set(id, make_button(info.name, false, () => this.choose(id)));
    by_id('robots').replaceChildren(...this.buttons_.values());
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
      if (button.dataset.worst === worst) continue;
      button.dataset.worst = worst;
      button.title = kTexts[worst];
      button.setAttribute('aria-label', `${robot.info.name}, ${kTexts[worst]}`);
    }
  }
}
