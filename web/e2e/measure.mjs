// Measures the page: node measure.mjs PROGRAM [--minutes 30] [--robots 20]
// How long a browser that has never seen it takes to the first picture of world and robot, what many robots cost, and
// whether it grows while it runs. Nothing here is a test: machines differ. It ends with 1 when the page grew.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  close_page,
  configure,
  finish,
  get_browser,
  make_folder,
  open_page,
  Program,
  run_program,
  wait_until_live,
} from './harness.mjs';

const kLoads = 5;
const kReadings = 30;
// how much higher the lowest reading of the last third may be than that of the middle third: garbage comes and goes
const kAllowed = { heap_MB: 1, process_MB: 15, nodes: 50, listeners: 5, geometries: 2, textures: 2, programs: 0 };

async function time_first_picture(address) {
  const page = await open_page(address);
  const handle = await page.waitForFunction(() => performance.getEntriesByName('first-picture')[0]?.startTime);
  const time_ms = await handle.jsonValue();
  await close_page(page);
  return time_ms;
}

async function measure_loads(demo) {
  await time_first_picture(demo.address); // starts the browser's own processes
  const times_ms = [];
  for (let i = 0; i < kLoads; ++i) times_ms.push(await time_first_picture(demo.address));
  times_ms.sort((a, b) => a - b);
  const texts = times_ms.map((time) => (time / 1000).toFixed(2));
  console.log(`first picture after ${texts[(kLoads - 1) / 2]} s (median of ${kLoads} loads: ${texts.join(', ')} s)`);
}

// The process that holds the page, its worker and the core: as much memory as the system gave it.
async function process_bytes(browser_session) {
  const { processInfo } = await browser_session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const kilobytes = ({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]);
  return 1024 * Math.max(...renderers.map(kilobytes));
}

// -- many robots -----------------------------------------------------------------------------------------------------

const kFleetSeconds = 30;

// Real robots behind real sockets, all delivering, and a relay that passes them on to browsers.
async function start_fleet(n) {
  const served = [];
  for (let i = 0; i < n; ++i) {
    const keys = `${make_folder()}/keys`;
    await run_program('keys', 'new', '--keys', keys);
    const args = `serve --public --listen 127.0.0.1:0 --seed ${i + 1} --keys ${keys}`.split(' ');
    served.push(await Program.start(args, /public key \S+/));
  }
  const places = served.map(({ out }) => {
    const [, address] = /listening on (\S+)/.exec(out);
    return `${/public key (\S+)/.exec(out)[1]}@${address}`;
  });
  const relay = await Program.start(['relay', ...places, '--listen', '127.0.0.1:0']);
  return { relay, end: () => Promise.all([relay, ...served].map((program) => program.end())) };
}

async function cpu_seconds(browser_session, type) {
  const { processInfo } = await browser_session.send('SystemInfo.getProcessInfo');
  return processInfo.filter((info) => info.type === type).reduce((sum, info) => sum + info.cpuTime, 0);
}

// Each of them is predicted, with regions, for every picture that is drawn.
async function measure_fleet(n) {
  const fleet = await start_fleet(n);
  const page = await open_page(fleet.relay.address, { viewport: { width: 1024, height: 768 } });
  await page.waitForFunction((wanted) => {
    const robots = [...(window.forerun?.session.robots.values() ?? [])];
    return robots.length === wanted && robots.every((robot) => robot.now !== null);
  }, n);
  const browser_session = await (await get_browser()).newBrowserCDPSession();
  const before = await cpu_seconds(browser_session, 'renderer');
  const n_pictures = await page.evaluate((seconds) => {
    return new Promise((resolve) => {
      let pictures = 0;
      const end = performance.now() + 1000 * seconds;
      const draw = (time) => {
        ++pictures;
        if (time < end) requestAnimationFrame(draw);
        else resolve(pictures);
      };
      requestAnimationFrame(draw);
    });
  }, kFleetSeconds);
  const cpu = ((await cpu_seconds(browser_session, 'renderer')) - before) / kFleetSeconds;
  const megabytes = (await process_bytes(browser_session)) / 1e6;
  const rate = n_pictures / kFleetSeconds;
  console.log(
    `${n} robot${n === 1 ? '' : 's'}: ${rate.toFixed(1)} pictures a second, the page takes ${(100 * cpu).toFixed(0)} % of a core ` +
      `(${((1000 * cpu) / rate).toFixed(1)} ms a picture) and ${megabytes.toFixed(0)} MB`,
  );
  await close_page(page);
  await fleet.end();
}

// -- growth ----------------------------------------------------------------------------------------------------------

async function read_once(page, session, browser_session) {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  const drawing = await page.evaluate(() => {
    const { info } = window.forerun.view().renderer_;
    return { ...info.memory, programs: info.programs.length };
  });
  return {
    minute: value('Timestamp') / 60,
    heap_MB: value('JSHeapUsedSize') / 1e6,
    process_MB: (await process_bytes(browser_session)) / 1e6,
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
    geometries: drawing.geometries,
    textures: drawing.textures,
    programs: drawing.programs,
  };
}

function judge(readings) {
  const third = Math.floor(readings.length / 3);
  const grown = [];
  for (const [name, allowed] of Object.entries(kAllowed)) {
    const lowest = (rows) => Math.min(...rows.map((row) => row[name]));
    const growth = lowest(readings.slice(-third)) - lowest(readings.slice(third, 2 * third));
    if (growth > allowed) grown.push(`${name} by ${growth.toFixed(1)}`);
  }
  console.log(grown.length === 0 ? 'it does not grow' : `it grows: ${grown.join(', ')}`);
  return grown.length === 0;
}

async function measure_growth(demo, minutes) {
  const page = await open_page(demo.address, { viewport: { width: 1024, height: 768 } });
  await wait_until_live(page);
  const session = await page.context().newCDPSession(page);
  const browser_session = await (await get_browser()).newBrowserCDPSession();
  await session.send('Performance.enable');
  const readings = [];
  let start;
  for (let i = 0; i <= kReadings; ++i) {
    const reading = await read_once(page, session, browser_session);
    start ??= reading.minute;
    reading.minute -= start;
    readings.push(reading);
    if (i === 0) console.log(Object.keys(reading).join('\t'));
    console.log(Object.values(reading).map((number) => number.toFixed(Number.isInteger(number) ? 0 : 1)).join('\t'));
    if (i < kReadings) await page.waitForTimeout((minutes * 60_000) / kReadings);
  }
  await close_page(page);
  return judge(readings);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { minutes: { type: 'string' }, robots: { type: 'string' } } });
if (positionals.length !== 1) {
  console.error('usage: node measure.mjs PROGRAM [--minutes 30] [--robots 20]');
  process.exit(2);
}
configure(resolve(positionals[0]), tmpdir());
const demo = await Program.start('demo --no-open --page-port 0'.split(' '));
try {
  await measure_loads(demo);
  for (const n of [1, Number(values.robots ?? 20)]) await measure_fleet(n);
  const steady = await measure_growth(demo, Number(values.minutes ?? 30));
  process.exitCode = steady ? 0 : 1;
} finally {
  await demo.end();
  await finish();
}
