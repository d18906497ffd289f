import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe_hindrance, describe_offer, offer_to_hand, side_of } from './hindrance';

const degrees = (angle: number): number => (Math.PI / 180) * angle;

test('a bearing is said as one of eight sides', () => {
  assert.deepEqual([0, 20, -20].map((d) => side_of(degrees(d))), ['ahead', 'ahead', 'ahead']);
  assert.equal(side_of(degrees(45)), 'ahead on the left');
  assert.equal(side_of(degrees(-90)), 'on the right');
  assert.equal(side_of(degrees(-45)), 'ahead on the right');
  assert.deepEqual([180, -180, 170].map((d) => side_of(degrees(d))), ['behind', 'behind', 'behind']);
});

test('what is held back is said with the distance and where it is', () => {
  const held_back = { share: 0.6, distance: 0.41, bearing: 0.1 };
  assert.equal(describe_hindrance({ held_back, contact: null }, 0.3), 'Held back: something 0.4 m ahead.');
  assert.equal(describe_hindrance({ held_back, contact: null }, 5), '', 'an old report does not say what is so now');
  assert.equal(describe_hindrance({ held_back: { ...held_back, share: 0.01 }, contact: null }, 0.3), '');
});

test('a contact is said with its sides, however old the report is', () => {
  const contact = { bearings: [0, 0.1, degrees(90)], lasts_s: 3.2 };
  const words = describe_hindrance({ held_back: null, contact }, 60);
  assert.match(words, /^Touches something ahead and on the left, for 3 s/);
});

test('nothing is said where nothing hinders', () => {
  assert.equal(describe_hindrance(null, 0), '');
  assert.equal(describe_hindrance({ held_back: null, contact: null }, 0), '');
});

test('a hand is offered all of the speed on a good link', () => {
  assert.deepEqual(offer_to_hand(0.1, 0.1), { share: 1, why: '' });
  assert.deepEqual(offer_to_hand(NaN, NaN), { share: 1, why: '' });
  assert.equal(describe_offer(offer_to_hand(0.1, 0.1), 0.5), '');
});

test('the speed that is offered falls with delay and doubt, and why is said', () => {
  assert.equal(describe_offer(offer_to_hand(1.2, 0.1), 0.5), '0.3 of 0.5 m/s: 1.2 s delay.');
  assert.equal(describe_offer(offer_to_hand(0.1, 1.2), 0.5), '0.3 of 0.5 m/s: it may be 1.2 m off.');
  const shares = [0, 0.5, 1, 2, 4].map((delay) => offer_to_hand(delay, 0.3).share);
  for (let i = 1; i < shares.length; ++i) assert.ok(shares[i]! < shares[i - 1]!);
  assert.equal(offer_to_hand(100, 100).share, 0.25, 'never nothing');
});
