// A robot on rough ground: how it stands, its flippers and belts; buttons and keys that move the flippers; and the
// clock of a training course.

import { kCrawler } from '../core/layout';
import type { World } from '../core/core';
import type { Attitude, Flippers, Posture, Report } from '../link/protocol';
import { course_of, make_clock, take_run, type Course, type CourseClock } from '../state/course';
import type { Picture } from '../view/picture';
import { by_id, make_button, set_text } from './dom';

const kStep = 0.2; // [rad] with each press
const kPresets: [name: string, flippers: Flippers, title: string][] = [
  ['Level', [0, 0, 0, 0], 'stretched out: as long as it can be'],
  ['Up', [1.57, 1.57, 1.57, 1.57], 'out of the way'],
  ['Climb', [1, 1, 0, 0], 'front up against a step, rear behind it'],
  ['Push', [0, 0, -0.6, -0.6], 'rear down: it lifts the tail'],
];
// what a key does: which pair, and by how much
const kKeys: Record<string, [front: boolean, by: number]> = {
  KeyR: [true, kStep],
  KeyF: [true, -kStep],
  KeyT: [false, kStep],
  KeyG: [false, -kStep],
};

const degrees = (angle: number): string => `${Math.round((180 / Math.PI) * angle)}°`;

export function format_clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(1).padStart(4, '0')}`;
}

export function describe_run({ state, began_s, now_s, falls }: CourseClock): string {
  if (state === 'away') return 'The clock starts when the robot leaves the green floor.';
  if (state === 'ready') return 'At the start: the clock runs as soon as it leaves.';
  const fell = falls === 0 ? '' : falls === 1 ? ', fell over once' : `, fell over ${falls} times`;
  return `${format_clock(now_s - began_s)}${state === 'done' ? ' at the finish' : ''}${fell}`;
}

// Pairs move together.
export function moved(flippers: Flippers, front: boolean, by: number, limit: number): Flippers {
  const next = [...flippers] as Flippers;
  for (const i of front ? [0, 1] : [2, 3]) next[i] = Math.max(-limit, Math.min(limit, next[i]! + by));
  return next;
}

function side_view(crawler: Float64Array, { pitch }: Attitude, flippers: Flippers): string {
  const number = (name: keyof typeof kCrawler): number => 100 * crawler[kCrawler[name]]!;
  const [half, radius] = [number('track_length') / 2, number('track_radius')];
  const arm = (ahead: number, angle: number): string => {
    const [x, z] = [ahead * number('hinge_x'), 0];
    const tip = [x + ahead * number('flipper_length') * Math.cos(angle), -number('flipper_length') * Math.sin(angle)];
    return (
      `<line class="arm" x1="${x}" y1="${z}" x2="${tip[0]}" y2="${tip[1]}"/>` +
      `<circle class="wheel" cx="${tip[0]}" cy="${tip[1]}" r="${number('tip_radius')}"/>`
    );
  };
  const level = `<line class="level" x1="-50" y1="${radius + 1}" x2="50" y2="${radius + 1}"/>`;
  const track = `<rect class="track" x="${-half - radius}" y="${-radius}" width="${2 * (half + radius)}" height="${2 * radius}" rx="${radius}"/>`;
  const turned = `transform="rotate(${(180 / Math.PI) * pitch})"`;
  return `${level}<g ${turned}>${arm(-1, flippers[2])}${arm(1, flippers[0])}${track}<path class="nose" d="M${half} -3 l8 3 l-8 3z"/></g>`;
}

export class PosturePanel {
  private world_: World | null = null;
  private course_: Course | null = null;
  private clock_ = make_clock();
  private report_: Report | null = null; // the one that was taken in last
  private wanted_: Flippers | null = null; // as told from here
  private drawn_ = '';

  constructor(
    private readonly move_: (flippers: Flippers) => void,
    private readonly may_move_: () => boolean,
  ) {
    const row = by_id('flipper-presets');
    for (const [name, flippers, title] of kPresets) {
      const button = make_button(name, false, () => this.move(flippers));
      button.removeAttribute('aria-pressed');
      button.title = title;
      row.append(button);
    }
    window.addEventListener('keydown', (event) => this.key(event));
  }

  update({ subject, world }: Picture): void {
    const report = subject?.moment.report ?? null;
    const posture = report?.posture ?? null;
    by_id('posture-box').hidden = posture === null || world === null || world.crawler === null;
    if (posture === null || world === null || world.crawler === null) return;
    if (world !== this.world_) this.begin(world);
    this.draw(world.crawler, subject?.moment.attitude ?? posture, posture);
    by_id('flipper-presets').hidden = by_id('flipper-hint').hidden = !this.may_move_();
    if (this.course_ !== null && report !== this.report_) this.clock_ = take_run(this.clock_, this.course_, report!);
    this.report_ = report;
    by_id('course-clock').hidden = this.course_ === null;
    set_text(by_id('course-clock'), describe_run(this.clock_));
    by_id('course-clock').dataset.state = this.clock_.state;
  }

  private begin(world: World): void {
    this.world_ = world;
    this.course_ = course_of(world);
    this.clock_ = make_clock();
    this.wanted_ = null;
  }

  private draw(crawler: Float64Array, attitude: Attitude, posture: Posture): void {
    const drawn = side_view(crawler, attitude, posture.flippers);
    if (drawn !== this.drawn_) by_id('posture-side').innerHTML = drawn;
    this.drawn_ = drawn;
    set_text(by_id('posture-pitch'), degrees(-attitude.pitch));
    set_text(by_id('posture-roll'), degrees(attitude.roll));
    const [front, rear] = [posture.flippers[0], posture.flippers[2]];
    set_text(by_id('posture-flippers'), `${degrees(front)} · ${degrees(rear)}`);
    set_text(by_id('posture-belts'), `${posture.left_speed.toFixed(2)} · ${posture.right_speed.toFixed(2)} m/s`);
    by_id('posture-fallen').hidden = posture.standing === 'upright';
    set_text(by_id('posture-fallen'), posture.standing === 'lost' ? 'It is lost.' : `It lies ${posture.standing}.`);
  }

  private move(flippers: Flippers): void {
    if (!this.may_move_()) return;
    this.wanted_ = flippers;
    this.move_(flippers);
  }

  private key(event: KeyboardEvent): void {
    const what = kKeys[event.code];
    const typing = event.target instanceof HTMLElement && event.target.matches('select, input');
    const posture = this.report_?.posture ?? null;
    if (what === undefined || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (posture === null || by_id('posture-box').hidden) return;
    const limit = this.world_?.crawler?.[kCrawler.flipper_limit] ?? Math.PI;
    this.move(moved(this.wanted_ ?? posture.flippers, what[0], what[1], limit));
  }
}
