// What the operator can do: stop, send goals, drive; and what became of it.

import type { Outcome, Outgoing } from '../link/messages';
import type { Flippers, Point } from '../link/protocol';
import { begin_goal } from '../state/goal_progress';
import { selected_robot, type RobotState, type Session } from '../state/session';
import { kBody } from '../core/layout';
import { by_id, make_button, set_pressed, set_text } from './dom';
import { HandDrive } from './drive';
import { describe_hindrance, describe_offer, offer_to_hand, type Offer } from './hindrance';
import { GoalSteps } from './goal_steps';
import { Proposals } from './proposals';
import type { Stick } from './stick';
import { StopPress, type StopState } from './stop_press';

export const kModes = ['watch', 'goal', 'drive', 'mission'] as const;
export type ControlMode = (typeof kModes)[number];

const kHasKeyboard = matchMedia('(hover: hover)').matches;
const kHints: Record<ControlMode, string> = kHasKeyboard
  ? {
      watch: 'Choose goal or drive to command the robot. The space bar stops it at any time.',
      goal: 'Click where the robot should go, in either view. Keyboard: arrow keys and Enter on the plan.',
      drive: 'Hold W A S D, the arrow keys, the pad, or A on a gamepad; Shift is faster. Let go and the robot stops.',
      mission: 'You make a mission with the phantom. The robot goes on with what it does; the space bar stops it.',
    }
  : {
      watch: 'Choose goal or drive to command the robot.',
      goal: 'Tap where the robot should go, in either view.',
      drive: 'Hold the pad and move it. Let go and the robot stops.',
      mission: 'You make a mission with the phantom. The robot goes on with what it does.',
    };
const kMissionHint = 'On a mission the robot drives by itself. Stop, a goal or a hand on the stick take over.';
const kStates: Record<Outcome['state'], string> = {
  sent: 'on its way …',
  confirmed: 'confirmed by the robot',
  refused: 'refused by the robot',
  failed: 'not confirmed',
};
const kMarks: Record<Outcome['state'], string> = { sent: '→', confirmed: '✓', refused: '✗', failed: '✗' };
const kNames: Record<string, string> = {
  goal: 'Goal',
  stop: 'Stop',
  cancel: 'Cancel',
  drive: 'Driving',
  start: 'Mission',
};
const kStopLabels: Record<StopState, string> = {
  ready: kHasKeyboard ? 'space bar' : 'at any time',
  unsent: 'NOT SENT',
  sent: 'on its way …',
  confirmed: '✓ confirmed',
  refused: '✗ refused',
  failed: '✗ not confirmed',
};
const kSay_ms = 8000; // then the hint is back

const kSlow_mps = 0.3; // of a robot that is not known

// What keys and pad drive instead of the robot, while a mission is made.
export interface PhantomDrive {
  readonly wants_stick: boolean;
  readonly moves_robot: boolean; // it is about the robot now, not about the phantom
  push(stick: Stick): void;
}

export class Controls {
  mode: ControlMode = 'watch';
  private readonly buttons_ = new Map<ControlMode, HTMLButtonElement>();
  private readonly drive_: HandDrive;
  private readonly steps_ = new GoalSteps();
  private readonly proposals_ = new Proposals();
  private newest_drive_ = -1; // number of the newest push of which the program spoke
  private said_ = '';
  private said_ms_ = -Infinity;
  private readonly stop_ = new StopPress();
  private chosen_ = false; // by hand
  private flippers_: { robot: number; angles: Flippers } | null = null; // where they were told to go from here

  constructor(
    private readonly session_: Session,
    private readonly send_: (message: Outgoing) => boolean,
    private readonly is_live_: () => boolean,
    private readonly phantom_: () => PhantomDrive,
  ) {
    for (const mode of kModes) {
      const button = make_button(mode, mode === this.mode, () => this.choose(mode));
      this.buttons_.set(mode, button);
      by_id('modes').append(button);
    }
    this.drive_ = new HandDrive(
      (stick) => this.send_drive(stick),
      () => this.stop(),
    );
    by_id('stop').addEventListener('click', () => this.stop());
    // before anything else gets it: the space bar stops, whatever has the focus. Enter presses buttons.
    window.addEventListener('keydown', (event) => this.key(event), { capture: true });
    window.addEventListener('keyup', (event) => this.swallow_space(event), { capture: true });
  }

  get may_command(): boolean {
    return this.session_.mode === 'demo' || this.session_.mode === 'operate';
  }

  // With no connection to the robot: its model is enough.
  private get may_rehearse(): boolean {
    return this.may_command && selected_robot(this.session_)?.world != null;
  }

  choose(mode: ControlMode): void {
    this.proposals_.make_void();
    this.mode = mode;
    this.chosen_ = true;
    this.said_ms_ = -Infinity;
    this.update(performance.now());
  }

  stop(): void {
    this.proposals_.make_void();
    const robot = selected_robot(this.session_);
    if (!this.may_command || robot === null) return;
    this.drive_.let_go();
    this.stop_.press(robot.info.id, robot.outcomes[0]?.number ?? -1, performance.now());
    this.said_ms_ = -Infinity;
    this.send_stop();
  }

  // The number of a goal that somebody has just chosen; null: goals cannot be given now.
  propose_goal(): number | null {
    return this.mode === 'goal' && this.may_command && this.is_live_() ? this.proposals_.make() : null;
  }

  // A place was chosen; the core has looked whether the robot can stand there. Void when a stop came meanwhile.
  send_goal(proposal: number, robot: number, { x, y }: Point, refusal: string | null): void {
    if (!this.proposals_.take(proposal) || !this.may_command) return;
    if (refusal !== null) return this.say(`No goal: ${refusal}`);
    // a stop that still waits goes first, and if it cannot go, neither can this
    this.send_stop();
    if (this.stop_.unsent !== null) return;
    const state = this.session_.robots.get(robot);
    const after = state?.outcomes[0]?.number ?? -1;
    if (!this.send_({ type: 'goal', robot, x, y })) {
      return this.say('The goal was not sent: there is no connection to the program.');
    }
    this.said_ms_ = -Infinity;
    if (state !== undefined) state.progress = begin_goal(robot, { x, y }, after);
  }

  say(text: string): void {
    this.said_ = text;
    this.said_ms_ = performance.now();
  }

  // It was said of what was there before a recording jumped.
  forget_said(): void {
    this.said_ms_ = -Infinity;
  }

  // What is held was meant for what was there before: for this connection, and for a robot that nobody had stopped.
  let_go(): void {
    this.drive_.let_go();
  }

  // A connection was lost or found.
  take_connection(): void {
    this.newest_drive_ = -1;
    this.let_go();
    if (this.session_.connection.kind !== 'open') this.stop_.take_lost_connection();
  }

  take_outcome(outcome: Outcome): void {
    const { robot, command, state, text } = outcome;
    this.stop_.take_outcome(outcome, performance.now());
    if (this.ends_driving(outcome)) this.let_go();
    // what was held while driving is answered ten times a second: only what went wrong is worth a word
    if (command === 'drive' && (state === 'sent' || state === 'confirmed')) return;
    if (command === '') return this.say(`Not understood: ${text}`);
    // the steps tell what became of a goal
    if (robot !== this.session_.selected || command === 'goal') return;
    this.say(`${kNames[command] ?? command}: ${kMarks[state]} ${text || kStates[state]}`);
  }

  update(local_ms: number): void {
    // somebody who tries the demo clicks first
    if (!this.chosen_ && this.session_.mode === 'demo') this.mode = 'goal';
    const usable = this.may_command && this.is_live_();
    if (!this.may_command) this.mode = 'watch';
    for (const [mode, button] of this.buttons_) {
      set_pressed(button, mode === this.mode);
      button.disabled = mode === 'mission' ? !this.may_rehearse : mode !== 'watch' && !usable;
    }
    by_id('modes').hidden = this.session_.mode === 'watch' || this.session_.mode === 'replay';
    const rehearses = this.mode === 'mission' && this.phantom_().wants_stick;
    this.drive_.set_active((usable && this.mode === 'drive') || rehearses);
    document.body.dataset.mode = usable || this.mode === 'mission' ? this.mode : 'watch';
    this.send_stop();
    this.update_stop(local_ms);
    by_id('said').dataset.tone = this.stop_.unsent === null ? 'calm' : 'alarm';
    const robot = selected_robot(this.session_);
    const stop = this.stop_.state(robot?.info.id ?? null, local_ms);
    const waits = stop === 'sent' || stop === 'unsent';
    // as long as nobody knows whether the robot stops, its way to a goal is not the news
    const goal = this.steps_.update(usable ? (robot?.progress ?? null) : null, local_ms, waits);
    const said = local_ms < this.said_ms_ + kSay_ms ? this.said_ : '';
    const sent = stop === 'sent' ? `Stop for ${robot!.info.name} is on its way; the robot has not confirmed it yet.` : '';
    const hindered = this.hindrance(robot);
    if (hindered !== '') by_id('said').dataset.tone = 'alarm';
    set_text(by_id('said'), said || sent || hindered || goal || this.hint());
  }

  // What holds the hand back, or touches the robot, as far as the newest report still says what is so.
  private hindrance(robot: RobotState | null): string {
    const moment = this.is_live_() ? (robot?.now ?? null) : null;
    return describe_hindrance(moment?.report?.hindrance ?? null, moment?.gap ?? Infinity);
  }

  private offer(robot: RobotState | null): Offer {
    return offer_to_hand(robot?.link?.round_trip_s ?? 0, robot?.now?.in95?.radius ?? 0);
  }

  // Whoever pressed stop, on this page or on another one; and a push that did not get through.
  private ends_driving({ robot, command, state, number }: Outcome): boolean {
    if (robot !== this.session_.selected) return false;
    if (command === 'stop') return true;
    if (command !== 'drive') return false;
    // that a newer push took its place says nothing about the newer one
    const newest = number >= this.newest_drive_;
    this.newest_drive_ = Math.max(this.newest_drive_, number);
    return newest && (state === 'failed' || state === 'refused');
  }

  // A stop, and nothing else, waits for a connection.
  private send_stop(): void {
    const robot = this.stop_.unsent;
    if (robot === null) return;
    if (this.send_({ type: 'stop', robot })) {
      this.stop_.take_sent();
      this.said_ms_ = -Infinity;
      return;
    }
    const what = this.stop_.lost ? 'STOP IS NOT CONFIRMED' : 'STOP HAS NOT GONE OUT';
    this.say(`${what}: there is no connection to the program. It goes as soon as there is one; no goal goes before it.`);
  }

  private hint(): string {
    if (this.session_.mode === null) return '';
    if (this.session_.mode === 'replay') return 'You are looking at a recording: nothing in it can be changed.';
    if (!this.may_command) return 'You are watching. Driving the robot needs the key of its operator.';
    if (this.mode === 'mission' && this.phantom_().moves_robot) return kMissionHint;
    return this.is_live_() || this.mode === 'mission'
      ? this.offered() + kHints[this.mode]
      : 'You look at the past. Press “now” to command the robot; stop works at any time.';
  }

  // How much of the robot's speed there is to drive with, where that is not all.
  private offered(): string {
    const robot = selected_robot(this.session_);
    if (this.mode !== 'drive' || robot === null) return '';
    const words = describe_offer(this.offer(robot), robot.world?.body[kBody.max_speed] ?? kSlow_mps);
    return words === '' ? '' : `${words} `;
  }

  private update_stop(local_ms: number): void {
    const button = by_id<HTMLButtonElement>('stop');
    const robot = selected_robot(this.session_);
    button.hidden = this.session_.mode === 'watch' || this.session_.mode === 'replay';
    button.disabled = robot === null || !this.may_command;
    const state = this.stop_.state(robot?.info.id ?? null, local_ms);
    button.dataset.state = state;
    const waited = state === 'sent' ? ` ${this.stop_.waited_s(local_ms)} s` : '';
    const label = state === 'unsent' && this.stop_.lost ? 'NOT CONFIRMED' : kStopLabels[state] + waited;
    set_text(button.querySelector('small')!, label);
  }

  private send_drive(stick: Stick): void {
    // one and the same stick drives the phantom or the robot, never both
    if (this.mode === 'mission') return this.phantom_().push(stick);
    const { forward, left } = stick;
    const robot = selected_robot(this.session_);
    if (robot === null || !this.may_command) return;
    const body = robot.world?.body;
    const v = forward * this.offer(robot).share * (body?.[kBody.max_speed] ?? kSlow_mps);
    const w = left * (body?.[kBody.max_turn_rate] ?? 0.5);
    const id = robot.info.id;
    // told again with each push: one that is lost does not matter
    const flippers = this.flippers_?.robot === id ? { flippers: this.flippers_.angles } : {};
    this.send_({ type: 'drive', robot: id, v, w, ...flippers });
  }

  // Of the robot that is chosen; it is driven by hand then, and stands unless somebody pushes.
  move_flippers(angles: Flippers): void {
    const robot = selected_robot(this.session_);
    if (robot === null || !this.may_command) return;
    this.flippers_ = { robot: robot.info.id, angles };
    if (!this.drive_.moving) this.send_({ type: 'drive', robot: robot.info.id, v: 0, w: 0, flippers: angles });
  }

  private key(event: KeyboardEvent): void {
    if (event.code === 'Space' && this.may_command) {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) this.stop();
    }
    if (event.code === 'Escape') this.choose('watch');
  }

  private swallow_space(event: KeyboardEvent): void {
    if (event.code === 'Space' && this.may_command) event.preventDefault();
  }
}
