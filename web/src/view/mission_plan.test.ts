import assert from 'node:assert/strict';
import { test } from 'node:test';
import { free_line } from './mission_plan';

test('words take the first line that is free', () => {
  const line = { left: 0, right: 20, top: 0 };
  assert.equal(free_line([], line), 0);
  assert.equal(free_line([{ left: 20, right: 40, top: 0 }], line), 0);
  assert.equal(free_line([{ left: 10, right: 40, top: 5 }], line), 18);
  assert.equal(free_line([{ ...line, top: 26 }, line], line), 13);
  assert.equal(free_line([{ ...line, top: 20 }, line], line), 33);
  assert.equal(free_line([{ ...line, top: -13 }, { ...line, top: 40 }], line), 0);
});

// The k-th looks once at each of those before it, not once for every line that it tries.
test('500 names at one place are no work to speak of', () => {
  let looks = 0;
  const at = (top: number) => ({
    left: 0,
    right: 9,
    get top() {
      ++looks;
      return top;
    },
  });
  const tops: number[] = [];
  for (let i = 0; i < 500; ++i) tops.push(free_line(tops.map(at), { left: 0, right: 9, top: 0 }));
  assert.equal(tops.at(-1), 499 * 13);
  assert.ok(looks <= 500 * 500, `${looks}`);
});
