// What the robot sees that is not in the model of its world: drawn where it is, in words, and gone when it is hidden.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { close_page, kCtrlC, keep_picture, next_picture, open_page, Program, wait_until } from './harness.mjs';

const kDemo = 'demo --no-open --loss 0 --delay-s 0 --interval-s 0.5 --seed 3 --reality crowded --live-scan --page-port 0'.split(' ');

// In the page: whether the plan has the colour of what is seen somewhere near the first thing that moves.
function is_on_plan() {
  const { picture, plan } = window.forerun;
  const [, x, y] = picture()?.subject?.moment.seen?.moving ?? [];
  if (x === undefined) return false;
  plan.draw(picture());
  const canvas = document.getElementById('plan');
  const box = canvas.getBoundingClientRect();
  const at = plan.client_at({ x, y });
  const scale = canvas.width / box.width;
  const side = Math.round(24 * scale);
  const [left, top] = [(at.x - box.left) * scale - side / 2, (at.y - box.top) * scale - side / 2];
  const { data } = canvas.getContext('2d').getImageData(Math.round(left), Math.round(top), side, side);
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue] = data.slice(i, i + 3);
    if (green > red + 25 && green > blue + 80) return true;
  }
  return false;
}

describe('what the robot sees', () => {
  let demo, page;
  before(async () => {
    demo = await Program.start(kDemo);
    page = await open_page(demo.address, { colorScheme: 'light' });
  });
  after(async () => {
    await close_page(page);
    assert.ok(kCtrlC.includes(await demo.end()));
  });

  it('shows up on the plan and in words', async () => {
    await wait_until(page, 'among people', ({ sees, drawn }) => /\d (person|people)/.test(sees) && drawn.seen !== null);
    await page.waitForFunction(is_on_plan);
    await keep_picture(page, 'seen');
  });

  it('is hidden by the legend, and comes back', async () => {
    await page.locator('#legend').getByText('not in the model').click();
    await next_picture(page);
    assert.equal(await page.evaluate(is_on_plan), false);
    await page.locator('#legend').getByText('not in the model').click();
    await page.waitForFunction(is_on_plan);
    assert.deepEqual(page.complaints, []);
  });

  it('is there as a live scan, too, all round the robot', async () => {
    await page.locator('#legend').getByText('live scan').waitFor();
    await wait_until(page, 'scanned', ({ drawn }) => drawn.report?.scan !== null);
    const n_echoes = await page.evaluate(() => {
      const { scan } = window.forerun.picture().subject.moment.report;
      return [...scan].filter(Number.isFinite).length;
    });
    assert.ok(n_echoes > 20, `${n_echoes} sectors`);
  });
});
