// The page on desks and phones, upright and lying, light and dark: nothing overlaps, nothing is cut off.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { close_page, is_calm, kCtrlC, keep_picture, open_page, Program, wait_until } from './harness.mjs';

const kDesks = [
  { name: 'desk', width: 1440, height: 900 },
  { name: 'small-desk', width: 1024, height: 768 },
];
const kPhones = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'small-phone', width: 360, height: 640 },
  { name: 'tall-phone', width: 360, height: 740 },
  { name: 'smallest-phone', width: 320, height: 568 },
  { name: 'phone-lying', width: 844, height: 390 },
];

// In the page: what is wrong with the layout, a sentence each.
function find_faults() {
  const kThings =
    'button, select, input, output, h1, h2, label, dt, dd, ' +
    '#age, #link-line, #warning, #past, #pad, #said, #plan, #chart, #intro';
  const faults = [];
  const name_of = (element) => `${element.id || element.className || element.tagName} “${element.innerText ?? ''}”`;
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('.hidden') &&
    getComputedStyle(element).clipPath === 'none';
  // the part of its box that no scrolling ancestor cuts off
  const box_of = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow === 'visible') continue;
      const cut = outer.getBoundingClientRect();
      [left, top] = [Math.max(left, cut.left), Math.max(top, cut.top)];
      [right, bottom] = [Math.min(right, cut.right), Math.min(bottom, cut.bottom)];
    }
    return { left, top, right, bottom };
  };
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

  const things = [...document.querySelectorAll(kThings)].filter(shown);
  const boxes = things.map(box_of);
  things.forEach((thing, i) => {
    things.slice(i + 1).forEach((other, j) => {
      if (thing.contains(other) || other.contains(thing)) return;
      if (overlap(boxes[i], boxes[i + 1 + j])) faults.push(`${name_of(thing)} overlaps ${name_of(other)}`);
    });
  });
  const rooms = document.querySelectorAll('main, .side, header, footer, .box');
  for (const element of [document.scrollingElement, ...rooms]) {
    if (element.scrollWidth > element.clientWidth + 1) faults.push(`${name_of(element).slice(0, 60)} scrolls sideways`);
  }
  for (const text of things.filter((thing) => thing.matches('button, h1, h2, #said, #warning'))) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = text;
    if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2) faults.push(`${name_of(text)} is cut off`);
  }
  for (const control of things.filter((thing) => thing.matches('button, select, input, #plan'))) {
    control.scrollIntoView({ block: 'end' }); // on a phone the picture stays above
    const { left, top, right, bottom } = control.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (hit === null || !control.contains(hit)) {
      faults.push(`${name_of(control)} cannot be pressed: ${hit === null ? 'outside' : name_of(hit).slice(0, 60)}`);
    }
  }
  for (const scroller of document.querySelectorAll('main, .side')) scroller.scrollTop = 0;
  const stop = document.getElementById('stop').getBoundingClientRect();
  const inside = stop.top >= 0 && stop.left >= 0 && stop.bottom <= innerHeight && stop.right <= innerWidth;
  if (!inside) faults.push('STOP is outside');
  return faults;
}

async function assert_well_laid_out(page, what) {
  assert.deepEqual(await page.evaluate(find_faults), [], what);
}

// All sizes of one kind of machine, one after the other on one page.
function check_machine(sizes, options, get_address) {
  let page;
  const resize = async ({ width, height }) => {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((wanted) => innerWidth === wanted, width);
  };
  before(async () => {
    page = await open_page(get_address(), { viewport: sizes[0], colorScheme: 'light', ...options });
    await wait_until(page, 'calm', (seen) => seen.state === 'live' && is_calm(seen));
  });

  for (const size of sizes) {
    it(`is in order on a ${size.name}`, async () => {
      await resize(size);
      await keep_picture(page, `${size.name}-light`);
      await assert_well_laid_out(page, 'live');
      await page.locator('#modes').getByText('drive').click();
      await page.locator('#pad').waitFor();
      await assert_well_laid_out(page, 'while driving by hand');
      await page.locator('#modes').getByText('mission').click();
      await page.locator('#try-steps li').waitFor();
      await assert_well_laid_out(page, 'with the mission panel');
      await page.locator('#modes').getByText('goal').click();
      await page.click('#play');
      await wait_until(page, 'paused', ({ past }) => past !== '');
      await assert_well_laid_out(page, 'looking back');
      await page.click('#live');
      await wait_until(page, 'live', ({ live }) => live);
    });
  }

  it('is in order with the warning of a blackout, in the dark', async () => {
    await page.click('#blackout');
    await page.emulateMedia({ colorScheme: 'dark' });
    await wait_until(page, 'down', ({ link, warning }) => link === 'down' && warning !== '');
    for (const size of sizes) {
      await resize(size);
      await keep_picture(page, `${size.name}-dark-blackout`);
      await assert_well_laid_out(page, size.name);
    }
  });

  after(async () => {
    // for those who come after this page
    if ((await page.getAttribute('#blackout', 'aria-pressed')) === 'true') await page.click('#blackout');
    await wait_until(page, 'calm', is_calm);
    assert.deepEqual(page.complaints, []);
    await close_page(page);
  });
}

describe('the layout', () => {
  let demo;
  before(async () => {
    demo = await Program.start('demo --no-open --page-port 0 --loss 0 --interval-s 0.5 --seed 5 --live-scan'.split(' '));
  });
  const get_address = () => demo.address;
  describe('on a desk', () => check_machine(kDesks, {}, get_address));
  describe('on a phone', () => check_machine(kPhones, { isMobile: true, hasTouch: true }, get_address));
  after(async () => assert.ok(kCtrlC.includes(await demo.end())));
});
