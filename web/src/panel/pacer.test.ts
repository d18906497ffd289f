import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pacer } from './pacer';

test('a drag of a second is sent ten times, and ends with its last value', () => {
  const pacer = new Pacer<{ loss: number }>();
  const sent: number[] = [];
  for (let ms = 0; ms < 1100; ms += 5) {
    if (ms < 1000) pacer.want({ loss: ms });
    const wish = pacer.take(ms);
    if (wish !== null) sent.push(wish.loss);
  }
  assert.equal(sent.length, 11);
  assert.equal(sent[0], 0);
  assert.equal(sent.at(-1), 995);
});

test('two sliders do not push each other out', () => {
  const pacer = new Pacer<{ loss?: number; delay_s?: number }>();
  pacer.want({ loss: 0.1 });
  pacer.want({ delay_s: 2 });
  pacer.want({ loss: 0.3 });
  assert.deepEqual(pacer.take(0), { loss: 0.3, delay_s: 2 });
  assert.equal(pacer.take(1000), null);
});
