// A hand on a robot among walls: what is held back and why, what touches, how it comes away, and what a late hand is
// offered.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  click_plan,
  close_page,
  distance,
  keep_picture,
  open_page,
  place_of,
  Program,
  wait_until,
  wait_until_live,
} from './harness.mjs';

const kDemo = 'demo --no-open --loss 0 --interval-s 0.3 --seed 3 --page-port 0'.split(' ');
const kCorridor = { x: 2.0, y: 1.25 };

async function open_driven(more) {
  const demo = await Program.start([...kDemo, ...more]);
  const page = await open_page(demo.address);
  await wait_until_live(page);
  await page.locator('#modes').getByText('drive', { exact: true }).click();
  return { demo, page };
}
const drive_back = (page) => page.keyboard.down('KeyS'); // to the end of the corridor

describe('a hand among walls', () => {
  const programs = [];
  const open = async (...more) => {
    const { demo, page } = await open_driven(more);
    programs.push(demo);
    return page;
  };
  after(() => Promise.all(programs.map((program) => program.end())));

  it('is held back before the wall, and the page says what for', async () => {
    const page = await open('--delay-s', '0');
    await drive_back(page);
    const { said } = await wait_until(page, 'held back', (seen) => /Held back: something/.test(seen.said));
    assert.match(said, /Held back: something 0\.\d m (ahead|on the|behind)/);
    await keep_picture(page, 'hand-held-back');
    await close_page(page);
  });

  it('says what it touches where nothing guards it, and backs out when it is given a goal', async () => {
    const page = await open('--delay-s', '0', '--guard', 'off');
    await drive_back(page);
    await wait_until(page, 'contact said', (seen) => /Touches something/.test(seen.said));
    await page.keyboard.up('KeyS');
    await keep_picture(page, 'hand-contact');
    await page.locator('#modes').getByText('goal', { exact: true }).click();
    await click_plan(page, kCorridor);
    await wait_until(page, 'come away', (seen) => !/Touches something/.test(seen.said));
    await wait_until(page, 'there', (seen) => distance(place_of(seen), kCorridor) < 0.4);
    await close_page(page);
  });

  it('is offered less speed over a second of delay', async () => {
    const page = await open('--delay-s', '0.5');
    const { said } = await wait_until(page, 'an offer', (seen) => /of 0\.\d m\/s/.test(seen.said));
    assert.match(said, /^0\.\d of 0\.4 m\/s: (1\.\d s delay|it may be)/);
    await keep_picture(page, 'hand-offer');
    await close_page(page);
  });
});
