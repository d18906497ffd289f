// The page over a real link: those who watch through a relay, the operator at `forerun view`, and a stranger's page.
import assert from 'node:assert/strict';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  click_plan,
  close_page,
  distance,
  get_browser,
  kCtrlC,
  keep_picture,
  make_folder,
  open_page,
  Program,
  run_program,
  wait_until,
  wait_until_confirmed,
  wait_until_live,
} from './harness.mjs';

const kOffice4 = { x: 7.1, y: 5.1 };
const kSmall = { viewport: { width: 1024, height: 768 } };

// Keys of a robot, of an operator whom it allows, and of somebody whom it does not know.
async function make_keys(folder) {
  const [robot, operator] = [join(folder, 'robot'), join(folder, 'operator')];
  const stranger = join(folder, 'stranger');
  await run_program('keys', 'new', '--keys', stranger);
  const robot_key = await run_program('keys', 'new', '--keys', robot);
  const operator_key = await run_program('keys', 'new', '--keys', operator);
  await run_program('keys', 'allow', operator_key, '--role', 'operate', '--keys', robot);
  return { robot, operator, stranger, robot_key };
}

const serve_with = (keys) => ['serve', '--listen', '127.0.0.1:0', '--keys', keys, '--seed', '2'];

// What becomes of a WebSocket to the program that a page of another origin opens.
async function try_from_stranger(address) {
  const stranger = http.createServer((_, response) => response.end('<!doctype html><title>a stranger</title>'));
  await new Promise((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const page = await (await get_browser()).newPage();
  try {
    await page.goto(`http://localhost:${stranger.address().port}`);
    return await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url, 'forerun.1');
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
      `${address.replace('http', 'ws')}/ws`,
    );
  } finally {
    await page.close();
    stranger.close();
  }
}

describe('over a real link', () => {
  const programs = [];
  let keys, relay, view;
  const start = async (...args) => {
    const program = await Program.start(...args);
    programs.unshift(program); // those that listen to others end first
    return program;
  };

  before(async () => {
    keys = await make_keys(make_folder());
    const server = await start([...serve_with(keys.robot), '--public'], /listening on (\S+)\n[^]*\n/);
    const [, at] = /listening on (\S+)/.exec(server.out);
    relay = await start(['relay', `${keys.robot_key}@${at}`, '--listen', '127.0.0.1:0']);
    const to_robot = ['--connect', at, '--server-key', keys.robot_key];
    view = await start(['view', ...to_robot, '--keys', keys.operator, '--no-open', '--page-port', '0']);
  });

  it('a relay shows the robot as it is now, and no controls', async () => {
    const page = await open_page(relay.address, kSmall);
    const seen = await wait_until_live(page);
    assert.equal(seen.mode, 'watch');
    for (const control of ['#stop', '#modes', '#pad', '#demo-box']) assert.ok(await page.locator(control).isHidden());
    const moves_on = (from) => wait_until(page, 'moving', ({ now }) => distance(now.predicted, from) > 0.5);
    const { now } = await moves_on(seen.now.predicted);
    assert.ok(now.gap < 5, `what is shown is ${now.gap} s old`);
    await keep_picture(page, 'watching');
    await page.keyboard.press('Space'); // stops nothing
    await moves_on((await moves_on(now.predicted)).now.predicted);
    assert.deepEqual(page.complaints, []);
    await close_page(page);
  });

  it('the operator sends a goal, which the robot confirms and drives to, and stops it', async () => {
    const page = await open_page(view.address, kSmall);
    const seen = await wait_until_live(page);
    assert.equal(seen.mode, 'operate');
    await page.locator('#modes').getByText('goal').click();
    const goal = await wait_until_confirmed(page, 'goal', () => click_plan(page, kOffice4));
    await wait_until(page, 'on its way', (now) => now.goal !== null && distance(now.goal, goal) < 0.01);
    await keep_picture(page, 'operating');
    await wait_until_confirmed(page, 'stop', () => page.keyboard.press('Space'));
    assert.deepEqual(page.complaints, []);
    await close_page(page);
  });

  it('a robot that does not let this operator in, and one that does not answer, are named', async () => {
    const connect = ['view', '--no-open', '--page-port', '0', '--server-key', keys.robot_key, '--connect'];
    const locked = await start(serve_with(keys.robot), /listening on (\S+)\n[^]*\n/);
    const [, at] = /listening on (\S+)/.exec(locked.out);
    const not_allowed = await start([...connect, at, '--keys', keys.stranger]);
    const not_there = await start([...connect, '127.0.0.1:9', '--keys', keys.operator]);
    for (const [program, name, said] of [
      [not_allowed, 'not-allowed', /does not allow this key/],
      [not_there, 'no-answer', /has not answered yet/],
    ]) {
      const page = await open_page(program.address, kSmall);
      const { notice } = await wait_until(page, 'waiting', ({ notice: text }) => said.test(text));
      assert.match(notice, /No word from the robot yet/);
      await keep_picture(page, name);
      await close_page(page);
    }
    locked.may_complain = /^(forerun: dropped \d+ datagrams? \(not_allowed \d+\)\n)+$/;
  });

  it("a stranger's page opens no WebSocket, neither to the operator's program nor to the relay", async () => {
    assert.equal(await try_from_stranger(view.address), 'refused');
    assert.equal(await try_from_stranger(relay.address), 'refused');
  });

  after(async () => {
    for (const program of programs) {
      assert.ok(kCtrlC.includes(await program.end()));
      assert.match(program.complaints, program.may_complain ?? /^$/);
    }
  });
});
