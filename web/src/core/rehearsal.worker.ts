// The worker that rehearses: a core of its own, so that predictions go on while a mission is computed.

import type { Pose } from '../link/protocol';
import { kPhantom } from './layout';
import { RehearsalCore, Refusal } from './rehearsal_core';
import type { FromRehearsal, ToRehearsal } from './rehearsal_messages';
import { StepRefusal, TryOut } from './try_out';

type Asked<T extends ToRehearsal['type']> = Extract<ToRehearsal, { type: T }>;

interface Rehearsal {
  core: RehearsalCore;
  try_out: TryOut;
}

let rehearsal: Rehearsal | null = null;
let n_told = 0; // points of the path that the page knows
let revision = 0;
let driving = false;
let inbox: Promise<void> = Promise.resolve(); // one after the other, also while a core is fetched

const post = (message: FromRehearsal): void => postMessage(message);
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function open({ wasm_url, bytes }: Asked<'open'>): Promise<void> {
  rehearsal = null;
  // the page has just used it: from the cache it comes also when the program is gone
  const response = await fetch(wasm_url, { cache: 'force-cache' });
  if (!response.ok) throw new Refusal(`${wasm_url}: the server answered ${response.status}`);
  const core = new RehearsalCore(await WebAssembly.compile(await response.arrayBuffer()));
  const model = core.create_model(new Uint8Array(bytes));
  if (model === 0) throw new Refusal(core.text());
  const try_out = new TryOut({
    begin: ({ x, y, heading }: Pose) => core.begin(model, x, y, heading),
    drive: (v, w, step_s) => core.drive(v, w, step_s),
    send: (x, y, wait_s, action) => core.send(x, y, wait_s, action),
    run: (step_s) => core.run(step_s),
    keep: (n_steps) => core.keep(n_steps),
  });
  rehearsal = { core, try_out };
}

function tell({ core, try_out }: Rehearsal): void {
  const state = core.state();
  const from = Math.min(n_told, state[kPhantom.points]!);
  const tried = core.tried(from);
  n_told = state[kPhantom.points]!;
  const { n_steps, resting, ended } = try_out;
  post({ type: 'phantom', state, tried, from, n_steps, resting, ended });
}

// In slices: a step that is changed meanwhile is not driven to its end first.
async function drive_on(): Promise<void> {
  if (driving) return;
  driving = true;
  try {
    while (rehearsal !== null && !rehearsal.try_out.resting) {
      rehearsal.try_out.go_on();
      tell(rehearsal);
      await breathe();
    }
  } catch (error) {
    complain('steps', error);
    if (rehearsal !== null) tell(rehearsal);
  } finally {
    driving = false;
  }
}

function take_steps({ try_out, core }: Rehearsal, { start, steps }: Asked<'steps'>): void {
  try_out.want(start, steps);
  // of what was taken back and driven anew, other points have the same numbers
  n_told = Math.min(n_told, core.state()[kPhantom.points]!);
  tell({ try_out, core });
  void drive_on();
}

function answer_cuts({ core }: Rehearsal): void {
  post({ type: 'cuts', revision, cuts: core.cuts(), uncut: core.uncut() });
}

function handle(open_now: Rehearsal, message: ToRehearsal): void {
  const { core, try_out } = open_now;
  switch (message.type) {
    case 'open':
      return;
    case 'steps':
      return take_steps(open_now, message);
    case 'drive':
      try_out.push(message.id, message);
      return tell(open_now);
    case 'trim':
      core.trim(message.redundancy);
      return answer_cuts(open_now);
    case 'apply':
      core.apply(message.cut, message.applied);
      return answer_cuts(open_now);
    case 'compute':
      core.compute();
      return post({ type: 'mission', revision, ...core.driven() });
    case 'write':
      return post({ type: 'file', revision, text: core.write(message.name) });
    case 'pack':
      post({ type: 'packed', revision, mission: core.pack(message.name) });
  }
}

function complain(what: ToRehearsal['type'], error: unknown): void {
  const step = error instanceof StepRefusal ? error.step : null;
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof WebAssembly.RuntimeError) {
    console.error('core.wasm broke a promise:', rehearsal?.core.text(), error);
    rehearsal = null;
    what = 'open'; // the page must begin anew
  }
  post({ type: 'refused', what, revision, step, text });
}

async function take(message: ToRehearsal): Promise<void> {
  if ('revision' in message) revision = message.revision;
  if (message.type === 'open') n_told = 0;
  try {
    if (message.type === 'open') await open(message);
    else if (rehearsal !== null) handle(rehearsal, message);
  } catch (error) {
    complain(message.type, error);
  }
}

onmessage = ({ data }: MessageEvent<ToRehearsal>): void => {
  inbox = inbox.then(() => take(data));
};
