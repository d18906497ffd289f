// The robot's cameras: asks for images of those that are chosen while it is open, and shows them.

import type { Outgoing } from '../link/messages';
import type { RobotState } from '../state/session';
import { CameraPane } from './camera_pane';
import { by_id, make_button, set_pressed, set_text } from './dom';

const kAskEvery_ms = 5000; // the program may have been started anew
const kDrawEvery_ms = 60; // each of them
const kNow = 'Seen from where the robot is now. Grey and hatched: not in the image, only in the map.';
const kRaw = 'As it came, from where the robot was then.';

export class CameraPanel {
  readonly button = make_button('camera', false, () => this.open(!this.open_));
  panes: CameraPane[] = []; // of the robot's cameras, in their order
  private readonly off_ = new Set<string>(); // the names of those that nobody wants to see
  private open_ = false;
  private raw_ = false;
  private filled_ = ''; // whose panes these are
  private robot_: number | null = null; // that was asked
  private asked_ms_ = -Infinity;

  constructor(private readonly send_: (message: Outgoing) => boolean) {
    this.button.title = "what the robot's cameras see";
    this.button.hidden = true;
    by_id('camera-close').addEventListener('click', () => this.open(false));
    by_id('camera-now').addEventListener('click', () => this.choose(false));
    by_id('camera-raw').addEventListener('click', () => this.choose(true));
    by_id('camera-large').addEventListener('click', () => {
      const large = by_id('camera-box').classList.toggle('large');
      set_pressed(by_id('camera-large'), large);
    });
    // nobody looks at a page that is hidden
    document.addEventListener('visibilitychange', () => document.hidden && this.ask([]));
  }

  update(robot: RobotState | null, page_ms: number, local_ms: number): void {
    const there = robot !== null && robot.info.cameras.length > 0;
    this.button.hidden = !there;
    if (!there && this.open_) this.open(false);
    if (robot === null || !this.open_) return;
    this.fill(robot);
    if (robot.info.id !== this.robot_) this.ask([]);
    if (local_ms > this.asked_ms_ + kAskEvery_ms) {
      this.robot_ = robot.info.id;
      this.asked_ms_ = local_ms;
      this.ask(this.panes.filter(({ room }) => !room.hidden).map(({ camera }) => camera));
    }
    for (const pane of this.panes) pane.update(robot);
    this.draw(robot, page_ms, local_ms);
  }

  // One at a time, so that a processor that draws several does not hold up the page.
  private draw(robot: RobotState, page_ms: number, local_ms: number): void {
    const [pane] = this.panes.filter(({ room }) => !room.hidden).sort((a, b) => a.drawn_ms - b.drawn_ms);
    if (pane === undefined || local_ms < pane.drawn_ms + kDrawEvery_ms) return;
    pane.drawn_ms = local_ms;
    pane.draw(robot, this.raw_, page_ms);
    this.say();
  }

  private open(open: boolean): void {
    this.open_ = open;
    by_id('camera-box').hidden = !open;
    set_pressed(this.button, open);
    if (!open) return this.ask([]);
    this.asked_ms_ = -Infinity;
  }

  // A pane and, where there are several, a button for each camera.
  private fill({ info }: RobotState): void {
    const filled = [info.id, ...info.cameras].join();
    if (filled === this.filled_) return;
    this.filled_ = filled;
    for (const pane of this.panes) pane.end();
    const several = info.cameras.length > 1;
    this.panes = info.cameras.map((name, i) => new CameraPane(i, several ? name : ''));
    by_id('camera-rooms').replaceChildren(...this.panes.map(({ room }) => room));
    const buttons = info.cameras.map((name, i) => {
      const button = make_button(name, false, () => this.toggle(name, info.cameras));
      button.title = i === 0 ? 'ahead; with one camera alone its images come twice as often' : 'the robot itself and what is around it, from above and behind';
      return button;
    });
    by_id('camera-choice').replaceChildren(...(several ? buttons : []));
    this.show(info.cameras);
  }

  // One of them is always shown.
  private toggle(name: string, names: string[]): void {
    const off = this.off_.has(name);
    if (!off && names.every((other) => other === name || this.off_.has(other))) return;
    if (off) this.off_.delete(name);
    else this.off_.add(name);
    this.show(names);
  }

  private show(names: string[]): void {
    const buttons = by_id('camera-choice').querySelectorAll('button');
    this.panes.forEach((pane, i) => {
      const shown = names.length === 1 || !this.off_.has(names[i]!);
      pane.open(shown);
      if (buttons[i] !== undefined) set_pressed(buttons[i], shown);
    });
    const n_shown = this.panes.filter(({ room }) => !room.hidden).length;
    by_id('camera-box').classList.toggle('several', n_shown > 1);
    // without WebGL there is nothing to choose
    if (this.panes.some(({ room, view }) => !room.hidden && view === null)) {
      by_id<HTMLButtonElement>('camera-now').disabled = true;
      this.choose(true);
    }
    this.asked_ms_ = -Infinity;
  }

  private choose(raw: boolean): void {
    this.raw_ = raw;
    for (const pane of this.panes) pane.drawn_ms = -Infinity;
    set_pressed(by_id('camera-now'), !raw);
    set_pressed(by_id('camera-raw'), raw);
  }

  private ask(cameras: number[]): void {
    if (this.robot_ === null) return;
    this.send_({ type: 'look', robot: this.robot_, cameras });
    if (cameras.length > 0) return;
    this.robot_ = null;
    this.asked_ms_ = -Infinity;
  }

  private say(): void {
    const failed = this.panes.some((pane) => !pane.room.hidden && pane.failed);
    set_text(by_id('camera-note'), failed ? 'The newest image cannot be shown: it is no whole JPEG.' : this.raw_ ? kRaw : kNow);
  }
}
