// The last two stages of a mission: it is brought to the robot and started, and watched. Here the robot moves.

import { kTimed } from '../core/layout';
import type { Outcome } from '../link/messages';
import { packet_age_s, type RobotState } from '../state/session';
import type { Mission } from '../state/mission';
import {
  action_under_way,
  actions_of,
  duration_of_path,
  path_of,
  progress_of,
  went_on_s,
  status_sentence,
  upload_of,
  type Brought,
} from '../state/mission_watch';
import { by_id, set_text } from './dom';

export interface RobotActions {
  upload(): void;
  start(number: string): void;
  take_over(): void;
}

export interface RobotSide {
  robot: RobotState | null;
  may_command: boolean;
  connected: boolean;
  brought: Brought | null;
  sending: boolean; // not all of it has left the page
  started: Outcome | null; // what became of the newest start
}

const kMarks = { planned: 'phantom', predicted: 'predicted', reported: 'reported' }; // as the views draw them
const kAtStart = 0.25; // [m] the robot's tracker takes it from there
const kNoConnection = 'There is no connection to the program.';
const kNoKey = 'Bringing a mission to a robot needs the key of its operator.';
const kStates: Record<Outcome['state'], string> = {
  sent: 'Start is on its way …',
  confirmed: 'The robot has confirmed the start.',
  refused: 'The robot refused to start.',
  failed: 'The start was not confirmed.',
};

export class RobotStages {
  private readonly rows_ = new Map<string, HTMLTableCellElement[]>();

  constructor(
    private readonly side_: () => RobotSide,
    actions: RobotActions,
  ) {
    by_id('mission-upload').addEventListener('click', () => actions.upload());
    by_id('mission-start').addEventListener('click', () => {
      const number = this.ready_number();
      if (number !== null) actions.start(number);
    });
    by_id('take-over').addEventListener('click', () => actions.take_over());
    by_id('mission-go-on').addEventListener('click', () => {
      const status = this.side_().robot?.report?.mission ?? null;
      if (status !== null) actions.start(status.mission);
    });
    for (const [name, mark] of Object.entries(kMarks)) this.add_row(name, mark);
  }

  update_upload(mission: Mission): void {
    const { robot, may_command, connected, brought, sending, started } = this.side_();
    const name = robot?.info.name ?? 'the robot';
    const upload = upload_of(brought, robot?.link?.upload ?? null);
    const able = robot !== null && may_command && connected;
    const about = `“${mission.name}” goes to ${name} as a whole or not at all. It does not move the robot yet.`;
    set_text(by_id('upload-about'), able ? about : may_command ? kNoConnection : kNoKey);
    const button = by_id<HTMLButtonElement>('mission-upload');
    button.disabled = !able || sending || mission.rehearsed === null || mission.name === '';
    set_text(button, `Upload to ${name}`);
    const bar = by_id<HTMLProgressElement>('upload-share');
    bar.hidden = upload?.state !== 'under_way' && !sending;
    bar.value = upload?.share ?? 0;
    set_text(by_id('upload-state'), this.upload_sentence());
    const start = by_id<HTMLButtonElement>('mission-start');
    start.disabled = !able || this.ready_number() === null;
    const heard = started === null ? '' : ` ${kStates[started.state]}`;
    set_text(by_id('start-about'), start.disabled ? '' : `${this.distance_sentence()}${heard}`);
  }

  update_watch(local_ms: number): void {
    const { robot, may_command, connected, brought } = this.side_();
    const status = robot?.report?.mission ?? null;
    const age_s = robot === null ? NaN : (packet_age_s(robot, local_ms) ?? NaN);
    by_id('watch-table').hidden = status === null;
    const button = by_id<HTMLButtonElement>('take-over');
    button.hidden = status?.state !== 'running';
    button.disabled = !may_command;
    const go_on = by_id<HTMLButtonElement>('mission-go-on');
    go_on.hidden = status?.state !== 'handed_back' && status?.state !== 'ready';
    go_on.disabled = !may_command || !connected;
    if (robot === null || status === null) {
      set_text(by_id('watch-state'), `${robot?.info.name ?? 'The robot'} has no mission.`);
      return;
    }
    const action = action_under_way(status, actions_of(status, robot.mission, brought));
    set_text(by_id('watch-state'), status_sentence(status, age_s, action));
    const path = path_of(status, robot.mission, brought);
    const here = robot.now?.predicted ?? null;
    const age_on_path_s = went_on_s(robot, action);
    const { planned, predicted, reported } = progress_of(status, path, robot.report!.pose, here, age_on_path_s);
    const total = path === null ? '' : ` of ${duration_of_path(path).toFixed(0)}`;
    this.fill('planned', `${planned.time_s.toFixed(1)}${total} s`, '–');
    const predicted_s = predicted === null ? '–' : `${predicted.time_s.toFixed(1)} s`;
    this.fill('predicted', predicted_s, format_off(predicted?.off ?? NaN));
    this.fill('reported', `${reported.time_s.toFixed(1)} s`, format_off(reported.off));
  }

  private upload_sentence(): string {
    const { robot, brought, sending } = this.side_();
    if (brought === null) return '';
    const upload = upload_of(brought, robot?.link?.upload ?? null);
    if (sending || upload === null) return 'The program gets the mission …';
    if (upload.state === 'taken') return 'The robot has the mission.';
    if (upload.state === 'refused') return `The robot did not take the mission: ${upload.why}`;
    return `On its way to the robot: ${(100 * upload.share).toFixed(0)} %.`;
  }

  // The number of the mission that the robot has and that may be started.
  private ready_number(): string | null {
    const { robot, brought } = this.side_();
    const upload = upload_of(brought, robot?.link?.upload ?? null);
    return upload?.state === 'taken' ? upload.mission : null;
  }

  private distance_sentence(): string {
    const { robot, brought } = this.side_();
    const here = robot?.now?.predicted ?? null;
    if (here === null || brought === null) return 'The robot will move.';
    const [x, y] = [brought.path[kTimed.x]!, brought.path[kTimed.y]!];
    const away = Math.hypot(here.x - x, here.y - y);
    if (away <= kAtStart) return 'The robot is at the start of the mission. It will move.';
    return `The robot is ${away.toFixed(1)} m from the start of the mission: send it there first, with a goal.`;
  }

  private add_row(name: string, mark: string): void {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    head.scope = 'row';
    const sign = document.createElement('span');
    sign.className = `mark ${mark}`;
    head.append(sign, name);
    const cells = [document.createElement('td'), document.createElement('td')];
    row.append(head, ...cells);
    by_id('watch-rows').append(row);
    this.rows_.set(name, cells);
  }

  private fill(name: string, ...texts: string[]): void {
    this.rows_.get(name)!.forEach((cell, i) => set_text(cell, texts[i] ?? ''));
  }
}

const format_off = (off: number): string => (Number.isNaN(off) ? '–' : `${off.toFixed(2)} m`);
