// Starts the real program and a real browser, looks into the page, and keeps pictures of what was seen.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';

export const kPatience_ms = 60_000; // for anything that comes when it comes; what takes longer is stuck
const kOrphan_s = '7200'; // then a program ends by itself, should whoever started it have been killed
const kBrowserFlags = [
  '--no-sandbox', // containers that build and test have no user namespaces
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const kTypes = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const settings = { program: '', pictures: '', page_folder: process.env.FORERUN_PAGE_FOLDER ?? '' };
const programs = new Set(); // that run
const folders = [];
let browser = null; // a promise of it: two may ask at once

export const embedded = settings.page_folder === ''; // the page under test is the program's own

export function configure(program, pictures) {
  mkdirSync(pictures, { recursive: true });
  Object.assign(settings, { program, pictures });
}

process.on('exit', () => programs.forEach((program) => program.child_.kill('SIGKILL')));

// -- the program -----------------------------------------------------------------------------------------------------

export class Program {
  // Starts it and waits until it has printed what is looked for.
  static async start(args, wanted = /http:\/\/localhost:(\d+)/) {
    const program = new Program([...args, '--for-s', kOrphan_s]);
    await program.printed(wanted);
    return program;
  }

  constructor(args) {
    this.out = '';
    this.complaints = '';
    this.child_ = spawn(settings.program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child_.stdout.on('data', (bytes) => (this.out += bytes));
    this.child_.stderr.on('data', (bytes) => (this.complaints += bytes));
    this.ended_ = new Promise((resolve) => this.child_.on('close', (code, signal) => resolve(code ?? signal)));
    programs.add(this);
  }

  get port() {
    return Number(/http:\/\/localhost:(\d+)/.exec(this.out)?.[1]);
  }
  get address() {
    return `http://localhost:${this.port}`;
  }

  async printed(wanted) {
    const seen = new Promise((resolve) => {
      const look = () => wanted.test(this.out) && resolve(true);
      this.child_.stdout.on('data', look);
      look();
    });
    const found = await Promise.race([seen, this.ended_, pause(kPatience_ms)]);
    if (found !== true) throw new Error(`${settings.program} did not print ${wanted}: ${this.out}${this.complaints}`);
  }

  // Ends it as Ctrl-C does. Gives its exit code, or the signal that killed it.
  async end(signal = 'SIGINT') {
    programs.delete(this);
    this.child_.kill(signal);
    const stuck = pause(kPatience_ms).then(() => this.child_.kill('SIGKILL'));
    return Promise.race([this.ended_, stuck.then(() => this.ended_)]);
  }
}

// What the program printed, once it has ended; throws when it failed.
export async function run_program(...args) {
  const program = new Program(args);
  const code = await program.ended_;
  programs.delete(program);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${program.complaints}`);
  return program.out.trim();
}

export const kCtrlC = [0, 130]; // how a program ends that was asked to end and did so in good order

// A folder that is gone when all is done.
export function make_folder() {
  const folder = mkdtempSync(join(tmpdir(), 'forerun-e2e-'));
  folders.push(folder);
  return folder;
}

// -- the browser -----------------------------------------------------------------------------------------------------

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref());

export async function get_browser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  // a page that does not come from the program itself counts as one of the wide world
  const flags = settings.page_folder === '' ? [] : ['--disable-features=LocalNetworkAccessChecks'];
  browser ??= chromium.launch({ executablePath, args: [...kBrowserFlags, ...flags] });
  return browser;
}

export async function finish() {
  await (await browser)?.close();
  await Promise.all([...programs].map((program) => program.end('SIGKILL')));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

// A page in a browser that has seen nothing yet. `options` as playwright's newContext takes them. `complaints` collects
// what the page writes into the console as an error.
export async function open_page(address, options = {}, prepare = async () => {}) {
  const context = await (await get_browser()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(kPatience_ms);
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', ({ message }) => page.complaints.push(message));
  page.on('console', (said) => said.type() === 'error' && page.complaints.push(said.text()));
  if (settings.page_folder !== '') await serve_from(page, settings.page_folder);
  await prepare(page);
  await page.goto(address);
  return page;
}

export const close_page = (page) => page.context().close();

// To try a page that the program does not embed yet: FORERUN_PAGE_FOLDER names what `vite build` made, and
// FORERUN_PAGE_WASM a core that goes with it.
async function serve_from(page, folder) {
  const wasm = process.env.FORERUN_PAGE_WASM;
  if (wasm !== undefined) await page.route(/core\.wasm$/, (route) => route.fulfill({ body: readFileSync(wasm) }));
  await page.route(/:\d+\/(assets\/.*)?$/, (route) => {
    const path = new URL(route.request().url()).pathname;
    const name = path === '/' ? 'index.html' : path.slice(1);
    return route.fulfill({ body: readFileSync(join(folder, name)), contentType: kTypes[extname(name)] });
  });
}

export async function keep_picture(page, name) {
  await page.screenshot({ path: join(settings.pictures, `${name}.png`), timeout: kPatience_ms });
}

// -- what the page shows ---------------------------------------------------------------------------------------------

// What can be read on the page and what it draws, as plain data.
export function look(page) {
  return page.evaluate(() => {
    if (window.forerun === undefined) return { state: 'not started' };
    const { session, picture } = window.forerun;
    const robot = session.robots.get(session.selected);
    const text = (id) => {
      const element = document.getElementById(id);
      return element?.checkVisibility() ? element.innerText : '';
    };
    return {
      state: document.body.dataset.state,
      link: document.body.dataset.link,
      mode: session.mode,
      connection: session.connection.kind,
      age: text('age'),
      warning: text('warning'),
      notice: text('overlay'),
      sees: document.querySelector('#facts > :last-child dd')?.innerText ?? '',
      said: text('said'),
      outcome: robot?.outcomes[0] ?? null, // of the newest command
      stop: document.getElementById('stop').dataset.state,
      past: text('past'),
      drawn: picture()?.subject?.moment ?? null,
      live: picture()?.live,
      now: robot?.now ?? null,
      goal: robot?.report?.goal ?? null,
      task: robot?.report?.task ?? null,
      n_report: robot?.report?.sequence ?? null,
      truth: robot?.truth.map(({ time_ns, pose }) => ({ ...pose, time_s: Number(time_ns) / 1e9 })) ?? [],
    };
  });
}

function describe_briefly({ now, drawn, ...rest }) {
  return JSON.stringify({ ...rest, gap: now?.gap, predicted: now?.predicted, drawn: drawn?.predicted });
}

// Waits until what `look` gives is as `wanted` says, and gives it.
export async function wait_until(page, what, wanted, patience_ms = kPatience_ms) {
  const give_up = Date.now() + patience_ms;
  for (;;) {
    const seen = await look(page);
    if (seen.state !== 'not started' && (await wanted(seen))) return seen;
    if (Date.now() > give_up) throw new Error(`still not ${what}: ${describe_briefly(seen)} ${page.complaints}`);
    await page.waitForTimeout(100);
  }
}

// What the page knows by now is drawn when this ends: the frame that is under way may be older.
export const next_picture = (page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

// Packets come, be they late: on a busy machine some are.
export const is_calm = ({ link }) => link === 'well' || link === 'late';

// Does what sends a command, and waits until the page says that the robot has confirmed it.
export async function wait_until_confirmed(page, command, send) {
  const newest = (await look(page)).outcome?.number ?? -1;
  const sent = await send();
  const is_confirmed = ({ outcome }) => outcome?.command === command && outcome.state === 'confirmed';
  await wait_until(page, 'confirmed', (seen) => is_confirmed(seen) && seen.outcome.number > newest);
  const says_so = ({ said, stop }) =>
    command === 'stop' ? stop === 'confirmed' : /✓|confirmed the goal|on its way to your goal/.test(said);
  await wait_until(page, 'saying so', says_so);
  return sent;
}

export const wait_until_live = (page) => wait_until(page, 'live', ({ state }) => state === 'live');

export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
export const place_of = ({ truth }) => truth.at(-1);
// [m/s] from the last two true places
export function speed_of({ truth }) {
  if (truth.length < 2) return NaN;
  return distance(truth[0], truth[1]) / (truth[1].time_s - truth[0].time_s);
}

// Clicks a place of the world in the plan. Gives the place that was hit: pixels are some centimetres wide.
export async function click_plan(page, place) {
  await page.locator('#plan').scrollIntoViewIfNeeded();
  const [at, hit] = await page.evaluate((wanted) => {
    const { plan } = window.forerun;
    const client = plan.client_at(wanted);
    const pixel = { x: Math.round(client.x), y: Math.round(client.y) };
    return [pixel, plan.world_at(pixel.x, pixel.y)];
  }, place);
  await page.mouse.click(at.x, at.y);
  return hit;
}
