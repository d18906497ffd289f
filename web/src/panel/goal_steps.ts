// How far a goal has come, as a row of steps: sent, confirmed by the robot, under way, reached.

import { is_over, type GoalPhase, type GoalProgress } from '../state/goal_progress';
import { by_id } from './dom';

const kSteps = ['sent', 'confirmed', 'under way', 'reached'] as const;
const kDone: Record<GoalPhase, number> = {
  sent: 1,
  unconfirmed: 1,
  refused: 1,
  confirmed: 2,
  under_way: 3,
  ended: 3,
  reached: 4,
};
const kSentences: Record<GoalPhase, string> = {
  sent: 'Goal sent, waiting for the robot to confirm it.',
  confirmed: 'The robot has confirmed the goal. The way to it appears with its next report.',
  under_way: 'The robot reports that it is on its way to your goal.',
  reached: 'The robot reports that it has reached your goal.',
  refused: 'Goal refused',
  unconfirmed: 'The goal was not confirmed and may not have arrived. Click again to send it again',
  ended: 'The way to your goal has ended',
};
const kStay_ms = 8000; // a goal that is over stays in sight for so long

export function goal_sentence({ phase, text }: GoalProgress): string {
  return text === '' ? kSentences[phase] : `${kSentences[phase].replace(/\.$/, '')}: ${text.replace(/\.$/, '')}.`;
}

export class GoalSteps {
  private readonly list_ = by_id('goal-steps');
  private readonly items_ = kSteps.map((text) => {
    const item = document.createElement('li');
    item.textContent = text;
    this.list_.append(item);
    return item;
  });
  private shown_: GoalProgress | null = null;
  private since_ms_ = 0;

  // The sentence that goes with it; empty: there is no goal to speak of. `quiet`: something else matters more.
  update(progress: GoalProgress | null, local_ms: number, quiet: boolean): string {
    if (progress !== this.shown_) {
      this.shown_ = progress;
      this.since_ms_ = local_ms;
    }
    const old = progress !== null && is_over(progress) && local_ms > this.since_ms_ + kStay_ms;
    this.list_.hidden = progress === null || old || quiet;
    if (progress === null || old || quiet) return '';
    const wrong = progress.text !== '';
    this.items_.forEach((item, i) => {
      const done = i < kDone[progress.phase];
      const state = done ? 'done' : i > kDone[progress.phase] ? 'later' : wrong ? 'wrong' : 'next';
      if (item.dataset.state !== state) item.dataset.state = state;
    });
    return goal_sentence(progress);
  }
}
