import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jpeg_size } from './jpeg_size';

const kHead = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2];
const kFrame = [0xff, 0xc0, 0, 11, 8, 0, 240, 1, 64, 3, 0, 0, 0];

test('says how large a picture is', () =>
  assert.deepEqual(jpeg_size(Uint8Array.from([...kHead, ...kFrame])), { width: 320, height: 240 }));

test('what is no JPEG, or ends too soon, has no size', () => {
  assert.equal(jpeg_size(new Uint8Array()), null);
  assert.equal(jpeg_size(Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])), null);
  assert.equal(jpeg_size(Uint8Array.from([...kHead, ...kFrame.slice(0, 6)])), null);
  assert.equal(jpeg_size(Uint8Array.from([...kHead, 0xff, 0xe1, 0, 0, ...kFrame])), null);
});
