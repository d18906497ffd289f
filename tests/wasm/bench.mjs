// How fast core.wasm predicts under Node: node bench.mjs core.wasm core_api.h FOLDER (which core_probe filled)
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Core, read_calls, read_layouts, scenario_of, time_of } from './core.mjs';

const [, , wasm_path, header_path, folder] = process.argv;
const layout = read_layouts(header_path);
const bytes = readFileSync(wasm_path);
const core = new Core(new WebAssembly.Module(bytes));
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
