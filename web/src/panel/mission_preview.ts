// Third stage of a mission: the phantom drives it, with speeds and room around it, before any robot does.

import { kBody, kTrial } from '../core/layout';
import type { Action, World } from '../core/core';
import { driving_at, duration_of, type Mission, type Rehearsed } from '../state/mission';
import { prefers_dark } from '../view/colours';
import { draw_mission_chart } from '../view/mission_chart';
import { by_id, set_text } from './dom';
import { kKeySteps_s } from './timeline';

export interface PreviewActions {
  save(): void;
}

const format_m = (metres: number): string =>
  metres < 1 ? `${(100 * metres).toFixed(0)} cm` : `${metres.toFixed(1)} m`;

export class PreviewStage {
  private readonly scrub_ = by_id<HTMLInputElement>('preview-scrub');
  private readonly name_ = by_id<HTMLInputElement>('mission-name');
  private drawn_ = '';

  constructor(
    private readonly mission_: () => Mission,
    actions: PreviewActions,
  ) {
    this.scrub_.addEventListener('input', () => this.go_to(Number(this.scrub_.value)));
    this.scrub_.addEventListener('keydown', (event) => this.key(event));
    by_id('preview-play').addEventListener('click', () => this.toggle());
    by_id('mission-save').addEventListener('click', () => actions.save());
    this.name_.addEventListener('input', () => {
      // a space bar that stops the robot types nothing: what is pasted has none either
      const name = this.name_.value.replace(/[\s\p{Cc}]+/gu, '-');
      if (name !== this.name_.value) this.name_.value = name;
      mission_().name = name;
    });
  }

  // The preview's time goes on.
  advance(mission: Mission, step_s: number): void {
    if (!mission.playing || mission.rehearsed === null) return;
    mission.preview_s += step_s;
    if (mission.preview_s < duration_of(mission)) return;
    mission.preview_s = duration_of(mission);
    mission.playing = false;
  }

  update(mission: Mission, world: World | null): void {
    const { rehearsed, computing } = mission;
    by_id('preview-room').hidden = rehearsed === null;
    if (document.activeElement !== this.name_ && this.name_.value !== mission.name) this.name_.value = mission.name;
    by_id<HTMLButtonElement>('mission-save').disabled = mission.name === '';
    const waiting = computing ? 'The phantom drives it in the simulator …' : '';
    set_text(by_id('preview-state'), rehearsed !== null ? summary_of(rehearsed) : waiting);
    if (rehearsed === null) return;
    this.update_time(mission);
    const max_speed = world?.body[kBody.max_speed] ?? 1;
    const canvas = by_id<HTMLCanvasElement>('mission-chart');
    const key = [mission.revision, mission.preview_s, canvas.clientWidth, prefers_dark()].join();
    if (key !== this.drawn_) draw_mission_chart(canvas, rehearsed, mission.preview_s, max_speed);
    this.drawn_ = key;
  }

  private update_time(mission: Mission): void {
    const duration = duration_of(mission);
    this.scrub_.max = String(duration);
    this.scrub_.value = String(mission.preview_s);
    const time = `${mission.preview_s.toFixed(1)} of ${duration.toFixed(1)} s`;
    if (this.scrub_.getAttribute('aria-valuetext') !== time) this.scrub_.setAttribute('aria-valuetext', time);
    const play = by_id('preview-play');
    play.dataset.shows = mission.playing ? 'pause' : 'play';
    play.setAttribute('aria-label', mission.playing ? 'Pause' : 'Play');
    const now = driving_at(mission.rehearsed!.path, mission.preview_s)!;
    const speeds = `${now.speed.toFixed(2)} m/s · ${now.turn_rate.toFixed(2)} rad/s`;
    set_text(by_id('preview-now'), `${time} · ${speeds} · room ${format_m(now.clearance)}`);
  }

  private toggle(): void {
    const mission = this.mission_();
    if (!mission.playing && mission.preview_s >= duration_of(mission) - 0.01) mission.preview_s = 0;
    mission.playing = !mission.playing;
  }

  private key(event: KeyboardEvent): void {
    const step_s = kKeySteps_s[event.key];
    if (step_s === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.go_to(this.mission_().preview_s + step_s);
  }

  private go_to(time_s: number): void {
    const mission = this.mission_();
    mission.playing = false;
    mission.preview_s = Math.max(0, Math.min(duration_of(mission), time_s));
  }
}

// "photo at 12.3 s, hold at 40.1 s"; a robot takes its time for them, the preview does not.
const actions_text = (actions: readonly Action[]): string =>
  actions.map(({ time_s, name }) => `${name} at ${time_s.toFixed(1)} s`).join(', ');

// "24.1 m in 61.3 s, within all limits; never nearer to anything than 31 cm; at most 1 cm off its path."
export function summary_of({ trial, actions }: Pick<Rehearsed, 'trial' | 'actions'>): string {
  const stands = actions.length === 0 ? '' : ` It stands for ${actions_text(actions)}: that time is not counted.`;
  return (
    `${trial[kTrial.length]!.toFixed(1)} m in ${trial[kTrial.duration]!.toFixed(1)} s, within the robot's limits; ` +
    `never nearer to anything than ${format_m(trial[kTrial.min_clearance]!)}; ` +
    `in the simulator at most ${format_m(trial[kTrial.off_path_max]!)} off its path.${stands}`
  );
}
