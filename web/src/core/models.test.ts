import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Models } from './models';

// Downloads end when the test says so.
function make() {
  const downloads: { hash: string; come: () => void; fail: () => void }[] = [];
  const wanted = new Map<number, string>();
  const ready: string[] = [];
  const failed: string[] = [];
  const models = new Models({
    fetch: (hash) =>
      new Promise((resolve, reject) => {
        downloads.push({ hash, come: () => resolve(new ArrayBuffer(1)), fail: () => reject(new Error('gone')) });
      }),
    is_wanted: (robot, hash) => wanted.get(robot) === hash,
    ready: (robot, hash) => ready.push(`${robot} ${hash}`),
    failed: (robot, text) => failed.push(`${robot} ${text}`),
  });
  const load = (robot: number, hash: string): void => {
    wanted.set(robot, hash);
    models.load(robot, hash, 'default');
  };
  return { downloads, ready, failed, models, load };
}
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('a model is fetched once, however often it is asked for, and handed on once a robot', async () => {
  const { downloads, ready, load } = make();
  for (let i = 0; i < 3; ++i) load(1, 'a');
  load(2, 'a');
  assert.equal(downloads.length, 1);
  downloads[0]!.come();
  await settle();
  load(1, 'a'); // while the predictor still unpacks it
  await settle();
  assert.deepEqual(ready, ['1 a', '2 a']);
});

test('a slow model does not overtake the one that has taken its place', async () => {
  const { downloads, ready, load } = make();
  load(1, 'old');
  load(1, 'new');
  downloads.find(({ hash }) => hash === 'new')!.come();
  await settle();
  downloads.find(({ hash }) => hash === 'old')!.come();
  await settle();
  assert.deepEqual(ready, ['1 new']);
});

test('what failed is named, and can be asked for again', async () => {
  const { downloads, ready, failed, load } = make();
  load(1, 'a');
  downloads[0]!.fail();
  await settle();
  assert.deepEqual(failed, ['1 gone']);
  load(1, 'a');
  downloads[1]!.come();
  await settle();
  assert.deepEqual(ready, ['1 a']);
});

test('a model that the predictor has answered can be loaded anew', async () => {
  const { downloads, ready, models, load } = make();
  load(1, 'a');
  downloads[0]!.come();
  await settle();
  models.end(1, 'a');
  load(1, 'a');
  downloads[1]!.come();
  await settle();
  assert.deepEqual(ready, ['1 a', '1 a']);
});
