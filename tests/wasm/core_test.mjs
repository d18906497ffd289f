// core.wasm does what the native core does, to the last bit, and nothing else. Run by CTest, which sets
// FORERUN_CORE_WASM, FORERUN_CORE_HEADER, FORERUN_GOLDEN and FORERUN_PROBE (the folder that core_probe filled).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Core, from_hex, read_calls, read_layouts, scenario_of, time_of } from './core.mjs';

const { FORERUN_CORE_WASM, FORERUN_CORE_HEADER, FORERUN_GOLDEN, FORERUN_PROBE } = process.env;
const module = new WebAssembly.Module(readFileSync(FORERUN_CORE_WASM));
const layout = read_layouts(FORERUN_CORE_HEADER);
const kRealities = ['exact', 'noisy', 'mismatched', 'crowded'];
const kScenarios = ['office-delivery', 'museum-tour'];

const read_bundle = (name) => readFileSync(`${FORERUN_PROBE}/${name}.model`);
const read_script = (name) => read_calls(`${FORERUN_PROBE}/${name}.calls`);

function load(name) {
  const core = new Core(module);
  const model = core.create_model(read_bundle(name));
  assert.notEqual(model, 0, core.text());
  return { core, model };
}

// Small and always the same, so that a failure can be repeated.
function make_random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('imports nothing: it has no files, sockets or clock', () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('memory is fixed', () => {
  const { memory } = new Core(module).exports;
  assert.throws(() => memory.grow(1), RangeError);
});

test('exports the functions of the header and no others', () => {
  const header = readFileSync(FORERUN_CORE_HEADER, 'utf8').replace(/\/\/.*$/gm, '');
  const declared = [...header.matchAll(/\b(forerun_\w+)\(/g)].map(([, name]) => name);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.deepEqual(exported.sort(), ['memory', '_initialize', ...declared].sort());
  assert.equal(new Core(module).exports.forerun_api_version(), layout.FORERUN_API_VERSION);
});

const golden = readFileSync(FORERUN_GOLDEN, 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
for (const [scenario, reality, seed, reached, collisions, path_length, duration, hash] of golden) {
  test(`${scenario}, ${reality}, reaches the golden hash`, () => {
    const { core, model } = load(scenario);
    const { numbers, time_limit } = scenario_of(read_script(scenario));
    const simulation = core.create_simulation(model, numbers, kRealities.indexOf(reality), Number(seed));
    assert.notEqual(simulation, 0, core.text());
    core.exports.forerun_simulation_run(simulation, time_limit);
    core.exports.forerun_simulation_state(simulation);
    const state = core.numbers(layout.FORERUN_SIMULATED_SIZE);
    const hex = (number) => number.toString(16).padStart(8, '0');
    assert.equal(hex(state[layout.FORERUN_SIMULATED_HASH_HIGH]) + hex(state[layout.FORERUN_SIMULATED_HASH_LOW]), hash);
    assert.equal(state[layout.FORERUN_SIMULATED_REACHED], Number(reached));
    assert.equal(state[layout.FORERUN_SIMULATED_COLLISIONS], Number(collisions));
    assert.equal(state[layout.FORERUN_SIMULATED_PATH_LENGTH].toFixed(3), path_length);
    assert.equal((state[layout.FORERUN_SIMULATED_TIME_NS] / 1e9).toFixed(3), duration);
  });
}

// Each line that the native predictor wrote, done again.
function replay(core, predictor, [name, ...words]) {
  if (name === 'resync') {
    const expected = words[1] === 'known' ? layout.FORERUN_IGNORED : layout.FORERUN_OK;
    assert.equal(core.resync(predictor, from_hex(words[0])), expected);
  }
  if (name === 'give') {
    const [number, kind, given, effect, ...numbers] = words;
    const bytes = new Uint8Array(Float64Array.from(numbers.map(Number)).buffer);
    const status = core.with_bytes(bytes, (at) =>
      core.exports.forerun_predictor_give(predictor, Number(number), Number(kind), BigInt(given), BigInt(effect), at),
    );
    assert.equal(status, layout.FORERUN_OK);
    return;
  }
  if (name === 'settle') {
    const [number, outcome] = words.map(Number);
    assert.equal(core.exports.forerun_predictor_settle(predictor, number, outcome), layout.FORERUN_OK);
    return;
  }
  if (name === 'landing') {
    const [n_places, ...expected] = words.map(Number);
    assert.equal(core.exports.forerun_predictor_landing(predictor), n_places);
    assert.deepEqual([...core.numbers(expected.length)], expected);
    return;
  }
  if (name === 'look_ahead') {
    const [ahead_s, step_s, n_places, ...places] = words.map(Number);
    assert.equal(core.exports.forerun_predictor_look_ahead(predictor, ahead_s, step_s), n_places);
    assert.deepEqual([...core.numbers(3 * n_places)], places);
  }
  if (name === 'advance') {
    const stale = Number(words.at(-1)) === 3;
    const expected = stale ? layout.FORERUN_STALE : layout.FORERUN_OK;
    assert.equal(core.exports.forerun_predictor_advance(predictor, BigInt(words[0])), expected);
    assert.deepEqual([...core.numbers(layout.FORERUN_PREDICTED_SIZE)], words.slice(1).map(Number));
  }
  if (name === 'show') {
    assert.equal(core.exports.forerun_predictor_show(predictor, Number(words[0])), layout.FORERUN_OK);
    assert.deepEqual([...core.numbers(layout.FORERUN_SHOWN_SIZE)], words.slice(1).map(Number));
  }
}

for (const scenario of kScenarios) {
  test(`${scenario}: predictions, regions and what is shown are those of the native core`, () => {
    const { core, model } = load(scenario);
    const predictor = core.exports.forerun_predictor_create(model);
    const calls = read_script(scenario);
    assert.ok(calls.filter(([name]) => name === 'advance').length > 500);
    assert.ok(calls.some(([name, ...words]) => name === 'advance' && words.at(-1) === '3'), 'nothing is ever stale');
    assert.ok(calls.some(([name]) => name === 'look_ahead'));
    assert.ok(calls.filter(([name, n]) => name === 'landing' && Number(n) > 2).length > 5);
    for (const call of calls) replay(core, predictor, call);
  });
}

// Each call that a native operator made, done again: the phantom drives the same way, and the same mission comes of it.
for (const scenario of kScenarios) {
  test(`${scenario}: a rehearsal is that of the native core, to the last letter of its mission`, () => {
    const { core, model } = load(scenario);
    const { exports } = core;
    const [[, ...start], ...calls] = read_calls(`${FORERUN_PROBE}/${scenario}.rehearsal`);
    const rehearsal = exports.forerun_rehearsal_create(model, ...start.map(Number));
    assert.notEqual(rehearsal, 0, core.text());
    for (const [name, ...words] of calls) {
      const expected = words.splice(-1 - layout.FORERUN_PHANTOM_SIZE).map(Number);
      const numbers = words.map(Number);
      const status = name === 'trim' ? core.trim(rehearsal, numbers)
        : name === 'send' ? core.send(rehearsal, ...numbers, 'photo')
        : exports[`forerun_rehearsal_${name}`](rehearsal, ...numbers);
      exports.forerun_rehearsal_state(rehearsal);
      assert.deepEqual([status, ...core.numbers(layout.FORERUN_PHANTOM_SIZE)], expected, `${name}: ${core.text()}`);
      assert.ok(status >= 0, core.text());
    }
    const mission = core.write_mission(rehearsal, 'probe');
    assert.equal(mission, readFileSync(`${FORERUN_PROBE}/${scenario}.mission`, 'utf8'));
    const { path, actions } = JSON.parse(mission).mission;
    const n_points = path.length;
    assert.equal(actions[0][1], 'photo');
    assert.ok(n_points > 100);
    const sealed = Uint8Array.from([...new Uint8Array(128), ...core.pack_mission(rehearsal, 'probe')]);
    const predictor = exports.forerun_predictor_create(model);
    const know = (object) =>
      core.with_bytes(object, (at, size) => exports.forerun_predictor_mission(predictor, 7n, at, size));
    assert.equal(know(sealed), n_points, core.text());
    assert.match(core.text(), /^probe\n\[\[[\d.]+,"photo"\]\]$/);
    assert.equal(know(sealed.subarray(1)), layout.FORERUN_REFUSED);
  });
}

test('rehearsals come and go without leaving memory behind', () => {
  const { core, model } = load('office-delivery');
  const [[, ...start]] = read_calls(`${FORERUN_PROBE}/office-delivery.rehearsal`);
  for (let i = 0; i < 20; ++i) {
    const rehearsal = core.exports.forerun_rehearsal_create(model, ...start.map(Number));
    assert.notEqual(rehearsal, 0, core.text());
    core.exports.forerun_rehearsal_drive(rehearsal, 0.3, 0, 0, 2);
    core.exports.forerun_rehearsal_keep(rehearsal, 0);
    core.exports.forerun_rehearsal_drive(rehearsal, 0.2, 0, 0.1, 2);
    assert.ok(core.trim(rehearsal, [3, 3, 3, 5]) >= 0, core.text());
    assert.ok(core.exports.forerun_rehearsal_compute(rehearsal) > 0, core.text());
    core.exports.forerun_rehearsal_free(rehearsal);
  }
});

test('the newest report once more changes nothing; an older one begins anew', () => {
  const { core, model } = load('office-delivery');
  const reports = read_script('office-delivery').filter(([name]) => name === 'resync').map(([, hex]) => from_hex(hex));
  const predictor = core.exports.forerun_predictor_create(model);
  assert.equal(core.exports.forerun_predictor_advance(predictor, 0n), layout.FORERUN_NOT_YET);
  core.resync(predictor, reports[0]);
  core.exports.forerun_predictor_advance(predictor, 3_000_000_000n);
  const first = [...core.numbers(layout.FORERUN_PREDICTED_SIZE)];
  assert.equal(core.resync(predictor, reports[0]), layout.FORERUN_IGNORED);
  core.resync(predictor, reports[5]);
  assert.equal(core.resync(predictor, reports[0]), layout.FORERUN_OK);
  core.exports.forerun_predictor_advance(predictor, 3_000_000_000n);
  assert.deepEqual([...core.numbers(layout.FORERUN_PREDICTED_SIZE)], first);
});

test('long after the report the prediction stands still and says so', () => {
  const { core, model } = load('office-delivery');
  const [, hex] = read_script('office-delivery').find(([name]) => name === 'resync');
  const predictor = core.exports.forerun_predictor_create(model);
  core.resync(predictor, from_hex(hex));
  assert.equal(core.exports.forerun_predictor_advance(predictor, 2n ** 62n), layout.FORERUN_STALE);
  const gap = core.numbers(layout.FORERUN_PREDICTED_SIZE)[layout.FORERUN_PREDICTED_GAP];
  assert.equal(gap.toFixed(6), layout.FORERUN_HORIZON_S.toFixed(6));
});

test('a report as numbers says what the prediction at its time begins with', () => {
  const { core, model } = load('office-delivery');
  const predictor = core.exports.forerun_predictor_create(model);
  const calls = read_script('office-delivery').filter(([name]) => name === 'resync');
  const body = from_hex(calls[4][1]);
  assert.equal(core.with_bytes(body, core.exports.forerun_decode_report), layout.FORERUN_OK);
  const report = core.numbers(layout.FORERUN_REPORT_SIZE);
  assert.equal(report[layout.FORERUN_REPORT_SEQUENCE], 4);
  assert.equal(report[layout.FORERUN_REPORT_ROBOT], 1);
  const time = time_of(report, layout);
  core.resync(predictor, body);
  core.exports.forerun_predictor_advance(predictor, time);
  const predicted = core.numbers(layout.FORERUN_PREDICTED_SIZE);
  assert.equal(predicted[layout.FORERUN_PREDICTED_GAP], 0);
  assert.equal(predicted[layout.FORERUN_PREDICTED_EXTRAPOLATED], report[layout.FORERUN_REPORT_X]);
  assert.equal(predicted[layout.FORERUN_PREDICTED_EXTRAPOLATED + 1], report[layout.FORERUN_REPORT_Y]);
});

test('the way ahead begins where the robot is predicted and moves no faster than the robot can', () => {
  const { core, model } = load('office-delivery');
  core.exports.forerun_robot_body(model);
  const fastest = core.numbers(layout.FORERUN_BODY_SIZE)[layout.FORERUN_BODY_MAX_SPEED];
  const predictor = core.exports.forerun_predictor_create(model);
  const reports = read_script('office-delivery').filter(([name]) => name === 'resync');
  core.resync(predictor, from_hex(reports[3][1]));
  core.exports.forerun_predictor_advance(predictor, 20_000_000_000n);
  const here = core.numbers(2);
  const count = core.exports.forerun_predictor_look_ahead(predictor, 10, 0.5);
  assert.equal(count, 21);
  const points = core.numbers(3 * count);
  assert.deepEqual([points[0], points[1]], [...here]);
  let length = 0;
  for (let i = 3; i < points.length; i += 3) {
    const step = Math.hypot(points[i] - points[i - 3], points[i + 1] - points[i - 2]);
    assert.ok(step <= 0.5 * fastest * 1.31, `${step} m in 0.5 s`);
    length += step;
  }
  assert.ok(length > 1, 'it drives');
});

test('the path follows the value function down to the goal', () => {
  const { core, model } = load('office-delivery');
  const { numbers } = scenario_of(read_script('office-delivery'));
  const [x, y] = numbers, [goal_x, goal_y] = numbers.slice(5);
  const n_cells = core.exports.forerun_plan(model);
  const [width, height, cell, low_x, low_y] = core.numbers(5);
  assert.equal(n_cells, width * height);
  const clearance = core.cells(n_cells);
  assert.equal(core.exports.forerun_path_from(model, x, y), layout.FORERUN_REFUSED, 'there is no goal yet');
  assert.equal(core.exports.forerun_value_function(model, goal_x, goal_y), n_cells, core.text());
  const values = core.cells(n_cells);
  const count = core.exports.forerun_path_from(model, x, y);
  const path = core.numbers(2 * count);
  let last = Infinity;
  for (let i = 0; i < count; ++i) {
    const index = Math.floor((path[2 * i + 1] - low_y) / cell) * width + Math.floor((path[2 * i] - low_x) / cell);
    assert.ok(values[index] < last && clearance[index] > 0);
    last = values[index];
  }
  assert.equal(last, 0);
  assert.ok(Math.hypot(path.at(-2) - goal_x, path.at(-1) - goal_y) < cell);
});

test('beams end in the world, and the picture has its triangles, doors and colours', () => {
  const { core, model } = load('office-delivery');
  const { numbers } = scenario_of(read_script('office-delivery'));
  const n_triangles = core.exports.forerun_world_triangles(model);
  const triangles = core.numbers(10 * n_triangles);
  const xs = triangles.filter((_, i) => i % 10 < 9 && (i % 10) % 3 === 0);
  const low = xs.reduce((a, b) => Math.min(a, b)), high = xs.reduce((a, b) => Math.max(a, b));
  const n_beams = core.exports.forerun_beams(model, numbers[0], numbers[1], numbers[2]);
  assert.ok(n_beams > 24, core.text());
  const beams = core.numbers(layout.FORERUN_BEAM_SIZE * n_beams);
  let n_echoes = 0;
  for (let i = 0; i < beams.length; i += layout.FORERUN_BEAM_SIZE) {
    if (beams[i + layout.FORERUN_BEAM_ECHO] === 0) continue;
    const x = beams[i + layout.FORERUN_BEAM_TO_X];
    assert.ok(x > low - 0.1 && x < high + 0.1);
    ++n_echoes;
  }
  assert.ok(n_echoes > n_beams / 2);
  assert.ok(core.exports.forerun_world_materials(model) > 0);
  assert.ok(core.exports.forerun_world_doors(model) >= 0);
  core.exports.forerun_world_name(model);
  assert.match(core.text(), /office/);
});

test('frames and reports take no more memory the longer they run', () => {
  const { core, model } = load('office-delivery');
  const predictor = core.exports.forerun_predictor_create(model);
  const { numbers } = scenario_of(read_script('office-delivery'));
  const simulation = core.create_simulation(model, numbers, 2);
  // the largest piece that is still to be had, to a page
  const largest_piece = () => {
    let low = 0, high = 2 ** 28;
    while (high - low > 65536) {
      const middle = (low + high) / 2;
      const at = core.exports.forerun_allocate(middle);
      core.exports.forerun_free(at);
      if (at === 0) high = middle; else low = middle;
    }
    return low;
  };
  let after_first_lap;
  for (let lap = 0; lap < 6; ++lap) {
    for (let i = 0; i < 50; ++i) {
      const now = 5 * lap + 0.1 * i;
      core.exports.forerun_simulation_run(simulation, now);
      if (i % 10 === 0) core.resync(predictor, core.simulated_report(simulation));
      core.exports.forerun_predictor_advance(predictor, BigInt(Math.round(now * 1e9)));
      core.exports.forerun_predictor_show(predictor, 0.1);
      core.exports.forerun_predictor_look_ahead(predictor, 5, 0.5);
    }
    after_first_lap ??= largest_piece();
  }
  assert.equal(largest_piece(), after_first_lap);
});

test('models come and go without leaving memory behind, in any order', () => {
  const core = new Core(module);
  const bundle = read_bundle('office-delivery');
  for (let i = 0; i < 12; ++i) {
    const model = core.create_model(bundle);
    assert.notEqual(model, 0, core.text());
    const predictor = core.exports.forerun_predictor_create(model);
    assert.notEqual(predictor, 0, core.text());
    if (i % 2 === 0) core.exports.forerun_model_free(model);
    core.exports.forerun_predictor_free(predictor);
    if (i % 2 === 1) core.exports.forerun_model_free(model);
  }
});

test('worlds of any size are refused or fit, with all that is made from them', () => {
  const names = readdirSync(FORERUN_PROBE).filter((name) => name.startsWith('large-'));
  const refused = [];
  for (const name of names) {
    const core = new Core(module);
    const model = core.create_model(readFileSync(`${FORERUN_PROBE}/${name}`));
    if (model === 0) {
      assert.match(core.text(), /memory|too large/);
      refused.push(name);
      continue;
    }
    // more and more until there is no room left
    const made = [];
    for (let i = 0; i < 12; ++i) made.push(core.exports.forerun_predictor_create(model));
    for (let i = 0; i < 3; ++i) made.push(core.create_simulation(model, [1, 1, 0, 1, 0, 3, 1, 0], 0));
    const rehearsal = core.exports.forerun_rehearsal_create(model, 1, 1, 0);
    if (rehearsal !== 0) {
      core.exports.forerun_rehearsal_drive(rehearsal, 0.3, 0, 0, 2);
      core.trim(rehearsal, [3, 3, 3, 5]);
      core.exports.forerun_rehearsal_compute(rehearsal);
    }
    assert.ok(core.exports.forerun_beams(model, 5, 5, 0) !== 0);
    core.exports.forerun_value_function(model, 5, 5);
    core.exports.forerun_world_triangles(model);
  }
  assert.ok(refused.length >= 4 && refused.length <= names.length - 4, `refused: ${refused}`);
});

test('damaged bundles are refused with a sentence or make a model that works, and never trap', () => {
  const bundle = read_bundle('office-delivery');
  const random = make_random(1);
  const core = new Core(module);
  let n_refused = 0;
  for (let i = 0; i < 300; ++i) {
    const damaged = Uint8Array.from(i % 3 === 0 ? bundle.subarray(0, random(bundle.length)) : bundle);
    // the robot's description stands at the end: half of the damage goes there
    const from = i % 2 === 0 ? 0 : Math.max(0, damaged.length - 1200);
    for (let k = 0; k < 1 + random(4); ++k) damaged[from + random(damaged.length - from)] = random(256);
    const model = core.create_model(damaged);
    if (model === 0) {
      assert.ok(core.text().length > 10);
      ++n_refused;
    }
    core.exports.forerun_model_free(model);
  }
  assert.ok(n_refused > 100);
});

test('reports of random bytes are refused or predicted from, and never trap', () => {
  const { core, model } = load('office-delivery');
  const predictor = core.exports.forerun_predictor_create(model);
  const reports = read_script('office-delivery').filter(([name]) => name === 'resync').map(([, hex]) => from_hex(hex));
  const random = make_random(2);
  let n_refused = 0;
  for (let i = 0; i < 150; ++i) {
    const body = Uint8Array.from(reports[random(reports.length)]);
    for (let k = 0; k < 1 + random(6); ++k) body[random(body.length)] = random(256);
    const status = core.resync(predictor, i % 7 === 0 ? body.subarray(0, random(body.length)) : body);
    if (status === layout.FORERUN_REFUSED) {
      assert.match(core.text(), /refused/);
      ++n_refused;
      continue;
    }
    core.with_bytes(body, core.exports.forerun_decode_report);
    const report = core.numbers(layout.FORERUN_REPORT_SIZE);
    const time = time_of(report, layout) + 3_000_000_000n;
    assert.ok(core.exports.forerun_predictor_advance(predictor, time) >= 0);
    assert.ok(core.exports.forerun_predictor_show(predictor, 0.05) >= 0);
  }
  assert.ok(n_refused > 20);
});
