// The stages of a mission as tabs: arrow keys go from one to the next that is open.

import type { Stage } from '../state/mission';
import { by_id } from './dom';

const kNames: Record<Stage, string> = {
  try_out: 'Try out',
  trim: 'Trim',
  preview: 'Preview',
  upload: 'Upload',
  watch: 'Watch',
};
const kSteps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export class MissionTabs {
  private readonly tabs_ = new Map<Stage, HTMLButtonElement>();

  constructor(
    private readonly stages_: readonly Stage[],
    private readonly enter_: (stage: Stage) => void,
  ) {
    for (const stage of stages_) {
      const tab = document.createElement('button');
      Object.assign(tab, { type: 'button', id: `tab-${stage}`, textContent: kNames[stage] });
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-controls', `stage-${stage}`);
      tab.addEventListener('click', () => enter_(stage));
      tab.addEventListener('keydown', (event) => this.key(event, stage));
      this.tabs_.set(stage, tab);
      by_id('mission-stages').append(tab);
    }
  }

  update(now: Stage, may_enter: (stage: Stage) => boolean): void {
    for (const [stage, tab] of this.tabs_) {
      const selected = stage === now;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
      tab.disabled = !selected && !may_enter(stage);
      by_id(`stage-${stage}`).hidden = !selected;
    }
  }

  private key(event: KeyboardEvent, from: Stage): void {
    const step = kSteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // it drives nothing
    for (let i = this.stages_.indexOf(from) + step; i >= 0 && i < this.stages_.length; i += step) {
      const tab = this.tabs_.get(this.stages_[i]!)!;
      if (tab.disabled) continue;
      this.enter_(this.stages_[i]!);
      tab.focus();
      return;
    }
  }
}
