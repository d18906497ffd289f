// What stands over the two pictures when the view is split: with Forerun and without.

import type { Point } from '../link/protocol';
import { is_stacked } from '../view/panes';
import type { Picture } from '../view/picture';
import { by_id, set_text } from './dom';

export function update_split({ without, subject }: Picture): void {
  const split = by_id('split');
  split.hidden = !without;
  const moment = subject?.moment;
  if (!without || moment === undefined) return;
  split.classList.toggle('stacked', is_stacked(split.clientWidth, split.clientHeight));
  const off = (pose: Point | null): string => {
    if (moment.truth === null || pose === null) return '';
    return `${Math.hypot(pose.x - moment.truth.x, pose.y - moment.truth.y).toFixed(1)} m off`;
  };
  set_text(by_id('split-with'), 'where it is now');
  set_text(by_id('split-without'), `frozen for ${moment.gap.toFixed(moment.gap < 10 ? 1 : 0)} s`);
  set_text(by_id('split-with-off'), off(moment.predicted));
  set_text(by_id('split-without-off'), off(moment.reported));
}
