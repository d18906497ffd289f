// Driving by hand: whatever takes the hand off, the page says so at once and the robot stands. Seen are what the page
// sends, and how the robot truly turns: on the spot, where nothing is in its way.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  close_page,
  distance,
  keep_picture,
  kCtrlC,
  look,
  next_picture,
  open_page,
  Program,
  speed_of,
  wait_until,
  wait_until_live,
} from './harness.mjs';

const kDemo = 'demo --no-open --loss 0 --delay-s 0 --interval-s 0.5 --seed 3 --page-port'.split(' ');
const kSmall = { viewport: { width: 640, height: 480 }, hasTouch: true };
const kTurn = 'KeyA'; // to the left
const kCorridor = { x: 2.0, y: 1.25 };

const is_push = ({ type, v, w }) => type === 'drive' && (v !== 0 || w !== 0);
const is_rest = ({ type, v, w }) => type === 'drive' && v === 0 && w === 0;

function turn_rate_of({ truth }) {
  if (truth.length < 2) return NaN;
  const turn = truth[1].heading - truth[0].heading;
  return Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) / (truth[1].time_s - truth[0].time_s);
}
const is_turning = (seen) => turn_rate_of(seen) > 0.1;
const is_standing = (seen) => turn_rate_of(seen) < 0.01;

// Somebody who only looks on needs no 3D pictures, which take a processor long to draw.
function draw_flat() {
  const get_context = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : get_context.call(this, kind, ...rest);
  };
}

// A page, and all that it sends.
async function open_heard(address, flat = false, options = kSmall) {
  const sent = [];
  const page = await open_page(address, options, async (fresh) => {
    if (flat) await fresh.addInitScript(draw_flat);
    fresh.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
  });
  await wait_until_live(page);
  return { page, sent };
}

// Long enough for a page that still drives to say so again: until two more reports have come, half a second apart.
async function wait_for_more(page) {
  for (let i = 0; i < 2; ++i) {
    const { n_report } = await look(page);
    await wait_until(page, 'told more', (seen) => seen.n_report !== n_report);
  }
}

const choose_mode = (page, name) => page.locator('#modes').getByText(name, { exact: true }).click();
// A place left of the pad's middle: there it turns the robot to the left.
async function left_of_pad(page) {
  const { x, y, width, height } = await page.locator('#pad').boundingBox();
  return { x: x + 0.15 * width, y: y + 0.5 * height };
}

describe('driving by hand', () => {
  let demo, driver, watcher;

  before(async () => {
    demo = await Program.start([...kDemo, '0']);
    driver = await open_heard(demo.address);
    watcher = await open_heard(demo.address, true);
  });
  after(async () => {
    await close_page(watcher.page);
    assert.ok(kCtrlC.includes(await demo.end()));
  });

  // That the robot turns while `hold` holds; and that `take_off` has the page say zeros, and nothing more after them.
  async function assert_lets_go(hold, take_off) {
    const { page, sent } = driver;
    sent.length = 0;
    await hold();
    await wait_until(watcher.page, 'turning', is_turning);
    assert.ok(sent.some(is_push));
    const n_before = sent.length;
    await take_off();
    await assert_let_go(page, sent, n_before);
  }

  async function assert_let_go(page, sent, n_before) {
    await wait_for_more(page);
    const rest_at = sent.findIndex((message, i) => i >= n_before && is_rest(message));
    assert.notEqual(rest_at, -1, `nobody let go: ${JSON.stringify(sent.slice(n_before))}`);
    assert.deepEqual(sent.slice(rest_at + 1).filter(is_push), [], 'it is pushed again');
    await wait_until(watcher.page, 'standing', is_standing);
  }

  const hold_key = () => driver.page.keyboard.down(kTurn);
  const release_key = () => driver.page.keyboard.up(kTurn);
  const by_key = async (take_off) => {
    try {
      await assert_lets_go(hold_key, take_off);
    } finally {
      await release_key();
    }
  };
  const emit = (target, name) =>
    driver.page.evaluate(
      ([on, what]) => {
        const element = { window, document, pad: document.getElementById('pad') }[on];
        element.dispatchEvent(new Event(what, { bubbles: true, cancelable: true }));
      },
      [target, name],
    );

  it('a goal that was clicked just before a stop does not go out after it', async () => {
    const { page, sent } = driver;
    await page.evaluate((place) => {
      const { x, y } = window.forerun.plan.client_at(place);
      const plan = document.getElementById('plan');
      const at = { clientX: x, clientY: y, isPrimary: true, button: 0, pointerId: 1 };
      plan.setPointerCapture = () => {}; // of a pointer that is none
      plan.dispatchEvent(new PointerEvent('pointerdown', at));
      plan.dispatchEvent(new PointerEvent('pointerup', at));
      document.getElementById('stop').click();
      delete plan.setPointerCapture;
    }, kCorridor);
    await wait_for_more(page);
    assert.deepEqual(sent.map(({ type }) => type), ['stop']);
    await wait_until(page, 'confirmed', ({ stop }) => stop === 'confirmed');
    await wait_until(watcher.page, 'standing', is_standing);
  });

  it('a key that is let go', async () => {
    await choose_mode(driver.page, 'drive');
    await by_key(release_key);
  });

  it('a window that loses the focus', () => by_key(() => emit('window', 'blur')));

  it('a tab that is hidden', () => by_key(() => emit('document', 'visibilitychange')));

  it('a menu that opens, and a key of which some systems never tell that it was let go', async () => {
    await by_key(() => emit('window', 'contextmenu'));
    await by_key(() => driver.page.keyboard.press('Meta'));
  });

  it('a finger that leaves the touch pad, though it had rested there', async () => {
    const { page } = driver;
    const devtools = await page.context().newCDPSession(page);
    const touch = (type, ...touchPoints) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
    const at = await left_of_pad(page);
    const rest = async () => {
      await touch('touchStart', at);
      await emit('pad', 'contextmenu');
    };
    await assert_lets_go(rest, () => touch('touchEnd'));
  });

  it('a mouse that leaves the pad, and its other buttons, which do not drive at all', async () => {
    const { page, sent } = driver;
    const at = await left_of_pad(page);
    await page.mouse.move(at.x, at.y);
    await assert_lets_go(() => page.mouse.down(), () => page.mouse.up());
    await assert_lets_go(() => page.mouse.down(), () => page.mouse.down({ button: 'right' }));
    await page.mouse.up();
    await page.mouse.up({ button: 'right' });
    sent.length = 0;
    for (const button of ['right', 'middle']) {
      await page.mouse.down({ button });
      await page.mouse.move(at.x + 5, at.y);
      await wait_for_more(page);
      await page.mouse.up({ button });
    }
    assert.deepEqual(sent.filter(is_push), []);
  });

  it('a stop, pressed here or on another page', async () => {
    await by_key(() => driver.page.click('#stop'));
    await wait_until(driver.page, 'confirmed', ({ stop }) => stop === 'confirmed');
    await by_key(() => watcher.page.click('#stop'));
    await wait_until(watcher.page, 'confirmed', ({ stop }) => stop === 'confirmed');
  });

  it('a program that is lost and found again', async () => {
    const { page, sent } = driver;
    const { port } = demo;
    await hold_key();
    await wait_until(watcher.page, 'turning', is_turning);
    assert.ok(sent.some(is_push));
    await demo.end('SIGKILL');
    await wait_until(page, 'lost', ({ connection }) => connection !== 'open');
    sent.length = 0;
    demo = await Program.start([...kDemo, String(port)]);
    await wait_until(page, 'found', ({ connection }) => connection === 'open');
    await wait_for_more(page);
    assert.deepEqual(sent.filter(is_push), [], 'it drives again unasked');
    await release_key();
    // who presses anew drives
    await wait_until(watcher.page, 'found', ({ connection }) => connection === 'open');
    await by_key(release_key);
  });

  it('a tab that is closed', async () => {
    await hold_key();
    await wait_until(watcher.page, 'turning', is_turning);
    assert.deepEqual(driver.page.complaints.filter((text) => !/WebSocket/.test(text)), []);
    await close_page(driver.page);
    await wait_until(watcher.page, 'standing', is_standing);
  });
});

// What of the page's outline there is to be seen, from the moment a key goes down: how many pictures later, and when.
function watch_outline() {
  const seen = { down_ms: null, pictures: 0, after_ms: null };
  window.outline_seen = seen;
  window.addEventListener('keydown', () => (seen.down_ms ??= performance.now()), { capture: true });
  const look_again = () => {
    requestAnimationFrame(look_again);
    if (seen.down_ms === null || seen.after_ms !== null) return;
    ++seen.pictures;
    const { landing, subject } = window.forerun.picture();
    if (landing === null) return;
    const [was, will] = [subject.moment.predicted, landing.rest ?? landing.pose];
    const turned = Math.abs(Math.sin(will.heading - was.heading));
    if (turned > 0.01 || Math.hypot(will.x - was.x, will.y - was.y) > 0.003) seen.after_ms = performance.now() - seen.down_ms;
  };
  requestAnimationFrame(look_again);
}

const landing_of = (page) => page.evaluate(() => window.forerun.picture()?.landing ?? null);

describe('driving by hand over a second of delay', () => {
  const kFar = 'demo --no-open --loss 0 --delay-s 1.05 --interval-s 0.5 --seed 3 --page-port 0'.split(' ');
  let demo, driver;

  before(async () => {
    demo = await Program.start(kFar);
    driver = await open_heard(demo.address, false, {});
  });
  after(async () => {
    await close_page(driver.page);
    assert.ok(kCtrlC.includes(await demo.end()));
  });

  // Where drawing takes long, pictures say more than milliseconds.
  it('a key moves the outline long before the robot moves', async () => {
    const { page } = await open_heard(demo.address, true);
    await choose_mode(page, 'drive');
    await page.keyboard.press('Space');
    await wait_until(page, 'stopped', ({ stop }) => stop === 'confirmed');
    await wait_until(page, 'standing', is_standing);
    await page.evaluate(watch_outline);
    const { truth } = await look(page);
    await page.keyboard.down(kTurn);
    await page.waitForFunction(() => window.outline_seen.after_ms !== null);
    const { pictures, after_ms } = await page.evaluate(() => window.outline_seen);
    console.log(`the outline moved ${after_ms.toFixed(0)} ms after the key, in picture ${pictures}`);
    assert.ok(after_ms < 100 || pictures <= 3, `${after_ms} ms, ${pictures} pictures`);
    assert.ok(Math.abs((await look(page)).truth.at(-1).heading - truth.at(-1).heading) < 0.01, 'the robot turns already');
    await page.keyboard.up(kTurn);
    await close_page(page);
  });

  it('the outline stays ahead, and the robot comes to rest where it was said to', async () => {
    const { page } = driver;
    await choose_mode(page, 'drive');
    await page.keyboard.down('KeyW');
    await wait_until(page, 'driving', (seen) => speed_of(seen) > 0.1);
    // of one and the same picture: a page that draws slowly may be late with its commands for a moment
    await page.waitForFunction(() => {
      const { landing, subject } = window.forerun.picture();
      if (landing === null) return false;
      const [is, will] = [subject.moment.predicted, landing.pose];
      return Math.hypot(will.x - is.x, will.y - is.y) > 0.1;
    });
    await keep_picture(page, 'outline-driving');
    await page.keyboard.up('KeyW');
    await page.waitForFunction(() => window.forerun.picture().landing?.rest);
    const { rest } = await landing_of(page);
    const is_there = (seen) => speed_of(seen) < 0.005 && distance(seen.truth.at(-1), rest) < 0.5;
    const rested = await wait_until(page, 'at rest', is_there);
    const off = distance(rested.truth.at(-1), rest);
    assert.ok(off < 0.15, `off by ${off} m`);
  });

  it('a wall ahead is red before the robot gets there', async () => {
    const { page } = driver;
    await page.keyboard.down(kTurn);
    await wait_until(page, 'facing a wall', ({ now }) => Math.sin(now.predicted.heading) > 0.8);
    await page.keyboard.up(kTurn);
    await page.keyboard.down('KeyW');
    await page.waitForFunction(() => window.forerun.picture().landing?.contact);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await next_picture(page);
      await keep_picture(page, `outline-wall-${colorScheme}`);
      await page.emulateMedia({ colorScheme: null });
    }
    await page.keyboard.up('KeyW');
    assert.deepEqual(page.complaints, []);
  });
});
