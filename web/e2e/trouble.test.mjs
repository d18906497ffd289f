// What goes wrong says what happened and what to do: no program, an old core, a world that does not load.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { close_page, is_calm, kCtrlC, keep_picture, open_page } from './harness.mjs';
import { Program, wait_until, wait_until_live } from './harness.mjs';

const kDemo = 'demo --no-open --loss 0 --interval-s 0.5 --page-port'.split(' ');
const kSmall = { viewport: { width: 1024, height: 768 } };

const wait_for_failure = (page) => wait_until(page, 'failed', ({ state }) => state === 'failed');

// As an earlier Forerun's, which did not yet say its version.
async function make_core_old(page) {
  await page.context().route('**/core.wasm', async (route) => {
    const response = await route.fetch();
    const bytes = await response.body();
    bytes.write('forerun_old_version', bytes.indexOf('forerun_api_version'));
    await route.fulfill({ response, body: bytes });
  });
}

describe('in trouble', () => {
  let demo;
  before(async () => (demo = await Program.start([...kDemo, '0'])));

  it('a core.wasm of another version is named, with what to do', async () => {
    const page = await open_page(demo.address, kSmall, make_core_old);
    const { notice } = await wait_for_failure(page);
    assert.match(notice, /version 0, this page \d/);
    assert.match(notice, /Reload the page/);
    await keep_picture(page, 'old-core');
    await close_page(page);
  });

  it('a core.wasm that is none is named, with what to do', async () => {
    const page = await open_page(demo.address, kSmall, (fresh) =>
      fresh.context().route('**/core.wasm', (route) => route.fulfill({ status: 404, body: 'not found' })),
    );
    const { notice } = await wait_for_failure(page);
    assert.match(notice, /core\.wasm.*404/s);
    assert.match(notice, /Reload the page/);
    await keep_picture(page, 'no-core');
    await close_page(page);
  });

  it('a world that cannot be fetched is named, and loads when asked again', async () => {
    let broken = true;
    const page = await open_page(demo.address, kSmall, (fresh) =>
      fresh.route('**/model/*', (route) => (broken ? route.fulfill({ status: 404, body: '' }) : route.continue())),
    );
    const { notice } = await wait_for_failure(page);
    assert.match(notice, /world of rhino cannot be loaded/);
    assert.match(notice, /404/);
    await keep_picture(page, 'no-world');
    broken = false;
    await page.click('#overlay-button');
    await wait_until_live(page);
    await close_page(page);
  });

  it('a world that is garbage is named, and loads when asked again', async () => {
    let broken = true;
    const garbage = Buffer.from('this is no world at all, however long one looks at it');
    const page = await open_page(demo.address, kSmall, (fresh) =>
      fresh.route('**/model/*', (route) => (broken ? route.fulfill({ body: garbage }) : route.continue())),
    );
    const { notice } = await wait_for_failure(page);
    assert.match(notice, /world of rhino cannot be loaded/);
    await keep_picture(page, 'garbage-world');
    broken = false;
    await page.click('#overlay-button');
    await wait_until_live(page);
    await close_page(page);
  });

  it('a graphics card that stops drawing leaves the plan in its place, until it draws again', async () => {
    const page = await open_page(demo.address, kSmall);
    await wait_until_live(page);
    const shown = async () => {
      const large = (await page.getAttribute('#plan-large', 'aria-pressed')) === 'true';
      return `${large} ${await page.textContent('#plan-title')}`;
    };
    const normally = await shown();
    await page.evaluate(() => {
      const context = window.forerun.view().canvas.getContext('webgl2');
      window.loss = context.getExtension('WEBGL_lose_context');
      window.loss.loseContext();
    });
    await wait_until(page, 'flat', async () => /^true .*graphics card/.test(await shown()));
    await keep_picture(page, 'no-graphics');
    await page.evaluate(() => window.loss.restoreContext());
    await wait_until(page, 'in 3D again', async () => (await shown()) === normally);
    await keep_picture(page, 'graphics-again');
    await close_page(page);
  });

  it('a program that is gone is missed, and found again where it was', async () => {
    const page = await open_page(demo.address, kSmall);
    await wait_until_live(page);
    const { port } = demo;
    assert.equal(await demo.end('SIGKILL'), 'SIGKILL');
    const lost = await wait_until(page, 'down', ({ link, connection }) => link === 'down' && connection !== 'open');
    assert.match(lost.warning, /lost the program/);
    await page.click('#stop');
    const unsent = await wait_until(page, 'unsent', ({ stop }) => stop === 'unsent');
    assert.match(unsent.said, /NOT GONE OUT/);
    await keep_picture(page, 'program-lost');
    demo = await Program.start([...kDemo, String(port)]);
    assert.equal(demo.port, port);
    await wait_until(page, 'calm', (seen) => seen.state === 'live' && is_calm(seen) && seen.now.gap < 2);
    // the stop that waited has reached the robot
    await wait_until(page, 'confirmed', ({ stop }) => stop === 'confirmed');
    await keep_picture(page, 'program-found-again');
    await close_page(page);
  });

  after(async () => assert.ok(kCtrlC.includes(await demo.end())));
});
