// The robot's cameras over a bad link: images come while somebody looks, and seen from where the robot is now they show
// more nearly what the camera sees now than the images themselves do.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { close_page, keep_picture, kPatience_ms, make_folder, open_page, Program, wait_until, wait_until_live } from './harness.mjs';

const kOld_s = 2; // so old are images when they are compared
const kImages = 30; // of each camera
const kSmall = { viewport: { width: 900, height: 560 } }; // a processor that draws takes its time
const kSamples = 4;
const kMostPairs = 12;
const kLink = ['--no-open', '--loss', '0.1', '--delay-s', '0.1', '--interval-s', '0.5', '--seed', '3', '--page-port', '0'];

// Between the obstacles, there and back.
const kLane = `name: lane
world: kenaf-course
robot: kenaf
start: [-0.7, 0.25, 0]
goals: [{name: there, at: [3.7, 0.25], wait_s: 0}, {name: back, at: [-0.7, 0.25], wait_s: 0}]
`;
const kMostTurned = 0.4; // [rad] between two images; beyond that they have little in common

// Images as they come, of each camera, each with its pixels and how the page held the robot to stand when it was taken.
async function gather(page, n_wanted) {
  return page.evaluate(async ([wanted, patience_ms]) => {
    const { session, camera } = window.forerun;
    const robot = session.robots.get(session.selected);
    const images = camera.panes.map(() => []);
    const leans = []; // how it leaned, at which time
    const end = performance.now() + patience_ms;
    const lean_at = (time_s) => leans.findLast((lean) => lean.time_s <= time_s)?.attitude ?? null;
    const shown = camera.panes.filter(({ room }) => !room.hidden);
    while (shown.some((pane) => images[pane.camera].length < wanted) && performance.now() < end) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      if (robot.now !== null) leans.push({ time_s: robot.now.robot_time_s, attitude: robot.now.attitude });
      for (const pane of shown) {
        const image = pane.shown;
        const list = images[pane.camera];
        if (image === null || image === list.at(-1)?.image) continue;
        const taken_s = Number(image.taken_ns / 1000n) / 1e6;
        const raw = pane.room.querySelector('.camera-raw');
        const { data } = raw.getContext('2d').getImageData(0, 0, image.width, image.height);
        const flippers = robot.report?.posture?.flippers ?? null;
        const pose = robot.history.predicted_at(taken_s);
        list.push({ image, taken_s, pixels: data, stand: { pose, attitude: lean_at(taken_s), flippers } });
      }
    }
    window.gathered = images;
  }, [n_wanted, kPatience_ms]);
}

// Of pairs of images of one camera of which one is older by about `old_s`: how far the older one, as it is and seen from
// where the robot was predicted to be, differs from the newer one.
async function compare(page, camera, old_s) {
  return page.evaluate(async ([which, apart_s, most]) => {
    const { view } = window.forerun.camera.panes[which];
    const difference = (a, b) => {
      let sum = 0;
      for (let i = 0; i < a.length; i += 4) for (let c = 0; c < 3; ++c) sum += Math.abs(a[i + c] - b[i + c]);
      return sum / (0.75 * a.length);
    };
    const rows = [];
    const images = window.gathered[which];
    // what was predicted is known where the page drew often enough
    for (const now of images.filter(({ stand }) => stand.pose !== null)) {
      if (rows.length === most) break;
      const then = images.findLast(({ taken_s }) => taken_s <= now.taken_s - apart_s);
      if (then === undefined || now.taken_s - then.taken_s > 2 * apart_s) continue;
      const bitmap = await createImageBitmap(new Blob([then.image.jpeg], { type: 'image/jpeg' }));
      view.take_image(then.image, bitmap, then.stand.flippers);
      const seen = view.pixels(now.stand, now.image.width, now.image.height);
      rows.push({
        old: difference(then.pixels, now.pixels),
        moved: difference(seen, now.pixels),
        turned: Math.abs(Math.sin(now.image.attitude.yaw - then.image.attitude.yaw)),
        age_s: now.taken_s - then.taken_s,
      });
    }
    return rows;
  }, [camera, old_s, kMostPairs]);
}

const mean = (rows, name) => rows.reduce((sum, row) => sum + row[name], 0) / rows.length;

// `share`: of the old image's difference, at most so much is left; `samples`: pairs in motion, at least.
function expect_nearer(rows, name, { share, samples }) {
  const moving = rows.filter(({ old, turned }) => old > 4 && turned < kMostTurned); // where the old image is as good as new there is nothing to gain
  assert.ok(moving.length >= samples, `${moving.length} of ${rows.length} pairs in motion`);
  const [old, moved] = [mean(moving, 'old'), mean(moving, 'moved')];
  console.log(`${name}: old ${old.toFixed(1)}, seen from now ${moved.toFixed(1)} of 255, ${moving.length} pairs`);
  assert.ok(moved <= share * old, JSON.stringify(moving));
}

// Images of the front camera, seen by a robot whose nose goes up: all sinks in the picture. How far they are from the
// level ones as they are, and from the level ones with their rows so much further down. Some of them: one may show little.
async function lean(nose_up) {
  const all = window.gathered[0];
  const { view } = window.forerun.camera.panes[0];
  const sums = [0, 0];
  for (let i = all.length - 1; i >= 0; i -= 5) {
    const { image } = all[i];
    view.take_image(image, await createImageBitmap(new Blob([image.jpeg], { type: 'image/jpeg' })), null);
    const { place, eye, attitude, width, height } = image;
    const pose = { x: place.x - eye.x * Math.cos(attitude.yaw), y: place.y - eye.x * Math.sin(attitude.yaw), heading: attitude.yaw };
    const stand = (pitch) => ({ pose, attitude: { height: place.z - eye.z, roll: 0, pitch }, flippers: null });
    const level = view.pixels(stand(0), width, height);
    const raised = view.pixels(stand(-nose_up), width, height);
    const rows = Math.round((height / 2) * (Math.tan(nose_up) / Math.tan(image.field_of_view / 2)));
    const difference = (down) => {
      let [sum, n] = [0, 0];
      for (let at = 4 * width * rows; at < raised.length; ++at, ++n) sum += Math.abs(raised[at] - level[at - 4 * width * down]);
      return sum / n;
    };
    sums[0] += difference(0);
    sums[1] += difference(rows);
  }
  return sums;
}

const open_camera = async (page) => {
  await page.getByRole('button', { name: 'camera', exact: true }).click();
};
const shown_of = (page, camera) =>
  page.evaluate((which) => {
    const image = window.forerun.camera.panes[which]?.shown ?? null;
    return image === null ? null : [image.camera, image.width, image.height];
  }, camera);
const texts_of = (page) => page.locator('.camera-age:visible').allInnerTexts();
// a processor that draws the 3D view as well leaves seconds between two predictions
const draw_only_cameras = (page) => page.evaluate(() => (window.forerun.view().draw = () => {}));

describe("the robot's camera", () => {
  let program, page;
  before(async () => {
    program = await Program.start(['demo', ...kLink, '--scenario', 'office-scout']);
    page = await open_page(program.address, kSmall);
    await wait_until_live(page);
  });
  after(async () => {
    await close_page(page);
    await program.end();
  });

  it('sends no images while nobody looks', async () => {
    assert.equal(await page.evaluate(() => [...window.forerun.session.robots.values()][0].images.size), 0);
  });

  it('shows the newest image, and how old it is', async () => {
    await open_camera(page);
    await wait_until(page, 'an image', async () => (await shown_of(page, 0)) !== null);
    await wait_until(page, 'its age', async () => /^image .* s old/.test((await texts_of(page)).join()));
    assert.deepEqual(await shown_of(page, 0), [0, 320, 240]);
    assert.equal(await page.locator('#camera-choice').isVisible(), false, 'there is one');
  });

  it('from where the robot is now, it is at least twice as near to what the camera sees', async () => {
    // until it has left its place, and the link's pace has been found
    await wait_until(page, 'driving', async (seen) => seen.now !== null && seen.now.speed > 0.2);
    await keep_picture(page, 'camera-now');
    await page.locator('#camera-raw').click();
    await draw_only_cameras(page);
    await gather(page, kImages);
    expect_nearer(await compare(page, 0, kOld_s), 'camera', { share: 0.5, samples: kSamples });
  });

  it('shows the image as it came', async () => {
    await page.waitForFunction(() => document.querySelector('.camera-raw').checkVisibility());
    await keep_picture(page, 'camera-raw');
  });

  it('ends when it is closed', async () => {
    await page.locator('#camera-close').click();
    assert.equal(await page.locator('#camera-box').isVisible(), false);
    assert.deepEqual(page.complaints, []);
  });
});

describe("a tracked robot's cameras", () => {
  let program, page;
  const image_times = () =>
    page.evaluate(() => {
      const [robot] = window.forerun.session.robots.values();
      return [0, 1].map((camera) => Number(robot.images.get(camera)?.taken_ns ?? 0n));
    });
  before(async () => {
    const scenario = join(make_folder(), 'lane.yaml');
    writeFileSync(scenario, kLane);
    program = await Program.start(['demo', ...kLink, '--scenario', scenario]);
    page = await open_page(program.address, kSmall);
    await wait_until_live(page);
  });
  after(async () => {
    await close_page(page);
    await program.end();
  });

  it('are shown both, each with the age of its image', async () => {
    await open_camera(page);
    for (const camera of [0, 1]) {
      await wait_until(page, `an image of camera ${camera}`, async () => (await shown_of(page, camera)) !== null);
      assert.deepEqual(await shown_of(page, camera), [camera, 320, 240]);
    }
    await wait_until(page, 'both ages', async () => {
      const [front, above] = await texts_of(page);
      return /^front: image .* s old/.test(front) && /^above: image .* s old/.test(above);
    });
    await keep_picture(page, 'camera-both');
  });

  it('are seen from where the robot is now', async () => {
    await draw_only_cameras(page);
    await page.locator('#camera-raw').click();
    await wait_until(page, 'driving', async (seen) => seen.now !== null && seen.now.speed > 0.2);
    await gather(page, kImages);
    // two pictures take a busy processor long: then predictions are older, and pairs few
    const rows = [await compare(page, 0, kOld_s), await compare(page, 1, kOld_s)];
    for (const [camera, name] of ['front', 'above'].entries()) expect_nearer(rows[camera], name, { share: 0.8, samples: 2 });
  });

  it('are seen as the robot leans now', async () => {
    const [level, tilted] = await page.evaluate(lean, 0.1);
    console.log(`leaning: ${tilted.toFixed(1)} of 255 from the pictures that have sunk, ${level.toFixed(1)} from those that have not, summed up`);
    assert.ok(tilted < 0.5 * level, `${tilted} of ${level}`);
  });

  it('come from one alone when the other is put away', async () => {
    await page.getByRole('button', { name: 'front', exact: true }).click();
    await wait_until(page, 'one picture', async () => (await texts_of(page)).length === 1);
    await page.getByRole('button', { name: 'above', exact: true }).click();
    assert.equal((await texts_of(page)).length, 1, 'the last one stays');
    const above_goes_on = async () => {
      const [, above] = await image_times();
      await wait_until(page, 'newer images', async () => (await image_times())[1] > above + 2e9);
    };
    await above_goes_on(); // what was on its way may still come
    const [front] = await image_times();
    await above_goes_on();
    assert.equal((await image_times())[0], front);
    assert.deepEqual(page.complaints, []);
  });
});
