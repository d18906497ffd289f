// core.wasm for the tests: loads it, and reads the layouts of its results from the C header.
import { readFileSync } from 'node:fs';

// Every enumerator of the header by its name: { FORERUN_REPORT_X: 6, … }.
export function read_layouts(header_path) {
  const layouts = {};
  const header = readFileSync(header_path, 'utf8').replace(/\/\/.*$/gm, '');
  for (const [, body] of header.matchAll(/enum\s*\{([^}]*)\}/g)) {
    let next = 0;
    for (const entry of body.split(',').map((text) => text.trim()).filter(Boolean)) {
      const [name, value] = entry.split('=').map((text) => text.trim());
      if (value !== undefined) {
        next = value.split('+').reduce((sum, term) => sum + (layouts[term.trim()] ?? Number(term)), 0);
      }
      layouts[name] = next++;
    }
  }
  return layouts;
}

export class Core {
  constructor(module) {
    this.instance = new WebAssembly.Instance(module);
    this.exports = this.instance.exports;
    this.exports._initialize();
    // the memory never grows, so these views stay valid
    this.u8 = new Uint8Array(this.exports.memory.buffer);
    this.f64 = new Float64Array(this.exports.memory.buffer);
    this.f32 = new Float32Array(this.exports.memory.buffer);
  }

  numbers(count) {
    const at = this.exports.forerun_numbers() / 8;
    return this.f64.slice(at, at + count);
  }
  cells(count) {
    const at = this.exports.forerun_cells() / 4;
    return this.f32.slice(at, at + count);
  }
  bytes(count) {
    const at = this.exports.forerun_bytes();
    return this.u8.slice(at, at + count);
  }
  text() {
    const at = this.exports.forerun_text();
    return new TextDecoder().decode(this.u8.slice(at, at + this.exports.forerun_text_size()));
  }

  // Calls use(pointer, size) with a copy of the bytes in the module's memory.
  with_bytes(bytes, use) {
    const at = this.exports.forerun_allocate(bytes.length);
    if (at === 0) throw new Error('no memory for the input');
    this.u8.set(bytes, at);
    try {
      return use(at, bytes.length);
    } finally {
      this.exports.forerun_free(at);
    }
  }
  // Gives a handle, or 0: then `text` says why.
  create_model(bytes) {
    return this.with_bytes(bytes, (at, size) => this.exports.forerun_model_create(at, size));
  }
  create_simulation(model, scenario, reality, seed = 1) {
    const bytes = new Uint8Array(Float64Array.from(scenario).buffer);
    return this.with_bytes(bytes, (at) =>
      this.exports.forerun_simulation_create(model, at, scenario.length, reality, seed));
  }
  send(rehearsal, x, y, wait_s, action = '') {
    return this.with_bytes(new TextEncoder().encode(action), (at, size) =>
      this.exports.forerun_rehearsal_send(rehearsal, x, y, wait_s, at, size));
  }
  trim(rehearsal, numbers) {
    const bytes = new Uint8Array(Float64Array.from(numbers).buffer);
    return this.with_bytes(bytes, (at) => this.exports.forerun_rehearsal_trim(rehearsal, at, numbers.length));
  }
  // The mission file's text, or null: then `text` says why there is none.
  write_mission(rehearsal, name) {
    const bytes = new TextEncoder().encode(name);
    const size = this.with_bytes(bytes, (at) => this.exports.forerun_rehearsal_write(rehearsal, at, bytes.length));
    return size < 0 ? null : new TextDecoder().decode(this.bytes(size));
  }
  // As it travels, without a seal.
  pack_mission(rehearsal, name) {
    const bytes = new TextEncoder().encode(name);
    const size = this.with_bytes(bytes, (at) => this.exports.forerun_rehearsal_pack(rehearsal, at, bytes.length));
    return size < 0 ? null : this.bytes(size);
  }
  resync(predictor, body) {
    return this.with_bytes(body, (at, size) => this.exports.forerun_predictor_resync(predictor, at, size));
  }
  // The body of a report, or null when there is none.
  simulated_report(simulation) {
    const size = this.exports.forerun_simulation_report(simulation);
    return size < 0 ? null : this.bytes(size);
  }
}

// The lines that core_probe wrote: [name, …words].
export function read_calls(path) {
  return readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => line.split(' '));
}

export function scenario_of(calls) {
  const [, time_limit, ...numbers] = calls.find(([name]) => name === 'scenario').map(Number);
  return { time_limit, numbers };
}

export const from_hex = (text) => Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16));

// When a decoded report was made, in nanoseconds of the robot's clock.
export function time_of(report, layout) {
  const whole_seconds = BigInt(report[layout.FORERUN_REPORT_TIME_S]);
  return whole_seconds * 1_000_000_000n + BigInt(report[layout.FORERUN_REPORT_TIME_NS]);
}
