// Without 3D pictures: the plan takes their place, and says why.

import { by_id } from './dom';

const kMissing =
  'This browser shows no 3D pictures (WebGL 2 is missing or switched off). This plan shows the same robot.';
const kLost =
  'The graphics card has stopped drawing the 3D view; it comes back by itself if it can, else reload the page. ' +
  'This plan shows the same robot.';

const is_large = (): boolean => by_id('plan-box').classList.contains('large');

function show_flat(why: string): void {
  by_id('plan-title').textContent = why;
  if (!is_large()) by_id('plan-large').click();
}

export const show_missing = (): void => show_flat(kMissing);

// The graphics card may be taken away from a page, and given back.
export function listen_to_loss(canvas: HTMLCanvasElement): void {
  const title = by_id('plan-title').textContent;
  let was_large = false;
  canvas.addEventListener('webglcontextlost', () => {
    was_large = is_large();
    show_flat(kLost);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    by_id('plan-title').textContent = title;
    if (is_large() && !was_large) by_id('plan-large').click();
  });
}
