// What stands over the two halves when the view is split: with Forerun and without.

import type { Point } from '../link/protocol';
import type { Picture } from '../view/picture';
import { by_id, set_text } from './dom';

export function update_split({ without, subject }: Picture): void {
  by_id('split').hidden = !without;
  const moment = subject?.moment;
  if (!without || moment === undefined) return;
  const off = (pose: Point | null): string => {
    if (moment.truth === null || pose === null) return '';
    return `${Math.hypot(pose.x - moment.truth.x, pose.y - moment.truth.y).toFixed(2)} m off the truth`;
  };
  set_text(by_id('split-with'), off(moment.predicted) || 'where the robot is now');
  set_text(by_id('split-without'), off(moment.reported) || 'where it last reported to be');
}
