// The mission panel: try out, trim, preview, upload, watch. In the first three stages only the phantom moves.

import { kBody } from '../core/layout';
import type { FromRehearsal, Step } from '../core/rehearsal_messages';
import { Rehearser } from '../core/rehearser';
import { mission_parts, type Outcome, type Outgoing } from '../link/messages';
import type { Point, Pose } from '../link/protocol';
import {
  change,
  duration_of,
  kStages,
  make_mission,
  may_enter,
  redundancy_numbers,
  take_from_rehearsal,
  type Mission,
  type Stage,
} from '../state/mission';
import {
  action_under_way,
  actions_of,
  path_of,
  progress_of,
  take_upload,
  went_on_s,
  type Brought,
} from '../state/mission_watch';
import { selected_robot, type Session } from '../state/session';
import { MissionPainter, type MissionPicture } from '../view/mission_picture';
import { by_id, set_text } from './dom';
import { MissionTabs } from './mission_tabs';
import { PreviewStage } from './mission_preview';
import { RobotStages, type RobotSide } from './mission_robot';
import { TrimStage } from './mission_trim';
import { TryOutStage } from './mission_try_out';
import { save_file } from './save_file';
import type { Stick } from './stick';

interface Parts {
  wasm_url: string;
  fetch_model: (hash: string) => Promise<ArrayBuffer>;
  send: (message: Outgoing) => boolean;
  stop: () => void; // the robot
  may_command: () => boolean;
  on_choice: () => void; // keys and pad may drive something else from now on
}

const kTick_ms = 50; // the phantom's time goes on in steps of this
const kPartEvery_ms = 40; // the program takes 50 messages a second from a page
const kKeptRadius = 1; // [m] of a new protected place
const kMostStep_s = 0.5; // a page that was asleep does not make up for it

const rounded = (value: number): number => Math.round(100 * value) / 100;

export class MissionPanel {
  private mission_: Mission = make_mission();
  private active_ = false;
  private readonly rehearser_: Rehearser;
  private readonly painter_ = new MissionPainter();
  private readonly tabs_ = new MissionTabs(kStages, (stage) => this.enter(stage));
  private readonly try_out_: TryOutStage;
  private readonly trim_: TrimStage;
  private readonly preview_: PreviewStage;
  private readonly robot_: RobotStages;
  private stick_: Stick = { forward: 0, left: 0 };
  private hand_: number | null = null; // the step that a hand drives at the moment
  private blocked_ = false; // a push was refused: the stick must be let go first
  private ticked_ms_ = 0;
  private brought_: Brought | null = null;
  private parts_left_: Outgoing[] = [];
  private started_: Outcome | null = null;

  constructor(
    private readonly session_: Session,
    private readonly parts_: Parts,
  ) {
    this.rehearser_ = new Rehearser(parts_.wasm_url, parts_.fetch_model, (message) => this.take(message));
    const mission = (): Mission => this.mission_;
    this.try_out_ = new TryOutStage(mission, {
      choose: (by_hand) => {
        this.mission_.by_hand = by_hand;
        parts_.on_choice();
      },
      set_start: (start) => this.set_start(start),
      set_steps: (steps) => this.set_steps(steps),
      begin_here: () => this.begin_here(),
    });
    this.trim_ = new TrimStage(mission, {
      set_redundancy: (redundancy) => this.retrim(() => (this.mission_.redundancy = redundancy)),
      set_kept: (kept) => this.retrim(() => (this.mission_.kept = kept)),
      apply: (cut, applied) => this.apply(cut, applied),
      point_at: (cut) => (this.mission_.pointed_at = cut),
    });
    this.preview_ = new PreviewStage(mission, { save: () => this.ask_for_file() });
    this.robot_ = new RobotStages(() => this.robot_side(), {
      upload: () => this.upload(),
      start: (number) => this.start_mission(number),
      take_over: () => parts_.stop(),
    });
    window.setInterval(() => this.tick(), kTick_ms);
    window.setInterval(() => this.send_part(), kPartEvery_ms);
  }

  get mission(): Mission {
    return this.mission_;
  }
  // Keys and pad drive the phantom.
  get wants_stick(): boolean {
    return this.active_ && this.mission_.stage === 'try_out' && this.mission_.by_hand && this.mission_.phantom !== null;
  }
  // These stages are about the robot itself.
  get moves_robot(): boolean {
    return this.active_ && (this.mission_.stage === 'upload' || this.mission_.stage === 'watch');
  }
  // A click places something.
  get wants_clicks(): boolean {
    const { stage, by_hand, phantom } = this.mission_;
    return this.active_ && (stage === 'trim' || (stage === 'try_out' && (!by_hand || phantom === null)));
  }

  set_active(active: boolean): void {
    if (active === this.active_) return;
    this.active_ = active;
    this.stick_ = { forward: 0, left: 0 };
    by_id('mission-box').hidden = !active;
    if (!active) return;
    this.rehearser_.retry();
    this.open();
  }

  push(stick: Stick): void {
    this.stick_ = stick;
    if (stick.forward === 0 && stick.left === 0) this.blocked_ = false;
  }

  // True: it was meant for the mission.
  take_click({ x, y }: Point): boolean {
    if (!this.wants_clicks) return false;
    const mission = this.mission_;
    const place = { x: rounded(x), y: rounded(y) };
    if (mission.stage === 'trim') {
      this.retrim(() => mission.kept.push({ id: mission.next_id++, ...place, radius: kKeptRadius }));
    } else if (mission.phantom === null) {
      this.set_start({ ...place, heading: mission.start?.heading ?? 0 });
    } else {
      this.set_steps([...mission.steps, { kind: 'waypoint', id: mission.next_id++, ...place, wait_s: 0, action: '' }]);
    }
    return true;
  }

  // What can be dragged near a place, as a function that moves it; null: nothing is there.
  grab(place: Point, reach: number): ((to: Point, dropped: boolean) => void) | null {
    const mission = this.mission_;
    if (!this.active_ || mission.stage !== 'try_out') return null;
    const near = (at: Point | null): boolean => at !== null && Math.hypot(at.x - place.x, at.y - place.y) <= reach;
    // the newest lies on top
    const step = [...mission.steps].reverse().find((one) => one.kind === 'waypoint' && near(one));
    if (step !== undefined) return (to, dropped) => this.move_step(step.id, to, dropped);
    if (!near(mission.start)) return null;
    return ({ x, y }, dropped) => {
      if (dropped) this.set_start({ ...mission.start!, x: rounded(x), y: rounded(y) });
      else mission.start = { ...mission.start!, x, y };
    };
  }

  take_outcome(outcome: Outcome): void {
    const { command, robot, state, text } = outcome;
    if (robot !== this.session_.selected || (command !== 'start' && command !== 'mission')) return;
    if (command === 'start') this.started_ = outcome;
    const wrong = state === 'refused' || state === 'failed';
    const what = command === 'start' ? 'the mission was not started' : 'the mission was not brought';
    this.mission_.problem = wrong ? `${what}: ${text || 'no answer came'}` : '';
  }

  // Between two pictures.
  advance(step_s: number): void {
    if (this.active_) this.preview_.advance(this.mission_, step_s);
  }

  picture(local_ms: number): MissionPicture | null {
    if (!this.active_) return null;
    if (this.mission_.stage !== 'watch') return this.painter_.paint(this.mission_, local_ms);
    // the phantom shows where the robot should be
    const robot = selected_robot(this.session_);
    const status = robot?.report?.mission ?? null;
    if (robot === null || status === null) return this.painter_.watch(null, [], null);
    const actions = actions_of(status, robot.mission, this.brought_);
    const path = path_of(status, robot.mission, this.brought_);
    const { planned } = progress_of(
      status,
      path,
      robot.report!.pose,
      null,
      went_on_s(robot, action_under_way(status, actions)),
    );
    return this.painter_.watch(path, actions, planned.pose);
  }

  update(local_ms: number): void {
    const robot = selected_robot(this.session_);
    if (this.brought_ !== null) take_upload(this.brought_, robot?.link?.upload ?? null, local_ms);
    if (!this.active_) return;
    this.open();
    const mission = this.mission_;
    document.body.dataset.stage = mission.stage;
    const moves = this.moves_robot;
    by_id('mission-safe').dataset.tone = moves ? 'live' : 'safe';
    set_text(
      by_id('mission-safe'),
      moves ? 'This is the real robot.' : 'Rehearsal: only the phantom moves. Nothing here reaches the robot.',
    );
    by_id('mission-problem').hidden = mission.problem === '';
    set_text(by_id('mission-problem'), sentence_of(mission.problem));
    this.tabs_.update(mission.stage, (stage) => may_enter(mission, stage));
    if (mission.stage === 'try_out') this.try_out_.update(mission);
    if (mission.stage === 'trim') this.trim_.update(mission);
    if (mission.stage === 'preview') this.preview_.update(mission, robot?.world ?? null);
    if (mission.stage === 'upload') this.robot_.update_upload(mission);
    if (mission.stage === 'watch') this.robot_.update_watch(local_ms);
  }

  // -- the rehearsal -------------------------------------------------------------------------------------------------

  // With the model of the robot that is looked at; another model is another world, and begins anew.
  private open(): void {
    const robot = selected_robot(this.session_);
    if (robot === null || robot.world === null || robot.info.model === '') return;
    if (this.rehearser_.open(robot.info.model)) {
      this.mission_ = { ...make_mission(), name: this.mission_.name, revision: this.mission_.revision + 1 };
      this.hand_ = null;
    }
    if (this.mission_.start === null && robot.now?.predicted != null) this.begin_here();
  }

  private begin_here(): void {
    const here = selected_robot(this.session_)?.now?.predicted ?? null;
    if (here === null) return;
    const heading = Math.atan2(Math.sin(here.heading), Math.cos(here.heading));
    this.set_start({ x: rounded(here.x), y: rounded(here.y), heading });
  }

  private set_start(start: Pose): void {
    this.mission_.start = start;
    this.mission_.phantom = null; // until it stands there
    this.mission_.tried = [];
    this.set_steps(this.mission_.steps);
  }

  private set_steps(steps: Step[]): void {
    const mission = this.mission_;
    this.hand_ = null;
    mission.steps = steps;
    mission.resting = false;
    change(mission, 'path');
    this.drive_steps();
  }

  private drive_steps(): void {
    const { start, steps, revision } = this.mission_;
    if (start !== null) this.rehearser_.post({ type: 'steps', revision, start, steps });
  }

  private move_step(id: number, { x, y }: Point, dropped: boolean): void {
    const place = { x: rounded(x), y: rounded(y) };
    const steps = this.mission_.steps.map((step) => (step.id === id ? { ...step, ...place } : step));
    if (dropped) this.set_steps(steps);
    else this.mission_.steps = steps;
  }

  private take(message: FromRehearsal): void {
    if (take_from_rehearsal(this.mission_, message, performance.now())) {
      const { problem } = this.mission_;
      this.set_steps(this.mission_.steps);
      this.mission_.problem = problem;
    }
    if (message.type === 'phantom' && message.ended === this.hand_) this.hand_ = null;
    if (message.type === 'refused' && message.what === 'drive') this.blocked_ = true;
    if (message.type === 'file') save_file(`${this.mission_.name}.json`, message.text);
    if (message.type === 'packed' && message.revision === this.mission_.revision) this.bring(message.mission);
    if (message.type === 'cuts' && this.mission_.stage === 'preview') this.compute();
  }

  private tick(): void {
    const now_ms = performance.now();
    const step_s = Math.min(kMostStep_s, (now_ms - this.ticked_ms_) / 1000);
    const { forward, left } = this.wants_stick && !this.blocked_ ? this.stick_ : { forward: 0, left: 0 };
    const held = forward !== 0 || left !== 0;
    if (this.hand_ === null) {
      this.ticked_ms_ = now_ms;
      if (!held || !this.mission_.resting) return;
      this.begin_hand();
    }
    if (step_s < kTick_ms / 1000) return;
    const steps = Math.floor(step_s / (kTick_ms / 1000));
    this.ticked_ms_ = Math.max(this.ticked_ms_ + steps * kTick_ms, now_ms - 1000 * kMostStep_s);
    const body = selected_robot(this.session_)?.world?.body;
    const v = forward * (body?.[kBody.max_speed] ?? 0.3);
    const w = left * (body?.[kBody.max_turn_rate] ?? 0.5);
    this.rehearser_.post({ type: 'drive', id: this.hand_!, v, w, step_s: (steps * kTick_ms) / 1000 });
  }

  private begin_hand(): void {
    const mission = this.mission_;
    this.hand_ = mission.next_id++;
    change(mission, 'path');
    mission.steps = [...mission.steps, { kind: 'hand', id: this.hand_ }];
    mission.resting = false;
  }

  // -- stages --------------------------------------------------------------------------------------------------------

  private enter(stage: Stage): void {
    const mission = this.mission_;
    if (!may_enter(mission, stage)) return;
    this.stick_ = { forward: 0, left: 0 };
    mission.stage = stage;
    mission.pointed_at = null;
    if ((stage === 'trim' || stage === 'preview') && mission.cuts === null) this.trim();
    else if (stage === 'preview' && mission.rehearsed === null) this.compute();
    if (stage === 'preview' && duration_of(mission) > 0 && mission.preview_s === 0) mission.playing = true;
  }

  private trim(): void {
    const { revision } = this.mission_;
    this.rehearser_.post({ type: 'trim', revision, redundancy: redundancy_numbers(this.mission_) });
  }

  private retrim(set: () => void): void {
    set();
    change(this.mission_, 'path');
    this.trim();
  }

  private apply(cut: number, applied: boolean): void {
    change(this.mission_, 'cuts');
    this.rehearser_.post({ type: 'apply', revision: this.mission_.revision, cut, applied });
  }

  private compute(): void {
    const mission = this.mission_;
    if (mission.computing || mission.rehearsed !== null) return;
    mission.computing = true;
    mission.playing = true;
    this.rehearser_.post({ type: 'compute', revision: mission.revision });
  }

  // -- the robot -----------------------------------------------------------------------------------------------------

  private ask_for_file(): void {
    this.rehearser_.post({ type: 'write', revision: this.mission_.revision, name: this.mission_.name });
  }

  private upload(): void {
    this.rehearser_.post({ type: 'pack', revision: this.mission_.revision, name: this.mission_.name });
  }

  private bring(packed: Uint8Array): void {
    const robot = selected_robot(this.session_);
    if (robot === null || this.mission_.rehearsed === null || !this.parts_.may_command()) return;
    const before = robot.link?.upload?.mission ?? null;
    const { path, actions } = this.mission_.rehearsed;
    this.brought_ = { path, actions, robot: robot.info.id, sent_ms: performance.now(), before, number: null };
    this.started_ = null;
    this.parts_left_ = mission_parts(robot.info.id, packed);
  }

  private send_part(): void {
    const part = this.parts_left_[0];
    if (part === undefined) return;
    if (this.parts_.send(part)) {
      this.parts_left_.shift();
      return;
    }
    this.parts_left_ = [];
    this.brought_ = null;
    this.mission_.problem = 'The mission was not sent: there is no connection to the program.';
  }

  private start_mission(number: string): void {
    const robot = selected_robot(this.session_);
    if (robot === null || !this.parts_.may_command()) return;
    this.started_ = null;
    if (this.parts_.send({ type: 'start', robot: robot.info.id, mission: number })) this.enter('watch');
    else this.mission_.problem = 'The start was not sent: there is no connection to the program.';
  }

  private robot_side(): RobotSide {
    const robot = selected_robot(this.session_);
    return {
      robot,
      may_command: this.parts_.may_command(),
      connected: this.session_.connection.kind === 'open',
      brought: this.brought_?.robot === robot?.info.id ? this.brought_ : null,
      sending: this.parts_left_.length > 0,
      started: this.started_,
    };
  }
}

const sentence_of = (text: string): string =>
  text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
