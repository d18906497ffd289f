// The robot's camera over a bad link: images come while somebody looks, and seen from where the robot is now they show
// more nearly what the camera sees now than the images themselves do.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { close_page, keep_picture, kPatience_ms, open_page, Program, wait_until, wait_until_live } from './harness.mjs';

const kOld_s = 2; // so old are images when they are compared
const kImages = 30;
const kSmall = { viewport: { width: 900, height: 560 } }; // a processor that draws takes its time
const kSamples = 4;
const kMostPairs = 12;

// Images as they come, each with its pixels and where the page held the robot to be when it was taken.
async function gather(page, n_wanted) {
  return page.evaluate(async ([wanted, patience_ms]) => {
    const { session, camera } = window.forerun;
    const robot = session.robots.get(session.selected);
    const images = [];
    const end = performance.now() + patience_ms;
    const raw = document.getElementById('camera-raw-canvas');
    for (let seen = null; images.length < wanted && performance.now() < end; ) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      const image = camera.shown;
      if (image === null || image === seen) continue;
      seen = image;
      const taken_s = Number(image.taken_ns / 1000n) / 1e6;
      const { data } = raw.getContext('2d').getImageData(0, 0, image.width, image.height);
      images.push({ image, taken_s, pixels: data, pose: robot.history.predicted_at(taken_s) });
    }
    window.gathered = images;
    return images.length;
  }, [n_wanted, kPatience_ms]);
}

// Of pairs of images of which one is older by about `old_s`: how far the older one, as it is and seen from where the
// robot was predicted to be, differs from the newer one.
async function compare(page, old_s) {
  return page.evaluate(async ([apart_s, most]) => {
    const { camera } = window.forerun;
    const difference = (a, b) => {
      let sum = 0;
      for (let i = 0; i < a.length; i += 4) for (let c = 0; c < 3; ++c) sum += Math.abs(a[i + c] - b[i + c]);
      return sum / (0.75 * a.length);
    };
    const rows = [];
    // what was predicted is known where the page drew often enough
    for (const now of window.gathered.filter(({ pose }) => pose !== null)) {
      if (rows.length === most) break;
      const then = window.gathered.findLast(({ taken_s }) => taken_s <= now.taken_s - apart_s);
      if (then === undefined || now.taken_s - then.taken_s > 2 * apart_s) continue;
      const bitmap = await createImageBitmap(new Blob([then.image.jpeg], { type: 'image/jpeg' }));
      camera.view.take_image(then.image, bitmap);
      const seen = camera.view.pixels(now.pose, now.image.width, now.image.height);
      rows.push({
        old: difference(then.pixels, now.pixels),
        moved: difference(seen, now.pixels),
        age_s: now.taken_s - then.taken_s,
      });
    }
    return rows;
  }, [old_s, kMostPairs]);
}

describe("the robot's camera", () => {
  let program, page;
  before(async () => {
    program = await Program.start(['demo', '--no-open', '--loss', '0.1', '--delay-s', '0.1', '--interval-s', '0.5', '--seed', '3', '--page-port', '0', '--scenario', 'office-scout']);
    page = await open_page(program.address, kSmall);
    await wait_until_live(page);
  });
  after(async () => {
    await close_page(page);
    await program.end();
  });

  it('sends no images while nobody looks', async () => {
    assert.equal(await page.evaluate(() => [...window.forerun.session.robots.values()][0].image), null);
  });

  it('shows the newest image, and how old it is', async () => {
    await page.getByRole('button', { name: 'camera', exact: true }).click();
    await wait_until(page, 'an image', () => page.evaluate(() => window.forerun.camera.shown !== null));
    await wait_until(page, 'its age', async () => /image .* s old/.test(await page.locator('#camera-age').innerText()));
    const { width, height } = await page.evaluate(() => window.forerun.camera.shown);
    assert.deepEqual([width, height], [320, 240]);
  });

  it('from where the robot is now, it is at least twice as near to what the camera sees', async () => {
    // until it has left its place, and the link's pace has been found
    await wait_until(page, 'driving', async (seen) => seen.now !== null && seen.now.speed > 0.2);
    await keep_picture(page, 'camera-now');
    await page.locator('#camera-raw').click();
    // a processor that draws the 3D view as well leaves seconds between two predictions
    await page.evaluate(() => (window.forerun.view().draw = () => {}));
    await gather(page, kImages);
    const rows = await compare(page, kOld_s);
    const moving = rows.filter(({ old }) => old > 4); // where the old image is as good as new there is nothing to gain
    assert.ok(moving.length >= kSamples, `${moving.length} of ${rows.length} pairs in motion`);
    const mean = (name) => moving.reduce((sum, row) => sum + row[name], 0) / moving.length;
    console.log(`camera: old ${mean('old').toFixed(1)}, seen from now ${mean('moved').toFixed(1)} of 255, ${moving.length} pairs`);
    assert.ok(mean('moved') <= 0.5 * mean('old'), JSON.stringify(moving));
  });

  it('shows the image as it came', async () => {
    await page.waitForFunction(() => document.getElementById('camera-raw-canvas').checkVisibility());
    await keep_picture(page, 'camera-raw');
  });

  it('ends when it is closed', async () => {
    await page.locator('#camera-close').click();
    assert.equal(await page.locator('#camera-box').isVisible(), false);
    assert.deepEqual(page.complaints, []);
  });
});
