// The places of the slider for the time between two reports.

import type { Range } from '../link/messages';

const kIntervals_s = [0.05, 0.1, 0.2, 0.5, 1, 2, 4, 6, 12, 30, 60]; // 6 s: the papers' ten packets a minute

// Those that the program takes.
export function intervals_within({ low, high }: Range): number[] {
  return kIntervals_s.filter((interval_s) => interval_s >= low && interval_s <= high);
}

// The place that comes nearest, as times go: twice as long is as far off as half as long.
export function nearest_interval(intervals_s: readonly number[], interval_s: number): number {
  const off = (i: number): number => Math.abs(Math.log(intervals_s[i]! / Math.max(interval_s, 0.01)));
  return intervals_s.reduce((best, _, i) => (off(i) < off(best) ? i : best), 0);
}
