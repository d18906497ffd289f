import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intro_text } from './intro';

const settings = { loss: 0.3, delay_s: 0.09, interval_s: 3, blackout: false, reality: 'noisy' } as const;

test('the first sentence tells of the network as it is set', () => {
  assert.match(intro_text(settings), /every 3 s, and 30 % of that is lost/);
  assert.match(intro_text({ ...settings, interval_s: 0.2 }), /5 times a second/);
  assert.doesNotMatch(intro_text({ ...settings, loss: 0 }), /lost/);
  assert.match(intro_text({ ...settings, blackout: true }), /^Nothing of the robot arrives/);
});
