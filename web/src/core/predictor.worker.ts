// The worker that predicts: model and reports in; poses, regions and ways out, as often as the page asks.

import { Core, OldCore } from './core';
import { Fleet } from './fleet';
import type { FromWorker, ToWorker } from './worker_messages';

type Asked<T extends ToWorker['type']> = Extract<ToWorker, { type: T }>;

const kAhead_s = 12; // as far as an operator plans; further ahead the region says more than the line
const kAheadStep_s = 0.25;
const kAheadEvery_ms = 200;

let fleet: Fleet | null = null;
let waiting: ToWorker[] = [];
// asked for since the last frame, the newest of each: a slow machine leaves some out, and never falls behind
let layers_wanted: { way?: Asked<'way'>; beams?: Asked<'beams'> } = {};
let ahead_at_ms = -Infinity;

const post = (message: FromWorker): void => postMessage(message);

async function start(wasm_url: string): Promise<void> {
  try {
    const response = await fetch(wasm_url);
    if (!response.ok) throw new Error(`${wasm_url}: the server answered ${response.status}`);
    // not by streaming: a server that names another content type must not matter
    const module = await WebAssembly.compile(await response.arrayBuffer());
    fleet = new Fleet(() => new Core(module));
    post({ type: 'started' });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    post({ type: 'failed', reason: error instanceof OldCore ? 'old_core' : 'core', text });
    return;
  }
  const early = waiting;
  waiting = [];
  for (const message of early) handle(fleet, message);
}

function look_ahead(
  robots: Fleet,
  id: number | null,
  local_ms: number,
): { robot: number; points: Float64Array } | null {
  if (id === null || local_ms < ahead_at_ms + kAheadEvery_ms) return null;
  const points = robots.look_ahead(id, kAhead_s, kAheadStep_s);
  if (points === null) return null;
  ahead_at_ms = local_ms;
  return { robot: id, points };
}

function answer_frame(robots: Fleet, message: Asked<'frame'>): void {
  const frames = message.robots.flatMap((request) => robots.frame(request, message.local_ms) ?? []);
  post({ type: 'frame', frames, ahead: look_ahead(robots, message.ahead_of, message.local_ms) });
  const { way, beams } = layers_wanted;
  layers_wanted = {};
  if (way !== undefined) answer_way(robots, way);
  if (beams !== undefined) answer_beams(robots, beams);
}

function answer_way(robots: Fleet, { robot, from, goal, with_values }: Asked<'way'>): void {
  robots.use(robot, (core, model, predictor) => {
    const is_other = core.plan_as_told(model, predictor);
    const values = core.value_function(model, goal.x, goal.y);
    const path = values === null ? new Float64Array() : core.path_from(model, from.x, from.y);
    post({ type: 'way', robot, goal, values: with_values || is_other ? values : null, path });
  });
}

function answer_beams(robots: Fleet, { robot, pose, robot_time_ns }: Asked<'beams'>): void {
  const beams = robots.use(robot, (core, model, predictor) =>
    robot_time_ns === null ? core.beams(model, pose) : core.beams_now(predictor, model, robot_time_ns, pose),
  );
  if (beams !== null) post({ type: 'beams', robot, beams });
}

function handle(robots: Fleet, message: ToWorker): void {
  switch (message.type) {
    case 'start':
      return;
    case 'model': {
      const { robot, hash } = message;
      const world = robots.add(robot, hash, new Uint8Array(message.bytes));
      if (typeof world === 'string') post({ type: 'model_refused', robot, hash, text: world });
      else post({ type: 'world', robot, hash, world });
      return;
    }
    case 'robots':
      return robots.keep(message.models);
    case 'report':
      return robots.report(message.robot, message.body, message.each);
    case 'forget':
      return robots.forget(message.robot);
    case 'give': {
      const { robot, command } = message;
      robots.use(robot, (core, _, predictor) => core.give(predictor, command));
      return;
    }
    case 'settle': {
      const { robot, number, outcome } = message;
      robots.use(robot, (core, _, predictor) => core.settle(predictor, number, outcome));
      return;
    }
    case 'frame':
      return answer_frame(robots, message);
    case 'way':
      layers_wanted.way = message;
      return;
    case 'beams':
      layers_wanted.beams = message;
      return;
    case 'mission': {
      const { robot, number, object } = message;
      const known = robots.mission(robot, number, new Uint8Array(object));
      if (known !== null) post({ type: 'mission', robot, number, ...known });
      return;
    }
    case 'check_place': {
      const { proposal, robot, x, y } = message;
      const place = robots.use(robot, (core, model) => core.check_place(model, x, y));
      post({ type: 'place', proposal, robot, x, y, refusal: typeof place === 'string' ? place : null });
    }
  }
}

onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.type === 'start') void start(data.wasm_url);
  else if (fleet === null) waiting.push(data);
  else handle(fleet, data);
};
