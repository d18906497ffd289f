// The page: puts link, predictor, session, views and panels together, and draws.

import { Predictor } from './core/predictor';
import { fetch_bundle, Inbox } from './incoming';
import { Connection } from './link/connection';
import type { Outgoing } from './link/messages';
import type { Point } from './link/protocol';
import { fill_camera_bar } from './panel/camera_bar';
import { CameraPanel } from './panel/camera_panel';
import { Controls } from './panel/controls';
import { DemoPanel } from './panel/demo';
import { by_id } from './panel/dom';
import { listen_to_loss, show_missing } from './panel/flat';
import { Intro } from './panel/intro';
import { Legend } from './panel/legend';
import { LinkPanel } from './panel/link_panel';
import { MissionPanel } from './panel/mission_panel';
import { Overlay } from './panel/overlay';
import {
  listen_to_drag,
  listen_to_plan_buttons,
  listen_to_plan_keys,
  listen_to_zoom,
  on_click,
} from './panel/pointing';
import { PosturePanel } from './panel/posture_panel';
import { ReplayBar } from './panel/replay_bar';
import { RobotList } from './panel/robot_list';
import { update_split } from './panel/split';
import { Timeline } from './panel/timeline';
import type { Moment } from './state/history';
import type { Mission } from './state/mission';
import { OwnCommands } from './state/own_commands';
import { distance, make_session, predictable, selected_robot, type RobotState, type Session } from './state/session';
import { draw_chart } from './view/chart';
import { is_way_to, make_picture, type Layers, type Picture } from './view/picture';
import { PlanView } from './view/plan';
import { View3d } from './view/view3d';

const kPanelEvery_ms = 100;
const kPlanEvery_ms = 50;
const kChartEvery_ms = 200;
const kBeamsEvery_ms = 200;
const kWayEvery_ms = 1000;
const kWayThenEvery_ms = 300; // somebody who moves the time line sees another moment each time
const kViewBy_ms = 1500; // since the page was opened, whether there is a model or not
const kNear = 0.8; // [m] a click as close as this to a robot means it

const session = make_session();
const layers: Layers = {
  region: true,
  ahead: true,
  trails: true,
  extrapolated: true,
  truth: true,
  seen: true,
  scan: true,
  beams: true,
  values: false,
};
const due_ms = new Map<string, number>();

const wasm_url = new URL('core.wasm', document.baseURI).href;
const predictor = new Predictor(wasm_url, (message) => inbox.take_from_worker(message));
const timeline = new Timeline();
const replay_bar = new ReplayBar((message) => connection.send(message));
// What was sent is predicted through, from when it gets to the robot.
const own_commands = new OwnCommands(session, (message) => predictor.post(message));
function send(message: Outgoing): boolean {
  const sent = connection.send(message);
  if (sent) own_commands.give(message, performance.now());
  return sent;
}
const controls: Controls = new Controls(
  session,
  send,
  () => timeline.live,
  () => missions,
);
const missions: MissionPanel = new MissionPanel(session, {
  wasm_url,
  fetch_model: (hash) => fetch_bundle(hash, 'force-cache'),
  send,
  stop: () => controls.stop(),
  may_command: () => controls.may_command,
  on_choice: () => controls.update(performance.now()),
});
const camera = new CameraPanel((message) => connection.send(message));
const demo = new DemoPanel((settings) => connection.send({ type: 'demo', ...settings }));
const intro = new Intro();
const legend = new Legend(layers, () => due_ms.delete('way'));
const link_panel = new LinkPanel();
const posture_panel = new PosturePanel(
  (flippers) => controls.move_flippers(flippers),
  () => controls.may_command && controls.mode === 'drive' && timeline.live,
);
const robot_list = new RobotList(session, () => {
  due_ms.clear();
  if (picture !== null) view?.choose_camera(view.cameras.name, selected_robot(session)?.now?.predicted ?? null);
});
const overlay = new Overlay((what) => {
  if (what === 'reload') location.reload();
  if (what === 'reconnect') connection.retry_now();
  const robot = selected_robot(session);
  if (what === 'load_model' && robot !== null) inbox.load_model(robot);
});
const inbox = new Inbox(session, {
  predictor,
  controls,
  missions,
  own_commands,
  robot_list,
  on_jump: () => due_ms.clear(),
  on_model: make_view_once,
});

let view: View3d | null = null; // made once the worker has the model: meanwhile it would only be in the way
let view_made = false;
let pictured = false;
const plan_canvas = by_id<HTMLCanvasElement>('plan');
const plan = new PlanView(plan_canvas);
let picture: Picture | null = null;
let drawn_ms = performance.now();
const ws_url = new URL('ws', document.baseURI);
ws_url.protocol = ws_url.protocol === 'https:' ? 'wss:' : 'ws:';
// last: it speaks at once
const connection = new Connection(ws_url.href, {
  state: (state) => inbox.take_connection(state),
  message: (message) => inbox.take_message(message),
  frame: (frame, local_ms) => inbox.take_binary(frame, local_ms),
});

// -- views -----------------------------------------------------------------------------------------------------------

function make_view(): View3d | null {
  try {
    const made = new View3d(by_id('view'));
    fill_camera_bar(
      made.cameras.name,
      (name) => made.choose_camera(name, selected_robot(session)?.now?.predicted ?? null),
      [camera.button],
    );
    listen_to_loss(made.canvas);
    on_click(made.canvas, (x, y) => take_click(made.floor_at(x, y)));
    return made;
  } catch (error) {
    console.error(error);
    show_missing();
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
  if (missions.take_click(place)) return;
  if (controls.mode === 'goal') return propose_goal(place);
  const away = (pose: Point | null): number => (pose === null ? Infinity : distance(pose, place));
  const nearest = picture?.robots
    .filter(({ moment }) => away(moment.predicted) < kNear)
    .sort((a, b) => away(a.moment.predicted) - away(b.moment.predicted))[0];
  if (nearest !== undefined && controls.mode === 'watch') robot_list.choose(nearest.id);
}

function propose_goal({ x, y }: Point): void {
  const robot = selected_robot(session);
  const proposal = robot === null ? null : controls.propose_goal();
  if (robot === null || proposal === null) return;
  predictor.post({ type: 'check_place', proposal, robot: robot.info.id, x, y });
}

function listen_to_plan(): void {
  listen_to_drag(plan_canvas, plan, (place, reach) => missions.grab(place, reach), take_click);
  on_click(plan_canvas, (x, y) => take_click(plan.world_at(x, y)));
  listen_to_zoom(plan_canvas, plan);
  listen_to_plan_buttons(plan, () => due_ms.delete('plan'));
  listen_to_plan_keys(plan_canvas, plan, {
    may_point: () => controls.mode === 'goal' || missions.wants_clicks,
    from: () => picture?.mission?.phantom ?? picture?.subject?.moment.predicted ?? null,
    choose: take_click,
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
  if (layers.beams && due('beams', kBeamsEvery_ms, local_ms)) {
    const robot_time_ns = timeline.live ? (robot.frame?.robot_time_ns ?? null) : null;
    predictor.post({ type: 'beams', robot: robot.info.id, pose, robot_time_ns });
  }
  if (goal === null || !due('way', timeline.live ? kWayEvery_ms : kWayThenEvery_ms, local_ms)) return;
  const with_values = layers.values && (!is_way_to(robot, goal) || robot.way?.values == null);
  predictor.post({ type: 'way', robot: robot.info.id, from: pose, goal, with_values });
}

function update_panels(now: Picture, local_ms: number): void {
  link_panel.update(session, now, local_ms, inbox.page_time(local_ms));
  overlay.update(session, local_ms);
  controls.update(local_ms);
  missions.set_active(controls.mode === 'mission');
  missions.update(local_ms);
  demo.update(session.demo, session.mode === 'demo', local_ms);
  intro.update(session.demo, session.mode === 'demo');
  posture_panel.update(now);
  robot_list.update();
  legend.update(session.mode, now.subject?.moment.report?.scan != null);
  update_split(now);
}

function draw(local_ms: number): void {
  requestAnimationFrame(draw);
  const step_s = Math.min(0.25, Math.max(0, (local_ms - drawn_ms) / 1000));
  drawn_ms = local_ms;
  const page_ms = inbox.page_time(local_ms);
  predictor.ask(predictable(session, page_ms), session.selected, page_ms, local_ms);
  const robot = selected_robot(session);
  if (session.replay === null) timeline.update(local_ms / 1000, robot?.history.oldest_s ?? NaN, step_s);
  replay_bar.update(session.replay, session.recorded_s, page_ms / 1000, local_ms);
  missions.advance(step_s);
  const without = demo.without && session.mode === 'demo';
  picture = make_picture(session, layers, without, timeline.back_to_s, page_ms);
  picture.mission = missions.picture(local_ms);
  if (robot !== null && picture.subject !== null) ask_for_layers(robot, picture.subject.moment, local_ms);
  view?.draw(picture, step_s);
  camera.update(robot, page_ms, local_ms);
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
    forerun: {
      session: Session;
      picture: () => Picture | null;
      plan: PlanView;
      view: () => View3d | null;
      mission: () => Mission;
      camera: CameraPanel;
    };
  }
}
window.forerun = { session, picture: () => picture, plan, view: () => view, mission: () => missions.mission, camera };

listen_to_plan();
requestAnimationFrame(draw);
