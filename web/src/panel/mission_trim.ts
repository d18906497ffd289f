// Second stage of a mission: what is redundant is cut, each cut with its reason, and each can be taken back.

import { kPhantom } from '../core/layout';
import {
  contacts_of,
  type Contact,
  type Cut,
  type KeptPlace,
  type Mission,
  type Redundancy,
  type Uncut,
} from '../state/mission';
import { by_id, set_text } from './dom';

export interface TrimActions {
  set_redundancy(redundancy: Redundancy): void;
  set_kept(kept: KeptPlace[]): void;
  apply(cut: number, applied: boolean): void;
  point_at(cut: number | null): void;
}

const kKeys = ['bump_m', 'back_and_forth_m', 'loop_m', 'dwell_s'] as const;

const format_time = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

// "loop: 2.10 m and 8.4 s, at 0:31"
export const cut_sentence = ({ kind, length, duration_s, from_s }: Cut): string =>
  `${kind}: ${length.toFixed(2)} m and ${duration_s.toFixed(1)} s, at ${format_time(from_s)}`;

// Contacts have the numbers that the plan shows.
export const contacts_within = ({ from, to }: Pick<Cut, 'from' | 'to'>, contacts: readonly Contact[]): number[] =>
  contacts.flatMap(({ at }, i) => (at >= from && at <= to ? [i + 1] : []));
// "✕ 1, 2"; empty: nothing was touched.
const contact_mark = (numbers: readonly number[]): string => (numbers.length === 0 ? '' : `✕ ${numbers.join(', ')}`);
// Of those that no cut takes away.
export function left_contacts(cuts: readonly Cut[], contacts: readonly Contact[]): string[] {
  const cut = new Set(cuts.filter(({ applied }) => applied).flatMap((one) => contacts_within(one, contacts)));
  return contacts.flatMap(({ time_s, x, y }, i) => {
    const where = `at ${format_time(time_s)}, (${x.toFixed(1)}, ${y.toFixed(1)})`;
    return cut.has(i + 1) ? [] : [`✕ ${i + 1} contact ${where}, is not cut`];
  });
}
const uncut_sentence = ({ kind, why, length }: Uncut): string =>
  `${kind} of ${length.toFixed(1)} m stays: ${why}`;

// What stays because it is long is said in one line: any round that was meant is among it.
export function uncut_sentences(uncut: readonly Uncut[]): string[] {
  const long = uncut.filter(({ why }) => why === 'too long').map(({ length }) => length);
  const others = uncut.filter(({ why }) => why !== 'too long').map(uncut_sentence);
  if (long.length === 0) return others;
  const shortest = `${Math.min(...long).toFixed(1)} m`;
  const several = `${long.length} sections of ${shortest} and more come back`;
  const words = long.length === 1 ? `one section of ${shortest} comes back` : several;
  return [...others, `${words}, too long to be cut`];
}

// What is left of length and time when the cuts are made.
export function left_after({ phantom, cuts }: Mission): { length: number; time_s: number } | null {
  if (phantom === null || cuts === null) return null;
  const made = cuts.filter(({ applied }) => applied);
  return {
    length: phantom[kPhantom.length]! - made.reduce((sum, { length }) => sum + length, 0),
    time_s: phantom[kPhantom.time]! - made.reduce((sum, { duration_s }) => sum + duration_s, 0),
  };
}

export class TrimStage {
  private key_ = '';
  private kept_key_ = '';

  constructor(
    private readonly mission_: () => Mission,
    private readonly actions_: TrimActions,
  ) {
    for (const key of kKeys) {
      const input = by_id<HTMLInputElement>(key);
      input.addEventListener('change', () => {
        if (input.value === '' || !input.checkValidity()) return;
        actions_.set_redundancy({ ...mission_().redundancy, [key]: Number(input.value) });
      });
    }
  }

  update(mission: Mission): void {
    for (const key of kKeys) {
      const input = by_id<HTMLInputElement>(key);
      const text = String(mission.redundancy[key]);
      if (document.activeElement !== input && input.value !== text) input.value = text;
    }
    const key = JSON.stringify([mission.cuts, mission.uncut]);
    if (key !== this.key_) this.fill_cuts(mission);
    this.key_ = key;
    const kept_key = mission.kept.map(({ id }) => id).join();
    if (kept_key !== this.kept_key_) this.fill_kept(mission.kept);
    this.kept_key_ = kept_key;
    set_text(by_id('trim-figures'), this.figures(mission));
  }

  private figures(mission: Mission): string {
    const left = left_after(mission);
    if (left === null) return 'Looking for what is redundant …';
    const { length, time_s } = left;
    const phantom = mission.phantom!;
    const before = `${phantom[kPhantom.length]!.toFixed(1)} m in ${phantom[kPhantom.time]!.toFixed(1)} s`;
    if (mission.cuts!.length === 0) return `Nothing to cut: ${before}.`;
    return `Tried out: ${before}. Left: ${length.toFixed(1)} m in ${time_s.toFixed(1)} s.`;
  }

  private fill_cuts({ cuts, uncut, tried }: Mission): void {
    const contacts = contacts_of(tried);
    const focused = [...document.querySelectorAll('#cuts input')].indexOf(document.activeElement!);
    const rows = (cuts ?? []).map((cut, i) => this.cut_row(cut, i, contacts));
    const left = [...left_contacts(cuts ?? [], contacts), ...uncut_sentences(uncut)];
    by_id('cuts').replaceChildren(...rows, ...left.map((words) => make_item(words, 'uncut')));
    if (focused >= 0) document.querySelectorAll<HTMLInputElement>('#cuts input')[focused]?.focus();
  }

  private cut_row(cut: Cut, index: number, contacts: readonly Contact[]): HTMLElement {
    const row = make_item('', cut.applied ? '' : 'undone');
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = cut.applied;
    // the space bar stops the robot, so that Enter ticks
    box.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') box.click();
    });
    box.addEventListener('change', () => this.actions_.apply(index, box.checked));
    label.append(box, ` ${cut_sentence(cut)}`);
    row.append(label);
    const touched = contacts_within(cut, contacts);
    if (touched.length > 0) {
      const mark = document.createElement('span');
      mark.className = 'contact';
      mark.textContent = contact_mark(touched);
      mark.title = 'Contacts, as the plan numbers them';
      row.append(mark);
    }
    for (const [name, at] of [
      ['pointerenter', index],
      ['focusin', index],
      ['pointerleave', null],
      ['focusout', null],
    ] as const) {
      row.addEventListener(name, () => this.actions_.point_at(at));
    }
    return row;
  }

  private fill_kept(kept: readonly KeptPlace[]): void {
    const rows = kept.map(({ id, x, y, radius }) => {
      const row = make_item('', '');
      const label = document.createElement('label');
      const input = document.createElement('input');
      Object.assign(input, { type: 'number', min: '0.1', max: '50', step: '0.1', value: String(radius) });
      input.addEventListener('change', () => {
        if (!input.checkValidity()) return;
        const changed = { radius: Number(input.value) };
        this.actions_.set_kept(this.mission_().kept.map((one) => (one.id === id ? { ...one, ...changed } : one)));
      });
      label.append(`(${x.toFixed(1)}, ${y.toFixed(1)}) within `, input, ' m');
      const remove = document.createElement('button');
      Object.assign(remove, { type: 'button', className: 'remove', textContent: '✕' });
      remove.setAttribute('aria-label', `Protect the place at ${x.toFixed(1)}, ${y.toFixed(1)} no longer`);
      remove.addEventListener('click', () =>
        this.actions_.set_kept(this.mission_().kept.filter((one) => one.id !== id)),
      );
      row.append(label, remove);
      return row;
    });
    by_id('kept').replaceChildren(...rows);
  }
}

function make_item(words: string, kind: string): HTMLElement {
  const item = document.createElement('li');
  item.textContent = words;
  item.className = kind;
  return item;
}
