// First stage of a mission: the phantom is driven by waypoints or by hand. Nothing here moves the robot.

import { kPhantom } from '../core/layout';
import type { Step } from '../core/rehearsal_messages';
import type { Pose } from '../link/protocol';
import { action_name, type Mission } from '../state/mission';
import { by_id, set_pressed, set_text } from './dom';

export interface TryOutActions {
  choose(by_hand: boolean): void;
  set_start(start: Pose): void;
  set_steps(steps: Step[]): void;
  begin_here(): void;
}

type Field = 'x' | 'y' | 'heading' | 'wait_s';

const kFields: Record<Field, { label: string; unit: string; step: string }> = {
  x: { label: 'x', unit: 'm', step: '0.05' },
  y: { label: 'y', unit: 'm', step: '0.05' },
  heading: { label: 'heading', unit: '°', step: '5' },
  wait_s: { label: 'wait', unit: 's', step: '1' },
};
const kHasKeyboard = matchMedia('(hover: hover)').matches;
const kHints = {
  start: 'Click where the phantom is to begin.',
  waypoints: kHasKeyboard
    ? 'Click in either view to place a waypoint; drag it on the plan to move it. Keyboard: arrows and Enter there.'
    : 'Tap in either view to place a waypoint; drag it on the plan to move it.',
  hand: kHasKeyboard
    ? 'Hold W A S D, the arrow keys or the pad: the phantom drives. Time passes only while it moves.'
    : 'Hold the pad and move it: the phantom drives. Time passes only while it moves.',
};

const degrees = (angle: number): number => (angle * 180) / Math.PI;
const shown = (value: number): string => String(Number(value.toFixed(2)));

export class TryOutStage {
  private readonly list_ = by_id('try-steps');
  private key_ = '';
  private inputs_: { input: HTMLInputElement; value: (mission: Mission) => string }[] = [];

  constructor(
    private readonly mission_: () => Mission,
    private readonly actions_: TryOutActions,
  ) {
    by_id('try-waypoints').addEventListener('click', () => actions_.choose(false));
    by_id('try-hand').addEventListener('click', () => actions_.choose(true));
    by_id('try-undo').addEventListener('click', () => actions_.set_steps(mission_().steps.slice(0, -1)));
    by_id('try-reset').addEventListener('click', () => actions_.set_steps([]));
    by_id('try-here').addEventListener('click', () => actions_.begin_here());
  }

  update(mission: Mission): void {
    set_pressed(by_id('try-waypoints'), !mission.by_hand);
    set_pressed(by_id('try-hand'), mission.by_hand);
    const hint = mission.phantom === null ? 'start' : mission.by_hand ? 'hand' : 'waypoints';
    set_text(by_id('try-hint'), kHints[hint]);
    for (const id of ['try-undo', 'try-reset']) by_id<HTMLButtonElement>(id).disabled = mission.steps.length === 0;
    set_text(by_id('try-figures'), this.figures(mission));
    const key = [mission.start !== null, ...mission.steps.map(({ kind, id }) => `${kind} ${id}`)].join();
    if (key !== this.key_) this.fill(mission);
    this.key_ = key;
    for (const { input, value } of this.inputs_) {
      const text = value(mission);
      if (document.activeElement !== input && input.value !== text) input.value = text;
    }
  }

  private figures({ phantom, steps, n_driven, resting }: Mission): string {
    if (phantom === null || phantom[kPhantom.points]! < 2) return '';
    const touched = phantom[kPhantom.collisions]!;
    const times = touched === 1 ? 'once' : `${touched} times`;
    const contacts = touched === 0 ? 'touched nothing' : `touched something ${times}`;
    const under_way = resting || n_driven > steps.length ? '' : ` · driving ${n_driven} of ${steps.length} …`;
    const driven = `${phantom[kPhantom.length]!.toFixed(1)} m in ${phantom[kPhantom.time]!.toFixed(1)} s`;
    return `${driven}, ${contacts}${under_way}`;
  }

  private fill(mission: Mission): void {
    this.inputs_ = [];
    const rows = mission.steps.map((step, i) => this.step_row(step, i));
    this.list_.replaceChildren(...(mission.start === null ? [] : [this.start_row()]), ...rows);
  }

  private start_row(): HTMLElement {
    const row = this.row('S', 'start');
    for (const field of ['x', 'y', 'heading'] as const) {
      const value = ({ start }: Mission): number | undefined =>
        field === 'heading' && start !== null ? degrees(start.heading) : start?.[field];
      const set = (wanted: number): void => {
        const { start } = this.mission_();
        if (start === null) return;
        this.actions_.set_start({ ...start, [field]: field === 'heading' ? (wanted * Math.PI) / 180 : wanted });
      };
      row.append(this.number_input(field, `${kFields[field].label} of the start`, value, set));
    }
    return row;
  }

  private step_row(step: Step, index: number): HTMLElement {
    const row = this.row(String(index + 1), step.kind === 'hand' ? 'by hand' : '');
    if (step.kind === 'waypoint') {
      for (const field of ['x', 'y', 'wait_s'] as const) {
        const value = ({ steps }: Mission): number | undefined => {
          const now = steps.find(({ id }) => id === step.id);
          return now?.kind === 'waypoint' ? now[field] : undefined;
        };
        const set = (wanted: number): void =>
          this.actions_.set_steps(
            this.mission_().steps.map((other) => (other.id === step.id ? { ...other, [field]: wanted } : other)),
          );
        row.append(this.number_input(field, `${kFields[field].label} of waypoint ${index + 1}`, value, set));
      }
      row.append(this.action_input(step.id, index));
    }
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.className = 'remove';
    remove.textContent = '✕';
    remove.setAttribute('aria-label', `Remove ${step.kind === 'hand' ? 'stretch' : 'waypoint'} ${index + 1}`);
    remove.addEventListener('click', () =>
      this.actions_.set_steps(this.mission_().steps.filter(({ id }) => id !== step.id)),
    );
    row.append(remove);
    return row;
  }

  private row(mark: string, words: string): HTMLElement {
    const row = document.createElement('li');
    const number = document.createElement('b');
    number.textContent = mark;
    const name = document.createElement('span');
    name.className = 'what';
    name.textContent = words;
    row.append(number);
    if (words !== '' && words !== 'start') row.append(name);
    return row;
  }

  private number_input(
    field: Field,
    name: string,
    value: (mission: Mission) => number | undefined,
    set: (wanted: number) => void,
  ): HTMLElement {
    const { label, unit, step } = kFields[field];
    const outer = document.createElement('label');
    const input = document.createElement('input');
    Object.assign(input, { type: 'number', step });
    if (field === 'wait_s') Object.assign(input, { min: '0', max: '600' });
    input.setAttribute('aria-label', `${name} [${unit}]`);
    input.addEventListener('change', () => {
      if (input.value !== '' && input.checkValidity()) set(Number(input.value));
    });
    this.inputs_.push({ input, value: (mission) => shown(value(mission) ?? 0) });
    outer.append(`${label} `, input, ` ${unit}`);
    return outer;
  }

  // What it does at a waypoint; nothing where it is empty.
  private action_input(id: number, index: number): HTMLElement {
    const outer = document.createElement('label');
    const input = document.createElement('input');
    Object.assign(input, { type: 'text', placeholder: 'none', maxLength: 32, spellcheck: false, autocomplete: 'off' });
    input.setAttribute('list', 'known-actions');
    input.setAttribute('aria-label', `action at waypoint ${index + 1}`);
    input.addEventListener('change', () => {
      const action = action_name(input.value);
      input.value = action;
      const change = (step: Step): Step => (step.id === id && step.kind === 'waypoint' ? { ...step, action } : step);
      this.actions_.set_steps(this.mission_().steps.map(change));
    });
    const value = ({ steps }: Mission): string => {
      const now = steps.find((step) => step.id === id);
      return now?.kind === 'waypoint' ? now.action : '';
    };
    this.inputs_.push({ input, value });
    outer.className = 'action';
    outer.append('action ', input);
    return outer;
  }
}
