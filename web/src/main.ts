// The page: puts link, predictor, session, views and panels together, and draws.

import { Predictor } from './core/predictor';
import type { FromWorker } from './core/worker_messages';
import { Connection } from './link/connection';
import type { Incoming, Replay } from './link/messages';
import type { Frame, Point } from './link/protocol';
import { fill_camera_bar } from './panel/camera_bar';
import { Controls } from './panel/controls';
import { DemoPanel } from './panel/demo';
import { by_id } from './panel/dom';
import { Intro } from './panel/intro';
import { Legend } from './panel/legend';
import { LinkPanel } from './panel/link_panel';
import { Overlay } from './panel/overlay';
import { listen_to_plan_buttons, listen_to_plan_keys, listen_to_zoom, on_click } from './panel/pointing';
import { ReplayBar } from './panel/replay_bar';
import { RobotList } from './panel/robot_list';
import { update_split } from './panel/split';
import { Timeline } from './panel/timeline';
import type { Moment } from './state/history';
import { ReplayClock } from './state/replay_clock';
import {
  distance,
  forget_robot,
  make_session,
  predictable,
  selected_robot,
  take_frame,
  take_hello,
  take_link,
  take_outcome,
  take_report,
  take_truth,
  type RobotState,
  type Session,
} from './state/session';
import { draw_chart } from './view/chart';
import { is_way_to, make_picture, type Layers, type Picture } from './view/picture';
import { PlanView } from './view/plan';
import { View3d } from './view/view3d';

const kFlat = 'This browser shows no 3D pictures (WebGL 2 is missing or switched off). This plan shows the same robot.';
const kPanelEvery_ms = 100;
const kPlanEvery_ms = 50;
const kChartEvery_ms = 200;
const kBeamsEvery_ms = 200;
const kWayEvery_ms = 1000;
const kWayThenEvery_ms = 300; // somebody who moves the time line sees another moment each time
const kBack_s = 2; // a recording that is so much further back than it was has jumped
const kViewBy_ms = 1500; // since the page was opened, whether there is a model or not
const kNear = 0.8; // [m] a click as close as this to a robot means it

const session = make_session();
const layers: Layers = {
  region: true,
  ahead: true,
  trails: true,
  extrapolated: true,
  truth: true,
  beams: true,
  values: false,
};
const bundles = new Map<string, Promise<ArrayBuffer>>();
const due_ms = new Map<string, number>();

const predictor = new Predictor(new URL('core.wasm', document.baseURI).href, take_from_worker);
const ws_url = new URL('ws', document.baseURI);
ws_url.protocol = ws_url.protocol === 'https:' ? 'wss:' : 'ws:';
const connection = new Connection(ws_url.href, {
  state: (state) => (session.connection = state),
  message: take_message,
  frame: take_binary,
});
const timeline = new Timeline();
const replay_clock = new ReplayClock();
const replay_bar = new ReplayBar((message) => connection.send(message));
const controls = new Controls(
  session,
  (message) => connection.send(message),
  () => timeline.live,
);
const demo = new DemoPanel((settings) => connection.send({ type: 'demo', ...settings }));
const intro = new Intro();
const legend = new Legend(layers, () => due_ms.delete('way'));
const link_panel = new LinkPanel();
const robot_list = new RobotList(session, () => {
  due_ms.clear();
  if (picture !== null) view?.choose_camera(view.cameras.name, selected_robot(session)?.now?.predicted ?? null);
});
const overlay = new Overlay((what) => {
  if (what === 'reload') location.reload();
  if (what === 'reconnect') connection.retry_now();
  const robot = selected_robot(session);
  if (what === 'load_model' && robot !== null) load_model(robot);
});
let view: View3d | null = null; // made once the worker has the model: meanwhile it would only be in the way
let view_made = false;
let pictured = false;
const plan_canvas = by_id<HTMLCanvasElement>('plan');
const plan = new PlanView(plan_canvas);
let picture: Picture | null = null;
let drawn_ms = performance.now();

// -- what comes in ---------------------------------------------------------------------------------------------------

function take_message(message: Incoming): void {
  switch (message.type) {
    case 'hello':
      for (const robot of take_hello(session, message)) load_model(robot);
      robot_list.set_robots();
      return;
    case 'link':
      return take_link(session, message, page_time(performance.now()));
    case 'outcome':
      take_outcome(session, message);
      return controls.take_outcome(message);
    case 'replay':
      return take_replay(message, performance.now());
    case 'demo':
      session.demo = message;
  }
}

// The page's time: of a recording, where it is played.
const page_time = (local_ms: number): number => (session.replay === null ? local_ms : replay_clock.now(local_ms));

function take_replay(message: Replay, local_ms: number): void {
  // a program that was started anew counts its jumps anew
  const went_back = message.at_s < page_time(local_ms) / 1000 - kBack_s;
  const jumped = session.replay === null || session.replay.jump !== message.jump || went_back;
  replay_clock.take(message, local_ms, jumped);
  session.replay = message;
  if (jumped) due_ms.clear();
  for (const robot of session.robots.values()) {
    if (jumped) {
      forget_robot(robot);
      predictor.forget(robot.info.id);
    } else if (robot.report === null) robot.now = null;
  }
}

function take_binary(frame: Frame, local_ms: number): void {
  const robot = session.robots.get(frame.robot);
  if (robot === undefined) return;
  if (frame.kind === 'truth') return take_truth(robot, frame);
  robot.clock.take(frame.robot_now_ns, page_time(local_ms));
  if (frame.kind !== 'report') return;
  take_report(robot, frame.report);
  predictor.post({ type: 'report', robot: frame.robot, body: frame.body, each: session.replay !== null });
}

function take_from_worker(message: FromWorker): void {
  if (message.type === 'started') session.core = 'ready';
  if (message.type === 'failed') session.core = { failed: message.reason, text: message.text };
  if (message.type === 'frame') {
    for (const frame of message.frames) {
      const robot = session.robots.get(frame.id);
      if (robot !== undefined) take_frame(robot, frame);
    }
    const ahead_of = message.ahead === null ? undefined : session.robots.get(message.ahead.robot);
    if (ahead_of !== undefined) ahead_of.ahead = message.ahead!.points;
    return;
  }
  const robot = 'robot' in message ? session.robots.get(message.robot) : undefined;
  if (robot === undefined) return;
  if (message.type === 'world' && message.hash === robot.info.model) robot.world = message.world;
  if (message.type === 'model_refused') {
    robot.problem = message.text || 'the predictor refused it';
    bundles.delete(message.hash);
  }
  if (message.type === 'beams') robot.beams = message.beams;
  if (message.type === 'way') {
    const { goal, path } = message;
    const known = is_way_to(robot, goal) ? robot.way!.values : null;
    robot.way = { goal, path, values: message.values ?? known };
  }
  if (message.type === 'place') controls.send_goal(message.robot, message, message.refusal);
}

async function fetch_bundle(hash: string, cache: RequestCache): Promise<ArrayBuffer> {
  const response = await fetch(new URL(`model/${hash}`, document.baseURI), { cache });
  if (!response.ok) throw new Error(`the program answered ${response.status} when asked for the model ${hash}`);
  return response.arrayBuffer();
}

function load_model(robot: RobotState): void {
  const hash = robot.info.model;
  // what could not be used must not come out of the browser's cache again
  if (!bundles.has(hash)) bundles.set(hash, fetch_bundle(hash, robot.problem === null ? 'default' : 'reload'));
  robot.problem = null;
  bundles.get(hash)!.then(
    (bytes) => {
      predictor.post({ type: 'model', robot: robot.info.id, hash, bytes });
      make_view_once();
    },
    (error: unknown) => {
      bundles.delete(hash);
      robot.problem = error instanceof Error ? error.message : String(error);
    },
  );
}

// -- views -----------------------------------------------------------------------------------------------------------

function make_view(): View3d | null {
  try {
    const made = new View3d(by_id('view'));
    fill_camera_bar(made.cameras.name, (name) =>
      made.choose_camera(name, selected_robot(session)?.now?.predicted ?? null),
    );
    on_click(made.canvas, (x, y) => take_click(made.floor_at(x, y)));
    return made;
  } catch (error) {
    console.error(error);
    // the plan takes its place
    by_id('plan-title').textContent = kFlat;
    by_id('plan-large').click();
    return null;
  }
}

function make_view_once(): void {
  if (!view_made) view = make_view();
  view_made = true;
}

// A place in one of the views: a goal for the robot; else, while watching, the robot that stands there.
function take_click(place: Point | null): void {
  if (place === null) return;
  if (controls.mode === 'goal') return propose_goal(place);
  const away = (pose: Point | null): number => (pose === null ? Infinity : distance(pose, place));
  const nearest = picture?.robots
    .filter(({ moment }) => away(moment.predicted) < kNear)
    .sort((a, b) => away(a.moment.predicted) - away(b.moment.predicted))[0];
  if (nearest !== undefined && controls.mode === 'watch') robot_list.choose(nearest.id);
}

function propose_goal({ x, y }: Point): void {
  const robot = selected_robot(session);
  if (robot === null || controls.mode !== 'goal' || !controls.may_command || !timeline.live) return;
  predictor.post({ type: 'check_place', robot: robot.info.id, x, y });
}

function listen_to_plan(): void {
  on_click(plan_canvas, (x, y) => take_click(plan.world_at(x, y)));
  listen_to_zoom(plan_canvas, plan);
  listen_to_plan_buttons(plan, () => due_ms.delete('plan'));
  listen_to_plan_keys(plan_canvas, plan, {
    may_point: () => controls.mode === 'goal',
    from: () => picture?.subject?.moment.predicted ?? null,
    choose: propose_goal,
  });
}

// -- drawing ---------------------------------------------------------------------------------------------------------

// True at most once in so many milliseconds.
function due(name: string, every_ms: number, local_ms: number): boolean {
  if (local_ms < (due_ms.get(name) ?? -Infinity)) return false;
  due_ms.set(name, local_ms + every_ms);
  return true;
}

// What the replica sees and plans at the moment that is looked at: now, or then.
function ask_for_layers(robot: RobotState, { predicted: pose, goal }: Moment, local_ms: number): void {
  if (pose === null) return;
  if (layers.beams && due('beams', kBeamsEvery_ms, local_ms))
    predictor.post({ type: 'beams', robot: robot.info.id, pose });
  if (goal === null || !due('way', timeline.live ? kWayEvery_ms : kWayThenEvery_ms, local_ms)) return;
  const with_values = layers.values && (!is_way_to(robot, goal) || robot.way?.values == null);
  predictor.post({ type: 'way', robot: robot.info.id, from: pose, goal, with_values });
}

function update_panels(now: Picture, local_ms: number): void {
  link_panel.update(session, now, local_ms, page_time(local_ms));
  overlay.update(session, local_ms);
  controls.update(local_ms);
  demo.update(session.demo, session.mode === 'demo', local_ms);
  intro.update(session.demo, session.mode === 'demo');
  robot_list.update();
  legend.update(session.mode);
  update_split(now);
}

function draw(local_ms: number): void {
  requestAnimationFrame(draw);
  const step_s = Math.min(0.25, Math.max(0, (local_ms - drawn_ms) / 1000));
  drawn_ms = local_ms;
  const page_ms = page_time(local_ms);
  predictor.ask(predictable(session, page_ms), session.selected, page_ms, local_ms);
  const robot = selected_robot(session);
  if (session.replay === null) timeline.update(local_ms / 1000, robot?.history.oldest_s ?? NaN, step_s);
  replay_bar.update(session.replay, session.recorded_s, page_ms / 1000, local_ms);
  picture = make_picture(session, layers, demo.without && session.mode === 'demo', timeline.back_to_s, page_ms);
  if (robot !== null && picture.subject !== null) ask_for_layers(robot, picture.subject.moment, local_ms);
  view?.draw(picture, step_s);
  if (due('plan', kPlanEvery_ms, local_ms)) plan.draw(picture);
  if (due('chart', kChartEvery_ms, local_ms)) draw_chart(by_id<HTMLCanvasElement>('chart'), picture);
  if (due('panel', kPanelEvery_ms, local_ms)) update_panels(picture, local_ms);
  if (local_ms > kViewBy_ms) make_view_once();
  if (!pictured && document.body.dataset.state === 'live') {
    pictured = true;
    // by the next frame this one has been drawn; read by e2e/measure.mjs
    requestAnimationFrame(() => performance.mark('first-picture'));
  }
}

// To look inside, from the browser's console and from tests. Nothing here reads it.
declare global {
  interface Window {
    forerun: { session: Session; picture: () => Picture | null; plan: PlanView; view: () => View3d | null };
  }
}
window.forerun = { session, picture: () => picture, plan, view: () => view };

listen_to_plan();
requestAnimationFrame(draw);
