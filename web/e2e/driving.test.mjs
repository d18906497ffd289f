// The demo as its visitors use it: they watch, pull the plug, send the robot somewhere, look back, and stop it.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import {
  click_plan,
  close_page,
  distance,
  embedded,
  is_calm,
  kCtrlC,
  keep_picture,
  next_picture,
  open_page,
  place_of,
  Program,
  speed_of,
  wait_until,
  wait_until_confirmed,
  wait_until_live,
} from './harness.mjs';

const kOffice4 = { x: 7.1, y: 5.1 }; // round a corner from where the robot starts
const kDoorOfOffice4_x = 5.8;
const kCorridor = { x: 2.0, y: 1.25 };
const kGoalTolerance = 0.15; // of robots/rhino.yaml [m] …
const kLocalization = 0.1; // … by where the robot believes to be
const kSilence_s = 10;
const kMostBytes = 1_000_000;

const is_near = (goal) => (seen) => distance(place_of(seen), goal) < kGoalTolerance + kLocalization;
const is_same_goal = (goal) => (seen) => seen.goal !== null && distance(seen.goal, goal) < 0.01;
const is_driving = (seen) => speed_of(seen) > 0.15;

// How many bytes the program sends for this address to a browser that takes gzip.
function size_of(address) {
  return new Promise((resolve, reject) => {
    const options = { headers: { 'Accept-Encoding': 'gzip' } };
    http.get(address, options, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${address}: ${response.statusCode}`));
      let n_bytes = 0;
      response.on('data', (bytes) => (n_bytes += bytes.length));
      response.on('end', () => resolve(n_bytes));
      response.on('error', reject);
      return undefined;
    });
  });
}

function scrub_to(page, time_s) {
  return page.evaluate((to_s) => {
    const { session } = window.forerun;
    const scrub = document.getElementById('scrub');
    scrub.value = String(to_s - session.robots.get(session.selected).now.time_s);
    scrub.dispatchEvent(new Event('input'));
  }, time_s);
}

// The page's own record of the last seconds, ten times a second.
function record_of(page, last_s) {
  return page.evaluate((seconds) => {
    const { session } = window.forerun;
    const { history } = session.robots.get(session.selected);
    const rows = [];
    for (let i = history.first; i < history.end; ++i) {
      if (history.time(i) < history.newest_s - seconds) continue;
      const [error, extrapolated] = [history.scalar(i, 'error'), history.scalar(i, 'error_extrapolated')];
      rows.push({ error, extrapolated, predicted: history.pose(i, 'predicted') });
    }
    return rows;
  }, last_s);
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

// That the robot stands, and stays where it stands for a second of its own time.
async function assert_stands(page) {
  const stopped = place_of(await wait_until(page, 'standing', (seen) => speed_of(seen) < 0.01));
  const later = await wait_until(page, 'a second later', (seen) => place_of(seen).time_s > stopped.time_s + 1);
  assert.ok(distance(place_of(later), stopped) < 0.02, 'it moves on');
}

describe('the demo', () => {
  let demo, page, goal, sent_s; // sent_s: page's time at which the goal was sent
  const addresses = [];

  before(async () => {
    demo = await Program.start('demo --no-open --page-port 0 --loss 0 --interval-s 0.5 --seed 3'.split(' '));
    page = await open_page(demo.address, {}, (fresh) => {
      fresh.on('request', (request) => addresses.push(request.url()));
    });
  });
  after(() => close_page(page));

  it('prints its address and shows the robot', async () => {
    assert.match(demo.out, /^http:\/\/localhost:\d+\n/);
    const seen = await wait_until_live(page);
    assert.equal(seen.mode, 'demo');
    await wait_until(page, 'calm', (now) => is_calm(now) && now.drawn.truth !== null);
    await keep_picture(page, 'demo-live');
  });

  it('loads no more than 1 MB, compressed, with core and world', { skip: embedded ? false : 'the page is not built into this program' }, async () => {
    const own = addresses.filter((address) => address.startsWith('http'));
    assert.ok(own.some((address) => address.endsWith('/core.wasm')), own.join(' '));
    assert.ok(own.some((address) => address.includes('/model/')), own.join(' '));
    const sizes = await Promise.all(own.map(size_of));
    const n_bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`the page loads ${n_bytes} bytes:`, own.map((address, i) => [new URL(address).pathname, sizes[i]]));
    assert.ok(n_bytes <= kMostBytes);
  });

  it('takes a goal by click, which the robot confirms', async () => {
    goal = await wait_until_confirmed(page, 'goal', () => click_plan(page, kOffice4));
    const seen = await wait_until(page, 'on its way to the goal', is_same_goal(goal));
    sent_s = seen.now.time_s;
    await keep_picture(page, 'goal-confirmed');
  });

  it('warns in a blackout, with the age of the newest packet and what it means', async () => {
    await wait_until(page, 'near the door', (seen) => Math.abs(place_of(seen).x - kDoorOfOffice4_x) < 1.6);
    await page.click('#blackout');
    const seen = await wait_until(page, 'down', ({ link }) => link === 'down');
    assert.match(seen.age, /newest packet\s+[1-9][\d.]*\s+s ago/);
    assert.ok(seen.warning.length > 40, `it says no more than ${seen.warning}`);
    assert.match(seen.warning, /predict/);
  });

  it('shows where the robot drives while nothing arrives for 10 s, better than extrapolation', async () => {
    const before_it = await wait_until(page, 'silent', ({ now }) => now.gap > 1);
    await wait_until(page, 'silent for long', ({ now }) => now.gap > 0.7 * kSilence_s);
    await keep_picture(page, 'blackout');
    await page.click('#without');
    await page.locator('#split').waitFor();
    await keep_picture(page, 'with-and-without');
    await page.click('#without');
    const after_it = await wait_until(page, 'silent for 10 s', ({ now }) => now.gap > kSilence_s + 1);
    assert.equal(after_it.n_report, before_it.n_report, 'a report has come');
    // from the beginning of the silence on: a busy machine may have taken longer than 10 s
    const record = await record_of(page, Math.max(kSilence_s, after_it.now.gap - 1));
    const [first, last] = [record[0].predicted, record.at(-1).predicted];
    const [error, extrapolated] = [mean(record.map((row) => row.error)), mean(record.map((row) => row.extrapolated))];
    console.log(`10 s without reports: ${error.toFixed(2)} m off, extrapolated ${extrapolated.toFixed(2)} m`);
    assert.ok(distance(first, last) > 1, `moved by ${distance(first, last)} m only`);
    assert.ok(error < extrapolated);
  });

  it('takes the warning back when packets come again', async () => {
    await page.click('#blackout');
    const { link, warning } = await wait_until(page, 'calm', (seen) => is_calm(seen) && seen.now.gap < 2);
    assert.equal(warning === '', link === 'well');
  });

  it('brings the robot to the goal', async () => {
    await wait_until(page, 'at the goal', (seen) => is_near(goal)(seen) && speed_of(seen) < 0.01);
    await keep_picture(page, 'goal-reached');
  });

  it('shows the past when asked, and now again', async () => {
    await page.click('#play');
    await wait_until(page, 'paused', ({ live }) => !live);
    // again where the page was too busy to hear it in time: the time line counts back from now
    const past = await wait_until(page, 'in the past', async ({ drawn }) => {
      if (Math.abs(drawn.time_s - sent_s) < 1.5) return true;
      await scrub_to(page, sent_s);
      return false;
    });
    await keep_picture(page, 'looking-back');
    await page.click('#live');
    assert.match(past.past, /\d+ s/);
    assert.ok(distance(past.drawn.predicted, past.now.predicted) > 2, 'it is drawn where it is now');
    await wait_until(page, 'live', ({ live, past: text }) => live && text === '');
  });

  it('takes a goal by keyboard alone', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (let n_tabs = 0; n_tabs < 60 && (await focused()) !== 'plan'; ++n_tabs) await page.keyboard.press('Tab');
    assert.equal(await focused(), 'plan');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ArrowLeft');
    goal = await page.evaluate(() => ({ ...window.forerun.plan.cursor }));
    await next_picture(page);
    await keep_picture(page, 'keyboard-cursor');
    await wait_until_confirmed(page, 'goal', () => page.keyboard.press('Enter'));
    await wait_until(page, 'on its way to the goal', is_same_goal(goal));
    await wait_until(page, 'at the goal', is_near(goal));
  });

  it('stops the robot by the button', async () => {
    await click_plan(page, kCorridor);
    await wait_until(page, 'driving', is_driving);
    await wait_until_confirmed(page, 'stop', () => page.click('#stop'));
    await assert_stands(page);
    await keep_picture(page, 'stopped');
  });

  it('stops the robot by the space bar, whatever has the focus', async () => {
    await click_plan(page, kCorridor);
    await wait_until(page, 'driving', is_driving);
    await page.locator('#blackout').focus();
    await wait_until_confirmed(page, 'stop', () => page.keyboard.press('Space'));
    await assert_stands(page);
    assert.equal(await page.getAttribute('#blackout', 'aria-pressed'), 'false');
  });

  it('ends cleanly with Ctrl-C', async () => {
    assert.deepEqual(page.complaints, []);
    assert.ok(kCtrlC.includes(await demo.end()));
    assert.equal(demo.complaints, 'Ctrl-C ends it\n');
  });
});
