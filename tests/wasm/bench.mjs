// How fast core.wasm predicts under Node: node bench.mjs core.wasm core_api.h FOLDER (which core_probe filled)
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { Core, read_calls, read_layouts, scenario_of, time_of } from './core.mjs';

const [, , wasm_path, header_path, folder] = process.argv;
const layout = read_layouts(header_path);
const bytes = readFileSync(wasm_path);
const module = new WebAssembly.Module(bytes);
const core = new Core(module);
const api = core.exports;

const kGap = 12.5; // the papers' long gap [s]
const kInterval = 6; // between two reports [s]
const kSweeps = 7;

// Everything that a robot says on a whole delivery, as in the native benchmark.
function drive(model) {
  const { numbers, time_limit } = scenario_of(read_calls(`${folder}/office-delivery.calls`));
  const simulation = core.create_simulation(model, numbers, 1);
  const reports = [];
  for (let until = 0; until < time_limit && api.forerun_simulation_run(simulation, until) === 0; until += kInterval) {
    const body = core.simulated_report(simulation);
    core.with_bytes(body, api.forerun_decode_report);
    const report = core.numbers(layout.FORERUN_REPORT_SIZE);
    const time = time_of(report, layout);
    reports.push({ body, time, driving: report[layout.FORERUN_REPORT_TASK] === 1 });
  }
  api.forerun_simulation_free(simulation);
  return reports;
}

const look_ahead = {
  'whole predictor': (predictor, { body, time }) => {
    const start = performance.now();
    core.resync(predictor, body);
    api.forerun_predictor_advance(predictor, time + BigInt(kGap * 1e9));
    return performance.now() - start;
  },
  'replica alone': (predictor, { body }) => {
    core.resync(predictor, body);
    const start = performance.now();
    api.forerun_predictor_look_ahead(predictor, kGap, kGap);
    return performance.now() - start;
  },
};

// For each report the shortest time of all sweeps [ms]; a new predictor each time, so that it plans as on the drive.
function measure(model, reports, method) {
  const shortest = reports.map(() => Infinity);
  for (let sweep = 0; sweep < kSweeps; ++sweep) {
    const predictor = api.forerun_predictor_create(model);
    if (method === look_ahead['replica alone']) {
      core.resync(predictor, reports[0].body);
      api.forerun_predictor_look_ahead(predictor, 0, 1); // makes it
    }
    reports.forEach((report, i) => (shortest[i] = Math.min(shortest[i], method(predictor, report))));
    api.forerun_predictor_free(predictor);
  }
  return shortest;
}

// A page that watches many robots: every picture asks the predictors of all of them where they are. As the worker of the
// page does it (web/src/core/fleet.ts), without the drawing.
const kRobots = 20;
const kRobotsTogether = 6; // in one instance of the core
const kPictures = 60; // a second
const kWatched = 18; // [s]

function watch_many(reports) {
  const cores = Array.from({ length: Math.ceil(kRobots / kRobotsTogether) }, () => {
    const own = new Core(module);
    return { own, model: own.create_model(readFileSync(`${folder}/office-delivery.model`)) };
  });
  const robots = Array.from({ length: kRobots }, (_, i) => ({
    core: cores[i % cores.length].own,
    predictor: cores[i % cores.length].own.exports.forerun_predictor_create(cores[i % cores.length].model),
    first: (i * 2) % (reports.length - kWatched / kInterval), // each at another place of the delivery
    delay: (i * kInterval) / kRobots, // reports do not come all at once
    report: null,
  }));
  const pictures = [];
  for (let picture = 0; picture < kWatched * kPictures; ++picture) {
    const start = performance.now();
    for (const robot of robots) {
      const elapsed = picture / kPictures - robot.delay;
      if (elapsed < 0) continue;
      const report = reports[robot.first + Math.floor(elapsed / kInterval)];
      if (report !== robot.report) robot.core.resync(robot.predictor, report.body);
      robot.report = report;
      const now = report.time + BigInt(Math.round((elapsed % kInterval) * 1e9));
      robot.core.exports.forerun_predictor_advance(robot.predictor, now);
      robot.core.exports.forerun_predictor_show(robot.predictor, 1 / kPictures);
    }
    // the first reports of all robots are over, and with them their first plans
    if (picture >= kInterval * kPictures) pictures.push(performance.now() - start);
  }
  return pictures.sort((a, b) => a - b);
}

const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

let start = performance.now();
const model = core.create_model(readFileSync(`${folder}/office-delivery.model`));
console.log(`core.wasm: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} with gzip; Node ${process.version}`);
console.log(`model of the office: ready after ${(performance.now() - start).toFixed(0)} ms`);
const reports = drive(model);
// reports after which the robot drove all the time, three intervals being longer than the gap
const drives = reports.map((_, i) => i + 3 < reports.length && reports.slice(i, i + 4).every((r) => r.driving));
for (const [name, method] of Object.entries(look_ahead)) {
  const times = measure(model, reports, method);
  const driving = times.filter((_, i) => drives[i]);
  console.log(
    `${name}: ${((1e3 * kGap) / mean(driving)).toFixed(0)} simulated seconds per second while driving, ` +
    `${((1e3 * kGap) / mean(times)).toFixed(0)} with waits; gap of ${kGap} s: ` +
    `${mean(times).toFixed(2)} ms on average over ${times.length} reports, ${Math.max(...times).toFixed(2)} ms at most`);
}
const memory_before = process.memoryUsage().rss;
const pictures = watch_many(reports);
console.log(
  `${kRobots} robots in one tab, whole predictors, ${kPictures} pictures a second: ` +
  `${(mean(pictures) * kPictures / 10).toFixed(0)} % of one core; a picture takes ${mean(pictures).toFixed(1)} ms on ` +
  `average, ${pictures[Math.floor(0.99 * pictures.length)].toFixed(1)} ms with 99 %, ` +
  `${pictures[pictures.length - 1].toFixed(1)} ms at most; ` +
  `${((process.memoryUsage().rss - memory_before) / 1e6).toFixed(0)} MB`);
const { numbers, time_limit } = scenario_of(read_calls(`${folder}/office-delivery.calls`));
const simulation = core.create_simulation(model, numbers, 1);
start = performance.now();
api.forerun_simulation_run(simulation, time_limit);
const elapsed = performance.now() - start;
api.forerun_simulation_state(simulation);
const state = core.numbers(layout.FORERUN_SIMULATED_SIZE);
const hex = (number) => number.toString(16).padStart(8, '0');
console.log(
  `whole loop, noisy: ${((1e-6 * state[layout.FORERUN_SIMULATED_TIME_NS]) / elapsed).toFixed(0)} × real time ` +
  `(hash ${hex(state[layout.FORERUN_SIMULATED_HASH_HIGH])}${hex(state[layout.FORERUN_SIMULATED_HASH_LOW])})`);
