import assert from 'node:assert/strict';
import { test } from 'node:test';

// hints depend on what the browser has
Object.assign(globalThis, { matchMedia: () => ({ matches: true }) });
const { contacts_within, cut_sentence, left_after, left_contacts, uncut_sentences } = await import('./mission_trim');
const { summary_of } = await import('./mission_preview');
const { make_mission } = await import('../state/mission');

const kLoop = { kind: 'loop', from: 3, to: 9, from_s: 91.4, length: 2.1, duration_s: 8.44, applied: true } as const;

test('a cut says what it is, how much it saves, and where', () => {
  assert.equal(cut_sentence(kLoop), 'loop: 2.10 m and 8.4 s, at 1:31');
});

test('what stays is said with its reason; all that is long in one line', () => {
  const long = { kind: 'loop', why: 'too long', from: 0, to: 1, length: 12 } as const;
  const kept = { kind: 'back and forth', why: 'in a protected place', from: 0, to: 1, length: 2 } as const;
  assert.deepEqual(uncut_sentences([long, kept, { ...long, length: 4.5 }]), [
    'back and forth of 2.0 m stays: in a protected place',
    '2 sections of 4.5 m and more come back, too long to be cut',
  ]);
  assert.deepEqual(uncut_sentences([]), []);
});

test('only cuts that are made shorten the way', () => {
  const mission = make_mission();
  mission.phantom = Float64Array.from([100, 0, 0, 0, 0, 0, 30, 0, 5, 1]);
  assert.equal(left_after(mission), null);
  mission.cuts = [kLoop, { ...kLoop, applied: false }];
  assert.deepEqual(left_after(mission), { length: 27.9, time_s: 91.56 });
});

test('a rehearsal is told in one sentence', () => {
  const trial = Float64Array.from([61.34, 24.06, 0.314, 1, 2, 0.004, 0.012]);
  assert.match(summary_of({ trial, actions: [] }), /^24\.1 m in 61\.3 s, .* than 31 cm; .* 1 cm off its path\.$/);
  const actions = [
    { time_s: 12.34, name: 'photo' },
    { time_s: 40, name: 'hold' },
  ];
  assert.match(summary_of({ trial, actions }), /off its path\. It stands for photo at 12\.3 s, hold at 40\.0 s: that/);
});

test('a contact has the number of its mark, within a cut or where none takes it away', () => {
  const contact = (at: number) => ({ at, time_s: 65, x: 1.04, y: 2 });
  const contacts = [contact(2), contact(5), contact(9)];
  assert.deepEqual(contacts_within(kLoop, contacts), [2, 3]);
  assert.deepEqual(left_contacts([kLoop], contacts), ['✕ 1 contact at 1:05, (1.0, 2.0), is not cut']);
  assert.equal(left_contacts([{ ...kLoop, applied: false }], contacts).length, 3);
});
