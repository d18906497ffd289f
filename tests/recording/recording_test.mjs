// Recordings as other programs see them: written by `forerun sim` and `forerun demo`, read by @mcap/core.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const forerun = process.env.FORERUN_BINARY;
const { McapIndexedReader, McapStreamReader } = createRequire(join(process.env.FORERUN_WEB, 'package.json'))('@mcap/core');

const kTopics = ['/model', '/report', '/truth', '/prediction', '/link', '/command', '/outcome', '/demo'];
const folder = mkdtempSync(join(tmpdir(), 'forerun-recording-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function record(name, args) {
  const path = join(folder, name);
  const run = spawnSync(forerun, [...args, '--record', path], { encoding: 'utf8', timeout: 120_000 });
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(path);
}
const record_sim = (name, seed = 3) =>
  record(name, ['sim', '--scenario', 'office-delivery', '--reality', 'noisy', '--seed', String(seed)]);

let simulated = null;
const one_sim = () => (simulated ??= record_sim('sim.mcap'));

// All messages with JSON, by the file's index.
async function read_indexed(bytes) {
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable });
  const messages = [];
  for await (const message of reader.readMessages()) messages.push(opened(message, reader.channelsById));
  return { reader, messages };
}

// The same from the beginning to the end, in uneven pieces, without the index.
function read_stream(bytes) {
  const reader = new McapStreamReader({ validateCrcs: true });
  const channels = new Map();
  const schemas = new Map();
  const messages = [];
  for (let at = 0; at < bytes.length; at += 7919) {
    reader.append(new Uint8Array(bytes.subarray(at, at + 7919)));
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === 'Channel') channels.set(record.id, record);
      if (record.type === 'Schema') schemas.set(record.id, record);
      if (record.type === 'Message') messages.push(opened(record, channels));
    }
  }
  return { messages, channels, schemas, done: reader.done() };
}

const opened = (message, channels) => ({
  topic: channels.get(message.channelId).topic,
  log_ns: message.logTime,
  publish_ns: message.publishTime,
  sequence: message.sequence,
  json: JSON.parse(new TextDecoder().decode(message.data)),
});
const of_topic = (messages, topic) => messages.filter((message) => message.topic === topic).map(({ json }) => json);

// Of JSON Schema as much as our schemas use: names, types, nesting.
function fits(schema, value) {
  const types = [schema.type].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) {
    return types.includes('array') && value.every((entry) => fits(schema.items, entry)) &&
      value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity);
  }
  if (typeof value === 'object') {
    return types.includes('object') &&
      Object.entries(value).every(([key, entry]) => Object.hasOwn(schema.properties, key) && fits(schema.properties[key], entry));
  }
  return types.includes(Number.isInteger(value) && types.includes('integer') ? 'integer' : typeof value);
}

// What must hold of every recording.
async function check_whole(bytes) {
  const { reader, messages } = await read_indexed(bytes);
  const stream = read_stream(bytes);
  assert.ok(stream.done);
  assert.deepEqual(stream.messages, messages, 'with and without the index the same messages');
  assert.equal(reader.statistics.messageCount, BigInt(messages.length));
  assert.equal(reader.statistics.chunkCount, reader.chunkIndexes.length);
  assert.equal(reader.statistics.messageStartTime, messages[0].log_ns);
  assert.equal(reader.statistics.messageEndTime, messages.at(-1).log_ns);
  for (const [id, channel] of reader.channelsById) {
    const n = messages.filter(({ topic }) => topic === channel.topic).length;
    assert.equal(reader.statistics.channelMessageCounts.get(id) ?? 0n, BigInt(n), channel.topic);
    assert.equal(channel.messageEncoding, 'json');
  }
  assert.deepEqual([...reader.channelsById.values()].map(({ topic }) => topic).sort(), [...kTopics].sort());
  const schema_of = new Map();
  for (const { topic, schemaId } of reader.channelsById.values()) {
    const schema = reader.schemasById.get(schemaId);
    assert.equal(schema.encoding, 'jsonschema');
    schema_of.set(topic, JSON.parse(new TextDecoder().decode(schema.data)));
    assert.equal(schema_of.get(topic).title, schema.name);
  }
  for (const { topic, json } of messages) assert.ok(fits(schema_of.get(topic), json), `${topic}: ${JSON.stringify(json)}`);
  check_model(messages);
  return { reader, messages };
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

// By the list of the parts' sizes and hashes (docs/formats.md).
function number_on_link(bundle) {
  const list = [Buffer.from('FRMODEL3')];
  for (let at = 8; at < bundle.length; ) {
    const size = bundle.readUInt32LE(at);
    list.push(bundle.subarray(at, at + 4), sha256(bundle.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return sha256(Buffer.concat(list)).readBigUInt64LE(0).toString(16).padStart(16, '0');
}

function check_model(messages) {
  const models = of_topic(messages, '/model');
  assert.ok(models.length >= 1);
  for (const { model, bundle } of models) assert.equal(model, number_on_link(Buffer.from(bundle, 'base64')));
  for (const { model } of of_topic(messages, '/report')) assert.equal(model, models.at(-1).model);
}

const apart = (a, b) => Math.hypot(a.x_m - b.x_m, a.y_m - b.y_m);

test('a recorded simulation is whole: index, statistics, schemas, model', async () => {
  const { reader, messages } = await check_whole(one_sim());
  assert.match(reader.header.library, /^forerun \d/);
  assert.equal(messages[0].topic, '/model');
  const truths = of_topic(messages, '/truth');
  const predictions = of_topic(messages, '/prediction');
  const reports = of_topic(messages, '/report');
  assert.ok(truths.length > 1000 && Math.abs(truths.length - 10 * reports.length) < 20);
  assert.equal(predictions.length, truths.length);
  // virtual time, and no clock of this machine
  assert.ok(messages.every(({ log_ns }) => log_ns < 3_600_000_000_000n));
  reports.forEach((report, i) => assert.equal(report.sequence, i));
  truths.slice(1).forEach((truth, i) => assert.ok(apart(truth, truths[i]) < 0.2, 'a robot does not jump'));
  const off = predictions.map(({ predicted }, i) => apart(predicted, truths[i]));
  const off_extrapolated = predictions.map(({ extrapolated }, i) => apart(extrapolated, truths[i]));
  const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  assert.ok(mean(off) < 0.3);
  assert.ok(mean(off) < mean(off_extrapolated));
  assert.ok(predictions.every(({ region50, region95 }) => region50.radius_m <= region95.radius_m));
});

test('the same seed gives the same bytes, another seed others', () => {
  const first = one_sim();
  assert.ok(first.equals(record_sim('b.mcap')));
  assert.ok(!first.equals(record_sim('c.mcap', 4)));
});

test('messages of a span of time are found by the index', async () => {
  const { reader } = await read_indexed(one_sim());
  let n = 0;
  for await (const { logTime } of reader.readMessages({ topics: ['/truth'], startTime: 20_000_000_000n, endTime: 29_999_999_999n })) {
    assert.ok(logTime >= 20_000_000_000n && logTime < 30_000_000_000n);
    ++n;
  }
  assert.equal(n, 100);
});

test('a recorded demo is whole, with link, settings, truth and predictions', async () => {
  const before_ns = BigInt(Date.now()) * 1_000_000n;
  const bytes = record('demo.mcap', ['demo', '--no-open', '--page-port', '0', '--for-s', '5', '--loss', '0',
    '--delay-s', '0.01', '--interval-s', '0.2', '--reality', 'exact']);
  const { messages } = await check_whole(bytes);
  assert.ok(messages[0].log_ns > before_ns - 1_000_000_000n, "the operator's clock");
  assert.deepEqual(of_topic(messages, '/demo')[0], { loss: 0, delay_s: 0.01, interval_s: 0.2, blackout: false, reality: 'exact' });
  assert.ok(of_topic(messages, '/link').some(({ state, age_s }) => state === 'open' && age_s !== null));
  assert.ok(of_topic(messages, '/report').length > 5);
  const truths = of_topic(messages, '/truth');
  const predictions = of_topic(messages, '/prediction').filter(({ gap_s }) => gap_s < 1);
  assert.ok(predictions.length > 5);
  for (const { t_s, predicted } of predictions) {
    const nearest = truths.reduce((best, truth) => (Math.abs(truth.t_s - t_s) < Math.abs(best.t_s - t_s) ? truth : best));
    assert.ok(apart(predicted, nearest) < 0.5, `${JSON.stringify(predicted)} ${JSON.stringify(nearest)}`);
  }
});

test('a recording that was cut off is read up to the last whole record', () => {
  const bytes = one_sim();
  const whole = read_stream(bytes).messages;
  for (const share of [0.3, 0.62, 0.97]) {
    const { messages, done } = read_stream(bytes.subarray(0, Math.floor(share * bytes.length)));
    assert.ok(!done);
    assert.deepEqual(messages, whole.slice(0, messages.length));
    assert.ok(messages.length > 0);
  }
});
