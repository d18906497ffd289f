// What comes in, from the program and from the predicting worker: into the session, and on to whoever must know.

import { MissionFetch } from './core/mission_fetch';
import { Models } from './core/models';
import type { Predictor } from './core/predictor';
import type { FromWorker } from './core/worker_messages';
import type { ConnectionState } from './link/connection';
import type { Hello, Incoming, Replay } from './link/messages';
import type { Frame } from './link/protocol';
import type { Controls } from './panel/controls';
import type { MissionPanel } from './panel/mission_panel';
import type { RobotList } from './panel/robot_list';
import type { OwnCommands } from './state/own_commands';
import { ReplayClock } from './state/replay_clock';
import {
  forget_robot,
  take_ahead,
  take_frame,
  take_hello,
  take_link,
  take_outcome,
  take_report,
  take_truth,
  type RobotState,
  type Session,
} from './state/session';
import { is_way_to } from './view/picture';

const kBack_s = 2; // a recording that is so much further back than it was has jumped

interface Parts {
  predictor: Predictor;
  controls: Controls;
  missions: MissionPanel;
  own_commands: OwnCommands;
  robot_list: RobotList;
  on_jump: () => void; // what was asked for does not hold any more
  on_model: () => void; // the worker gets a model
}

async function fetch_mission(number: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(`mission/${number}`, document.baseURI));
  if (!response.ok) throw new Error(`the program answered ${response.status} when asked for the mission ${number}`);
  return response.arrayBuffer();
}

export async function fetch_bundle(hash: string, cache: RequestCache): Promise<ArrayBuffer> {
  const response = await fetch(new URL(`model/${hash}`, document.baseURI), { cache });
  if (!response.ok) throw new Error(`the program answered ${response.status} when asked for the model ${hash}`);
  return response.arrayBuffer();
}

export class Inbox {
  private readonly replay_clock_ = new ReplayClock();
  private readonly models_: Models;
  private readonly missions_: MissionFetch;

  constructor(
    private readonly session_: Session,
    private readonly parts_: Parts,
  ) {
    this.missions_ = new MissionFetch({
      fetch: fetch_mission,
      ready: (robot, number, object) => parts_.predictor.post({ type: 'mission', robot, number, object }),
    });
    this.models_ = new Models({
      fetch: fetch_bundle,
      is_wanted: (robot, hash) => session_.robots.get(robot)?.info.model === hash,
      ready: (robot, hash, bytes) => {
        parts_.predictor.post({ type: 'model', robot, hash, bytes });
        parts_.on_model();
      },
      failed: (robot, text) => (session_.robots.get(robot)!.problem = text),
    });
  }

  // The page's time: of a recording, where it is played.
  page_time(local_ms: number): number {
    return this.session_.replay === null ? local_ms : this.replay_clock_.now(local_ms);
  }

  load_model(robot: RobotState): void {
    const { id, model } = robot.info;
    this.models_.load(id, model, robot.problem === null ? 'default' : 'reload');
    robot.problem = null;
  }

  // Whatever is held on the page was not meant for what comes after.
  take_connection(state: ConnectionState): void {
    this.session_.connection = state;
    this.parts_.controls.take_connection();
  }

  take_message(message: Incoming): void {
    const session = this.session_;
    switch (message.type) {
      case 'hello':
        return this.take_hello(message);
      case 'link':
        return take_link(session, message, this.page_time(performance.now()));
      case 'outcome':
        take_outcome(session, message, this.page_time(performance.now()));
        this.parts_.own_commands.take_outcome(message, performance.now());
        this.parts_.missions.take_outcome(message);
        return this.parts_.controls.take_outcome(message);
      case 'replay':
        return this.take_replay(message, performance.now());
      case 'demo':
        session.demo = message;
    }
  }

  take_binary(frame: Frame, local_ms: number): void {
    const robot = this.session_.robots.get(frame.robot);
    if (robot === undefined) return;
    if (frame.kind === 'truth') return take_truth(robot, frame);
    if (frame.kind === 'image') {
      robot.images.set(frame.image.camera, frame.image);
      return;
    }
    robot.clock.take(frame.robot_now_ns, this.page_time(local_ms));
    if (frame.kind !== 'report') return;
    take_report(robot, frame.report);
    const { mission } = frame.report;
    // a recording holds no missions
    if (mission !== null && this.session_.replay === null && robot.world !== null && robot.mission?.number !== mission.mission) {
      this.missions_.look(frame.robot, mission.mission, local_ms);
    }
    const each = this.session_.replay !== null;
    this.parts_.predictor.post({ type: 'report', robot: frame.robot, body: frame.body, each });
  }

  take_from_worker(message: FromWorker): void {
    const session = this.session_;
    if (message.type === 'started') session.core = 'ready';
    if (message.type === 'failed') session.core = { failed: message.reason, text: message.text };
    if (message.type === 'frame') this.take_frames(message);
    if (message.type === 'world' || message.type === 'model_refused') this.models_.end(message.robot, message.hash);
    const robot = 'robot' in message ? session.robots.get(message.robot) : undefined;
    if (robot === undefined) return;
    const current = 'hash' in message && message.hash === robot.info.model;
    if (message.type === 'world' && current) robot.world = message.world;
    if (message.type === 'model_refused' && current) robot.problem = message.text || 'the predictor refused it';
    if (message.type === 'mission') {
      const { number, name, path, actions } = message;
      robot.mission = { number, name, path, actions };
    }
    if (message.type === 'beams') robot.beams = message.beams;
    if (message.type === 'way') {
      const { goal, path } = message;
      const known = is_way_to(robot, goal) ? robot.way!.values : null;
      robot.way = { goal, path, values: message.values ?? known };
    }
    if (message.type === 'place') {
      this.parts_.controls.send_goal(message.proposal, message.robot, message, message.refusal);
    }
  }

  private take_hello(hello: Hello): void {
    const session = this.session_;
    const [before, was_replay] = [session.robots, session.replay !== null];
    const to_load = take_hello(session, hello);
    const { predictor, robot_list, on_jump } = this.parts_;
    if (was_replay && session.replay === null) {
      for (const id of before.keys()) predictor.forget(id);
      on_jump();
    }
    predictor.post({ type: 'robots', models: new Map([...session.robots].map(([id, { info }]) => [id, info.model])) });
    for (const robot of to_load) this.load_model(robot);
    robot_list.set_robots();
  }

  private take_replay(message: Replay, local_ms: number): void {
    const session = this.session_;
    // a program that was started anew counts its jumps anew
    const went_back = message.at_s < this.page_time(local_ms) / 1000 - kBack_s;
    const jumped = session.replay === null || session.replay.jump !== message.jump || went_back;
    this.replay_clock_.take(message, local_ms, jumped);
    session.replay = message;
    if (jumped) {
      this.parts_.on_jump();
      this.parts_.controls.forget_said();
    }
    for (const robot of session.robots.values()) {
      if (jumped) {
        forget_robot(robot);
        this.parts_.predictor.forget(robot.info.id);
      } else if (robot.report === null) robot.now = null;
    }
  }

  private take_frames({ frames, ahead }: Extract<FromWorker, { type: 'frame' }>): void {
    for (const frame of frames) {
      const robot = this.session_.robots.get(frame.id);
      if (robot !== undefined) take_frame(robot, frame);
    }
    const ahead_of = ahead === null ? undefined : this.session_.robots.get(ahead.robot);
    if (ahead_of !== undefined) take_ahead(ahead_of, ahead!.points);
  }
}
