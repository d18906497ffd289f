// What became of a goal: sent, confirmed by the robot, under way, reached; or refused, given up, replaced.

import type { Outcome } from '../link/messages';
import type { Point, Report } from '../link/protocol';

export type GoalPhase = 'sent' | 'confirmed' | 'under_way' | 'reached' | 'refused' | 'unconfirmed' | 'ended';

export interface GoalProgress {
  robot: number;
  place: Point;
  after: number; // number of the newest command before it
  phase: GoalPhase;
  text: string; // why it did not go on; else empty
  known_by_ns: bigint | null; // robot's clock when it was confirmed: by then it had the goal. Null: unknown
}

const kSame = 0.02; // [m] reports carry the goal in millimetres
const kClearly_ns = 500_000_000n; // a report that is so much later was made after the goal came
const kOver: readonly GoalPhase[] = ['reached', 'refused', 'ended'];

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

export const is_over = ({ phase }: GoalProgress): boolean => kOver.includes(phase);
// The robot does not say so itself: the page shows where the goal is to be.
export const is_pending = ({ phase }: GoalProgress): boolean => phase === 'sent' || phase === 'confirmed';

export function begin_goal(robot: number, place: Point, after: number): GoalProgress {
  return { robot, place, after, phase: 'sent', text: '', known_by_ns: null };
}

// `now_ns`: what the robot's clock says; null: unknown.
export function take_goal_outcome(progress: GoalProgress, outcome: Outcome, now_ns: bigint | null): GoalProgress {
  const { robot, command, number, state, text } = outcome;
  if (robot !== progress.robot || number <= progress.after || is_over(progress)) return progress;
  if ((command === 'stop' || command === 'cancel') && state === 'confirmed') {
    return { ...progress, phase: 'ended', text: command === 'stop' ? 'stopped' : 'cancelled' };
  }
  if (command !== 'goal' || progress.phase === 'under_way') return progress;
  if (state === 'confirmed') return { ...progress, phase: 'confirmed', text: '', known_by_ns: now_ns };
  if (state === 'refused') return { ...progress, phase: 'refused', text: text || 'refused by the robot' };
  if (state === 'failed') return { ...progress, phase: 'unconfirmed', text: text || 'no answer from the robot' };
  return progress;
}

// Made when the robot had the goal for certain: if it says nothing of it, it has it no more.
const is_after_goal = ({ phase, known_by_ns }: GoalProgress, { time_ns }: Report): boolean =>
  phase === 'confirmed' && known_by_ns !== null && time_ns > known_by_ns + kClearly_ns;

// `near`: how close to the goal the robot has reached it [m].
export function take_goal_report(progress: GoalProgress, report: Report, near: number): GoalProgress {
  if (is_over(progress)) return progress;
  const { goal, task, pose } = report;
  const same = goal !== null && distance(goal, progress.place) < kSame;
  if (!same) {
    if (progress.phase !== 'under_way' && !is_after_goal(progress, report)) return progress;
    // the report in which it said so was lost
    if (distance(pose, progress.place) < near) return { ...progress, phase: 'reached', text: '' };
    return { ...progress, phase: 'ended', text: goal === null ? 'given up' : 'the robot has another goal now' };
  }
  if (task === 'done') return { ...progress, phase: 'reached', text: '' };
  if (task === 'unreachable') return { ...progress, phase: 'refused', text: 'the robot finds no way there' };
  if (task === 'cancelled') return { ...progress, phase: 'ended', text: 'cancelled' };
  return { ...progress, phase: 'under_way', text: '' };
}
