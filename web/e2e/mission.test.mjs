// A mission made on the page: tried out with the phantom while nothing is sent, trimmed, previewed, uploaded, started,
// watched through a blackout, and taken over.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
  click_plan,
  close_page,
  kCtrlC,
  keep_picture,
  look,
  next_picture,
  open_page,
  Program,
  speed_of,
  wait_until,
  wait_until_confirmed,
  wait_until_live,
} from './harness.mjs';

const kDemo = 'demo --no-open --loss 0 --delay-s 0 --interval-s 0.5 --seed 3 --page-port 0'.split(' ');
const kWait_s = '90'; // at the first waypoint: a mission that is still under way on the slowest machine
const kGoals = [
  { x: 2.0, y: 1.25 },
  { x: 6.0, y: 1.25 },
];

describe('a mission', () => {
  let demo, page;
  const sent = [];

  before(async () => {
    demo = await Program.start(kDemo);
    page = await open_page(demo.address, {}, async (fresh) => {
      fresh.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    });
    await wait_until_live(page);
    await wait_until_confirmed(page, 'stop', () => page.click('#stop'));
    sent.length = 0;
    await page.locator('#modes').getByText('mission').click();
  });
  after(async () => {
    await close_page(page);
    assert.ok(kCtrlC.includes(await demo.end()));
  });

  const text_of = (id) => page.locator(`#${id}`).innerText();
  const wait_for_text = (id, wanted) =>
    page.waitForFunction(([element, pattern]) => new RegExp(pattern).test(document.getElementById(element).innerText), [
      id,
      wanted.source,
    ]);
  const length_of = async () => Number(/^([\d.]+) m/.exec(await text_of('try-figures'))?.[1] ?? NaN);

  it('is tried out by waypoints, which can be given waits, and taken back', async () => {
    await page.locator('#try-steps li').waitFor(); // the start
    for (const [i, goal] of kGoals.entries()) {
      await click_plan(page, goal);
      await page.waitForFunction((n) => document.querySelectorAll('#try-steps li').length === n, i + 2);
      await wait_for_text('try-figures', /^[\d.]+ m in [\d.]+ s, touched nothing$/);
    }
    const length = await length_of();
    await page.getByLabel('wait of waypoint 1').fill(kWait_s);
    await page.getByLabel('wait of waypoint 1').press('Enter');
    await page.getByLabel('action at waypoint 1').fill('open gripper');
    await page.getByLabel('action at waypoint 1').press('Enter');
    assert.equal(await page.getByLabel('action at waypoint 1').inputValue(), 'open-gripper');
    await page.getByLabel('action at waypoint 2').fill('hold');
    await page.getByLabel('action at waypoint 2').press('Enter');
    await page.waitForFunction(() => window.forerun.picture().mission?.waypoints[1]?.action === 'hold');
    await wait_for_text('try-figures', /touched nothing$/);
    await click_plan(page, kGoals[0]);
    await page.waitForFunction(() => document.querySelectorAll('#try-steps li').length === 4);
    await page.click('#try-undo');
    await wait_for_text('try-figures', new RegExp(`^${length.toFixed(1).replace('.', '\\.')} m in`));
  });

  it('refuses a waypoint in a wall in one sentence', async () => {
    await click_plan(page, { x: -3, y: 6.5 });
    await page.locator('#mission-problem').waitFor();
    assert.match(await text_of('mission-problem'), /^The waypoint at .*\.$/);
    await page.waitForFunction(() => document.querySelectorAll('#try-steps li').length === 3);
  });

  it('goes on by hand, with the keys that drive the robot otherwise', async () => {
    await page.click('#try-hand');
    const length = await length_of();
    await page.keyboard.down('KeyW');
    const has_driven = (from) => Number.parseFloat(document.getElementById('try-figures').innerText) > from + 0.3;
    await page.waitForFunction(has_driven, length);
    await page.keyboard.up('KeyW');
    await page.waitForFunction(() => document.querySelectorAll('#try-steps li').length === 4);
    await keep_picture(page, 'mission-try-out');
  });

  it('has its contacts marked on the plan, and said among the cuts', async () => {
    await page.keyboard.down('KeyA'); // towards the wall of the corridor
    await page.waitForFunction(() => window.forerun.mission().phantom[3] > 1.2);
    await page.keyboard.up('KeyA');
    await page.keyboard.down('KeyW');
    await wait_for_text('try-figures', /touched something once/);
    await page.keyboard.up('KeyW');
    await page.keyboard.down('KeyS');
    await page.waitForFunction(
      (before) => window.forerun.mission().phantom[6] > before + 0.5,
      await page.evaluate(() => window.forerun.mission().phantom[6]),
    );
    await page.keyboard.up('KeyS');
    await page.waitForFunction(() => window.forerun.mission().resting);
    await next_picture(page);
    assert.equal(await page.evaluate(() => window.forerun.picture().mission.contacts.length), 1);
    await keep_picture(page, 'mission-contact');
    await page.click('#tab-trim');
    await wait_for_text('cuts', /✕ 1/);
    await keep_picture(page, 'mission-trim');
    await page.click('#tab-try_out');
    const n_steps = await page.locator('#try-steps li').count();
    for (let i = n_steps; i > 4; --i) await page.click('#try-undo');
    await wait_for_text('try-figures', /touched nothing$/);
  });

  it('is trimmed and previewed', async () => {
    await page.click('#tab-trim');
    await wait_for_text('trim-figures', /Left|Nothing to cut/);
    await page.click('#tab-preview');
    await page.locator('#mission-chart').waitFor();
    await wait_for_text('preview-state', /never nearer to anything than \d+ cm/);
    const pose = () => page.evaluate(() => window.forerun.picture().mission.phantom);
    await page.locator('#preview-scrub').press('End');
    await next_picture(page);
    const last = await pose();
    await page.locator('#preview-scrub').press('Home');
    await next_picture(page);
    const first = await pose();
    assert.ok(Math.hypot(first.x - last.x, first.y - last.y) > 1);
    assert.match(await text_of('preview-state'), /It stands for open-gripper at [\d.]+ s, hold at [\d.]+ s/);
    await keep_picture(page, 'mission-preview');
  });

  it('can be kept as a file', async () => {
    await page.fill('#mission-name', 'to the lab');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#mission-save')]);
    assert.equal(download.suggestedFilename(), 'to-the-lab.json');
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.equal(file.forerun_mission, 2);
    assert.deepEqual(file.mission.actions.map(([, name]) => name), ['open-gripper', 'hold']);
    assert.equal(file.mission.name, 'to-the-lab');
  });

  it('has sent nothing so far, and the robot stands where it stood', async () => {
    assert.deepEqual(sent, []);
    assert.ok(speed_of(await look(page)) < 0.01);
  });

  it('is uploaded and started, and the robot drives it', async () => {
    await page.click('#tab-upload');
    await page.click('#mission-upload');
    await wait_for_text('upload-state', /The robot has the mission/);
    assert.ok(speed_of(await look(page)) < 0.01, 'nothing moves before the start');
    await page.click('#mission-start');
    await wait_for_text('watch-state', /on its mission/);
    await wait_until(page, 'driving', (seen) => speed_of(seen) > 0.1);
  });

  it('stands for an action, and says which', async () => {
    await wait_for_text('watch-state', /stands and does “open-gripper”/);
    await keep_picture(page, 'mission-action');
    await wait_for_text('watch-state', /on its mission/);
  });

  it('is taken over, and goes on only when told to', async () => {
    await page.click('#take-over');
    await wait_for_text('watch-state', /handed back: somebody took over/);
    await wait_until(page, 'standing', (seen) => speed_of(seen) < 0.01);
    await page.click('#mission-go-on');
    await wait_for_text('watch-state', /on its mission/);
  });

  it('is watched: planned, predicted and reported, also through a blackout', async () => {
    await page.waitForFunction(() => {
      const cells = [...document.querySelectorAll('#watch-rows td')];
      return cells.every((cell) => /\d|–/.test(cell.innerText));
    });
    await page.click('#blackout');
    await wait_until(page, 'predicted', ({ now }) => now.gap > 5);
    await keep_picture(page, 'mission-watch');
    const { now } = await look(page);
    assert.ok(now.error < 0.3, `${now.error} m off after ${now.gap} s`);
    await page.click('#blackout');
  });

  it('has nothing to complain about', () => {
    // a mission that has just been taken may be asked for before the program has it
    assert.deepEqual(page.complaints.filter((text) => !/404/.test(text)), []);
  });
});
