// The commands that are given on this page, as the core must know them: when they get to the robot, and what became of
// them. So the robot is predicted by what it has been told, a delay before any report shows it.

import type { OwnCommand } from '../core/core';
import { kCommand, kSettled } from '../core/layout';
import type { ToWorker } from '../core/worker_messages';
import type { Outcome, Outgoing } from '../link/messages';
import type { Session } from './session';

type Kind = keyof typeof kCommand;

interface Newest {
  number: number;
  kind: Kind;
  moving: boolean; // a key is held
  given_ms: number;
  unanswered: number[]; // of this kind, since the robot confirmed one
}

const kUnsure_s = 0.01; // how well the way is known, where nobody says
const kAtOnce_s = 0.3; // what fails so soon has not even been sent
const kAnswers_s = 0.5; // so long after the round trip there is an answer, or there is none

const kMostUnanswered = 16;

const is_kind = (name: string): name is Kind => name in kCommand;

export class OwnCommands {
  private readonly newest_ = new Map<number, Newest>(); // by robot
  private number_ = 0;

  constructor(
    private readonly session_: Session,
    private readonly post_: (message: ToWorker) => void,
  ) {}

  // Of a message that has been sent at this time of the page.
  give(message: Outgoing, page_ms: number): void {
    if (!('robot' in message) || !is_kind(message.type)) return;
    const robot = this.session_.robots.get(message.robot);
    const given_ns = robot?.clock.now(page_ms) ?? null;
    if (robot === undefined || given_ns === null) return;
    const [x_or_v, y_or_vy, w] =
      message.type === 'goal'
        ? [message.x, message.y, 0]
        : message.type === 'drive'
          ? [message.v, message.vy ?? 0, message.w]
          : [0, 0, 0];
    const way_ns = BigInt(Math.round(((robot.link?.round_trip_s ?? 0) / 2) * 1e9));
    const moving = x_or_v !== 0 || y_or_vy !== 0 || w !== 0;
    const command: OwnCommand = {
      number: this.number_of(message.robot, message.type, moving, page_ms),
      kind: kCommand[message.type],
      given_ns,
      effect_ns: given_ns + way_ns,
      numbers: [x_or_v, y_or_vy, w, robot.link?.clock_sigma_s ?? kUnsure_s, robot.link?.loss ?? 0],
    };
    this.post_({ type: 'give', robot: message.robot, command });
  }

  // That a newer command took the place of an older one says nothing about what the robot made of that; nor does an
  // answer that cannot be here yet.
  take_outcome({ robot, command, state }: Outcome, page_ms: number): void {
    const newest = this.newest_.get(robot);
    if (newest === undefined || newest.kind !== command || state === 'sent') return;
    const { unanswered } = newest;
    if (state === 'confirmed') {
      newest.unanswered = [];
      // of velocities each row is answered, not each push
      if (command !== 'drive') this.post_({ type: 'settle', robot, number: newest.number, outcome: kSettled.confirmed });
      return;
    }
    const waited_s = (page_ms - newest.given_ms) / 1000;
    const round_trip_s = this.session_.robots.get(robot)?.link?.round_trip_s ?? 0;
    if (state === 'failed' && waited_s > kAtOnce_s && waited_s < round_trip_s + kAnswers_s) return;
    const outcome = state === 'failed' ? kSettled.lost : kSettled.refused;
    for (const number of unanswered) this.post_({ type: 'settle', robot, number, outcome });
  }

  // Velocities that are held in a row share a number.
  private number_of(robot: number, kind: Kind, moving: boolean, page_ms: number): number {
    const newest = this.newest_.get(robot);
    const goes_on = kind === 'drive' && newest?.kind === 'drive' && newest.moving && moving;
    const number = goes_on ? newest.number : ++this.number_;
    const before = newest?.kind === kind ? newest.unanswered.filter((known) => known !== number) : [];
    const unanswered = [...before, number].slice(-kMostUnanswered);
    this.newest_.set(robot, { number, kind, moving, given_ms: page_ms, unanswered });
    return number;
  }
}
