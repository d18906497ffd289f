import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode_message, mission_parts } from './messages';

test('a greeting names the robots', () => {
  const robot = { id: 1, name: 'rhino', world: 'bonn-office', model: '0123456789abcdef', cameras: ['front', 'above'] };
  const hello = { type: 'hello', mode: 'demo', robots: [robot], version: '0.5', first_time_s: 0 };
  assert.deepEqual(decode_message(JSON.stringify(hello)), hello);
});

test('the demo says its settings and how far each may go', () => {
  const settings = { type: 'demo', loss: 0.3, delay_s: 0.09, interval_s: 3, blackout: false, reality: 'noisy' };
  const ranges = { loss: [0, 1], delay_s: [0, 10], interval_s: [0.05, 60] };
  assert.deepEqual(decode_message(JSON.stringify({ ...settings, ranges })), {
    ...settings,
    ranges: { loss: { low: 0, high: 1 }, delay_s: { low: 0, high: 10 }, interval_s: { low: 0.05, high: 60 } },
  });
});

test('a model that is no hash is taken for unknown: it becomes part of an address', () => {
  const robots = [{ id: 1, name: 'a', world: 'w', model: '../../etc/passwd' }];
  const hello = decode_message(JSON.stringify({ type: 'hello', mode: 'watch', robots, version: '' }));
  assert.ok(hello?.type === 'hello');
  assert.equal(hello.robots[0]!.model, '');
});

test('what a link does not know is unknown, not zero', () => {
  const link = decode_message(
    '{"type":"link","robot":1,"age_s":null,"loss":0.25,"warnings":[{"kind":"odd"},{"kind":"down","text":"x"}]}',
  );
  assert.ok(link?.type === 'link');
  assert.equal(link.age_s, null);
  assert.equal(link.round_trip_s, null);
  assert.equal(link.loss, 0.25);
  assert.deepEqual(link.warnings, [{ kind: 'down', text: 'x' }]);
});

test('a link says how far an upload has come, and nothing odd about it', () => {
  const upload_of = (upload: unknown) => {
    const link = decode_message(JSON.stringify({ type: 'link', robot: 1, upload }));
    assert.ok(link?.type === 'link');
    return link.upload;
  };
  const upload = { mission: '0123456789abcdef', state: 'under_way', share: 0.5, why: '' };
  assert.deepEqual(upload_of(upload), upload);
  assert.equal(upload_of({ ...upload, share: 7 })!.share, 1);
  assert.equal(upload_of(undefined), null);
  assert.equal(upload_of({ ...upload, state: 'odd' }), null);
  assert.equal(upload_of({ ...upload, mission: '../x' }), null);
});

test('a mission goes out in pieces that fit, and that make the whole again', () => {
  const mission = Uint8Array.from({ length: 10_000 }, (_, i) => i % 251);
  const parts = mission_parts(7, mission);
  assert.equal(parts.length, 3);
  const whole = parts.flatMap((message, i) => {
    assert.ok(message.type === 'mission' && message.part === i && message.of === 3);
    assert.ok(JSON.stringify(message).length < 8192);
    return [...atob(message.bytes)].map((letter) => letter.charCodeAt(0));
  });
  assert.deepEqual(Uint8Array.from(whole), mission);
});

test('an outcome says what became of which command', () => {
  const outcome = { type: 'outcome', robot: 1, number: 7, command: 'stop', state: 'confirmed', text: 'stopped' };
  assert.deepEqual(decode_message(JSON.stringify(outcome)), outcome);
  const refusal = decode_message(JSON.stringify({ ...outcome, robot: 0, number: 0, command: null, state: 'refused' }));
  assert.ok(refusal?.type === 'outcome');
  assert.equal(refusal.command, '');
});

test('a recording says where it stands', () => {
  const replay = { type: 'replay', at_s: 3.5, duration_s: 60, pace: 2, paused: false, jump: 1 };
  assert.deepEqual(decode_message(JSON.stringify(replay)), replay);
  assert.equal(decode_message(JSON.stringify({ ...replay, at_s: null })), null);
});

test('anything else is skipped', () => {
  for (const text of [
    '',
    '{',
    'null',
    '3',
    '[]',
    '{}',
    '{"type":"hello"}',
    '{"type":"toString"}',
    '{"type":"link"}',
    '{"type":"outcome","robot":1,"number":2,"state":"maybe"}',
    '{"type":"demo","loss":"much"}',
    '{"type":"demo","loss":0,"delay_s":1,"interval_s":1,"reality":"exact"}',
    '{"type":"demo","loss":0,"delay_s":1,"interval_s":1,"reality":"exact","ranges":{"loss":[0,1],"delay_s":[0,10],"interval_s":[60,1]}}',
  ]) {
    assert.equal(decode_message(text), null, text);
  }
});
