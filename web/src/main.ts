// The page: puts link, predictor, session, views and panels together, and draws.

import { Predictor } from './core/predictor';
import type { FromWorker } from './core/worker_messages';
import { Connection } from './link/connection';
import type { Incoming } from './link/messages';
import type { Frame, Point } from './link/protocol';
import { Controls } from './panel/controls';
import { DemoPanel } from './panel/demo';
import { by_id, make_button, set_pressed } from './panel/dom';
import { Legend } from './panel/legend';
import { LinkPanel } from './panel/link_panel';
import { Overlay } from './panel/overlay';
import { RobotSelect } from './panel/robot_select';
import { update_split } from './panel/split';
import { Timeline } from './panel/timeline';
import {
  make_session,
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
import { kCameras, type CameraName } from './view/cameras';
import { draw_chart } from './view/chart';
import { make_picture, type Layers, type Picture } from './view/picture';
import { PlanView } from './view/plan';
import { View3d } from './view/view3d';

const kCameraTexts: Record<CameraName, string> = {
  orbit: 'orbit',
  follow: 'follow',
  top: 'top',
  eye: "robot's eye",
  site: 'on site',
};
const kFlat = 'This browser shows no 3D pictures (WebGL 2 is missing or switched off). The plan shows the same robot.';
const kPanelEvery_ms = 100;
const kPlanEvery_ms = 50;
const kChartEvery_ms = 200;
const kBeamsEvery_ms = 200;
const kWayEvery_ms = 1000;
const kCursorStep = 0.25; // [m]
const kClick = 6; // [px] a pointer that moved further was no click

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
const controls = new Controls(
  session,
  (message) => connection.send(message),
  () => timeline.live,
);
const demo = new DemoPanel((settings) => connection.send({ type: 'demo', ...settings }));
const legend = new Legend(layers, () => due_ms.delete('way'));
const link_panel = new LinkPanel();
const robot_select = new RobotSelect(session, () => {
  due_ms.clear();
  if (picture !== null) view?.choose_camera(view.cameras.name, selected_robot(session)?.now?.predicted ?? null);
});
const overlay = new Overlay((what) => {
  if (what === 'reload') location.reload();
  if (what === 'reconnect') connection.retry_now();
  const robot = selected_robot(session);
  if (what === 'load_model' && robot !== null) load_model(robot);
});
const view = make_view();
const plan_canvas = by_id<HTMLCanvasElement>('plan');
const plan = new PlanView(plan_canvas);
let picture: Picture | null = null;
let drawn_ms = performance.now();

// -- what comes in ---------------------------------------------------------------------------------------------------

function take_message(message: Incoming): void {
  switch (message.type) {
    case 'hello':
      for (const robot of take_hello(session, message)) load_model(robot);
      robot_select.update();
      return;
    case 'link':
      return take_link(session, message, performance.now());
    case 'outcome':
      take_outcome(session, message);
      return controls.take_outcome(message);
    case 'demo':
      session.demo = message;
  }
}

function take_binary(frame: Frame, local_ms: number): void {
  const robot = session.robots.get(frame.robot);
  if (robot === undefined) return;
  if (frame.kind === 'truth') return take_truth(robot, frame);
  robot.clock.take(frame.robot_now_ns, local_ms);
  if (frame.kind !== 'report') return;
  take_report(robot, frame.report);
  predictor.post({ type: 'report', robot: frame.robot, body: frame.body });
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
    robot.way = { goal, path, values: message.values ?? robot.way?.values ?? null };
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
    (bytes) => predictor.post({ type: 'model', robot: robot.info.id, hash, bytes }),
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
    const buttons = kCameras.map((name) => {
      const button = make_button(kCameraTexts[name], name === made.cameras.name, () => {
        made.choose_camera(name, selected_robot(session)?.now?.predicted ?? null);
        buttons.forEach((other, i) => set_pressed(other, kCameras[i] === name));
      });
      return button;
    });
    by_id('cameras').append(...buttons);
    on_click(made.canvas, (x, y) => made.floor_at(x, y));
    return made;
  } catch (error) {
    console.error(error);
    by_id('view').dataset.flat = kFlat;
    return null;
  }
}

// Clicks, not the end of a drag, become goals.
function on_click(element: HTMLElement, place_at: (x: number, y: number) => Point | null): void {
  let down: [number, number] | null = null;
  element.addEventListener(
    'pointerdown',
    ({ clientX, clientY, isPrimary }) => (down = isPrimary ? [clientX, clientY] : null),
  );
  element.addEventListener('pointerup', ({ clientX, clientY }) => {
    if (down === null || Math.hypot(clientX - down[0], clientY - down[1]) > kClick) return;
    const place = place_at(clientX, clientY);
    if (place !== null) propose_goal(place);
  });
}

function propose_goal({ x, y }: Point): void {
  const robot = selected_robot(session);
  if (robot === null || controls.mode !== 'goal' || !controls.may_command || !timeline.live) return;
  predictor.post({ type: 'check_place', robot: robot.info.id, x, y });
}

function listen_to_plan(): void {
  on_click(plan_canvas, (x, y) => plan.world_at(x, y));
  const steps: Record<string, [number, number]> = {
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
  };
  plan_canvas.addEventListener('keydown', (event) => {
    if (controls.mode !== 'goal') return;
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const length = kCursorStep * (event.shiftKey ? 4 : 1);
      plan.move_cursor(length * step[0], length * step[1], picture?.subject?.moment.predicted ?? null);
    }
    if (event.key === 'Enter' && plan.cursor !== null) propose_goal(plan.cursor);
  });
  plan_canvas.addEventListener('blur', () => (plan.cursor = null));
}

// -- drawing ---------------------------------------------------------------------------------------------------------

// True at most once in so many milliseconds.
function due(name: string, every_ms: number, local_ms: number): boolean {
  if (local_ms < (due_ms.get(name) ?? -Infinity)) return false;
  due_ms.set(name, local_ms + every_ms);
  return true;
}

function ask_for_layers(robot: RobotState, local_ms: number): void {
  const pose = robot.now?.predicted ?? null;
  if (pose === null || !timeline.live) return;
  if (layers.beams && due('beams', kBeamsEvery_ms, local_ms))
    predictor.post({ type: 'beams', robot: robot.info.id, pose });
  const goal = robot.report?.goal ?? null;
  if (goal === null || !due('way', kWayEvery_ms, local_ms)) return;
  const new_goal = robot.way === null || robot.way.goal.x !== goal.x || robot.way.goal.y !== goal.y;
  const with_values = layers.values && (new_goal || robot.way?.values == null);
  predictor.post({ type: 'way', robot: robot.info.id, from: pose, goal, with_values });
}

function update_panels(now: Picture, local_ms: number): void {
  link_panel.update(session, local_ms);
  overlay.update(session, local_ms);
  controls.update(local_ms);
  demo.update(session.demo, session.mode === 'demo', local_ms);
  legend.update(session.mode);
  update_split(now);
}

function draw(local_ms: number): void {
  requestAnimationFrame(draw);
  const step_s = Math.min(0.25, Math.max(0, (local_ms - drawn_ms) / 1000));
  drawn_ms = local_ms;
  predictor.ask(session, local_ms);
  const robot = selected_robot(session);
  if (robot !== null) ask_for_layers(robot, local_ms);
  timeline.update(local_ms / 1000, robot?.history.oldest_s ?? NaN, step_s);
  picture = make_picture(session, layers, demo.without && session.mode === 'demo', timeline.back_to_s, local_ms);
  view?.draw(picture, step_s);
  if (due('plan', kPlanEvery_ms, local_ms)) plan.draw(picture);
  if (due('chart', kChartEvery_ms, local_ms)) draw_chart(by_id<HTMLCanvasElement>('chart'), picture);
  if (due('panel', kPanelEvery_ms, local_ms)) update_panels(picture, local_ms);
}

// To look inside, from the browser's console and from tests. Nothing here reads it.
declare global {
  interface Window {
    forerun: { session: Session; picture: () => Picture | null; plan: PlanView; view: View3d | null };
  }
}
window.forerun = { session, picture: () => picture, plan, view };

listen_to_plan();
requestAnimationFrame(draw);
