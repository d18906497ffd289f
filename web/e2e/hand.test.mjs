// Driving by hand: whatever takes the hand off, the page says so at once and the robot stands. Seen are what the page
// sends, and how the robot truly turns: on the spot, where nothing is in its way.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { close_page, kCtrlC, look, open_page, Program, wait_until, wait_until_live } from './harness.mjs';

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
async function open_heard(address, flat = false) {
  const sent = [];
  const page = await open_page(address, kSmall, async (fresh) => {
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
