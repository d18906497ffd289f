// What holds the robot, in words: a hand that is held back, things that it touches, and a hand that is offered less.

import type { Hindrance } from '../link/protocol';

const kSides = ['ahead', 'ahead on the left', 'on the left', 'behind on the left', 'behind', 'behind on the right'];
const kWays = [...kSides, 'on the right', 'ahead on the right'];
const kWorthAWord = 0.05; // a smaller share is not felt
const kFresh_s = 2; // an older report says nothing of what is held back now

// Of a bearing, counter-clockwise from the robot's heading.
export function side_of(bearing: number): string {
  const eighth = Math.round(bearing / (Math.PI / 4));
  return kWays[((eighth % 8) + 8) % 8]!;
}

// `age_s`: of the report. Empty: nothing hinders the robot.
export function describe_hindrance(hindrance: Hindrance | null, age_s: number): string {
  if (hindrance === null) return '';
  const { held_back, contact } = hindrance;
  const parts = [];
  if (contact !== null) {
    const sides = [...new Set(contact.bearings.map(side_of))].join(' and ');
    parts.push(`Touches something ${sides}, for ${contact.lasts_s.toFixed(0)} s: drive away from it, or give a goal.`);
  }
  if (held_back !== null && held_back.share >= kWorthAWord && age_s < kFresh_s)
    parts.push(`Held back: something ${held_back.distance.toFixed(1)} m ${side_of(held_back.bearing)}.`);
  return parts.join(' ');
}

// What may be asked of a hand that sees late and not for sure: a share of the robot's speed.
export interface Offer {
  share: number; // 0 … 1
  why: string; // empty: nothing is taken off
}

const kUnfelt_s = 0.2; // a shorter delay takes nothing off
const kHalf_s = 2; // so much more takes half of it off
const kSure_m = 0.2; // nor does a smaller region
const kHalf_m = 1;
const kLeast = 0.25;

// `delay_s`: from a push to seeing what comes of it. `radius95_m`: how far off the robot may be. NaN: not known.
export function offer_to_hand(delay_s: number, radius95_m: number): Offer {
  const late = Math.max(0, (delay_s || 0) - kUnfelt_s) / kHalf_s;
  const unsure = Math.max(0, (radius95_m || 0) - kSure_m) / kHalf_m;
  const share = Math.max(kLeast, 1 / (1 + late + unsure));
  if (share > 0.95) return { share: 1, why: '' };
  const why = late >= unsure ? `${delay_s.toFixed(1)} s delay` : `it may be ${radius95_m.toFixed(1)} m off`;
  return { share, why };
}

// `max_speed` of the robot [m/s].
export function describe_offer({ share, why }: Offer, max_speed: number): string {
  return why === '' ? '' : `${(share * max_speed).toFixed(1)} of ${max_speed.toFixed(1)} m/s: ${why}.`;
}
