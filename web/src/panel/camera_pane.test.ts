import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraImage } from '../link/protocol';
import type { RobotState } from '../state/session';
import type { CameraView } from '../view/camera_view';
import { CameraPane } from './camera_pane';

const kJpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 240, 1, 64, 3, 0, 0, 0]); // says 320 by 240

// Whatever the page asks of an element, and nothing more.
const make_element = (): object => ({ append() {}, setAttribute() {}, remove() {}, getContext: () => null });
Object.assign(globalThis, { document: { createElement: make_element } });

// How the browser decodes the images that follow.
const decode_by = (decoded: Promise<ImageBitmap>): void =>
  void Object.assign(globalThis, { createImageBitmap: () => decoded });

const robot_with = (jpeg: Uint8Array): RobotState => {
  const image = { jpeg, width: 320, height: 240 } as CameraImage;
  return { images: new Map([[0, image]]), report: null } as unknown as RobotState;
};
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('an image that cannot be decoded is said, and no rejection is left over', async () => {
  const left_over: unknown[] = [];
  const note = (error: unknown): void => void left_over.push(error);
  process.on('unhandledRejection', note);
  const pane = new CameraPane(0, '');
  decode_by(Promise.reject(new Error('broken')));
  pane.update(robot_with(kJpeg));
  await turn();
  process.off('unhandledRejection', note);
  assert.equal(pane.failed, true);
  assert.deepEqual(left_over, []);
});

test('an image that comes after the end is closed, and shown nowhere', async () => {
  const heard: string[] = [];
  const view = { end: () => heard.push('end'), take_image: () => heard.push('take_image') };
  const pane = new CameraPane(0, '');
  pane.view = view as unknown as CameraView;
  decode_by(Promise.resolve({ width: 320, height: 240, close: () => heard.push('close') } as unknown as ImageBitmap));
  pane.update(robot_with(kJpeg));
  pane.end();
  await turn();
  assert.deepEqual(heard, ['end', 'close']);
  assert.equal(pane.shown, null);
});
