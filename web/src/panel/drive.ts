// Driving by hand: keys, gamepad, touch. Whoever lets go, leaves the window or loses the focus has stopped.

import { by_id } from './dom';

export interface Stick {
  forward: number; // -1 … 1
  left: number; // -1 … 1
}

const kPeriod_ms = 100;
const kCalm = 0.6; // share of the full speed without Shift
const kDeadZone = 0.15; // of a gamepad's stick
const kHolding = [0, 4, 5, 6, 7]; // a gamepad drives only while one of these buttons is held
const kKeys: Record<string, Stick> = {
  ArrowUp: { forward: 1, left: 0 },
  KeyW: { forward: 1, left: 0 },
  ArrowDown: { forward: -1, left: 0 },
  KeyS: { forward: -1, left: 0 },
  ArrowLeft: { forward: 0, left: 1 },
  KeyA: { forward: 0, left: 1 },
  ArrowRight: { forward: 0, left: -1 },
  KeyD: { forward: 0, left: -1 },
};

const limit = (value: number): number => Math.max(-1, Math.min(1, value));

export class HandDrive {
  private active_ = false; // driving is chosen
  private moving_ = false; // something is held
  private fast_ = false;
  private readonly held_ = new Set<string>();
  private touch_: Stick | null = null;

  // `send` gets the stick while something is held, and once zeros when nothing is any more.
  constructor(private readonly send_: (stick: Stick) => void) {
    window.addEventListener('keydown', (event) => this.key(event, true));
    window.addEventListener('keyup', (event) => this.key(event, false));
    window.addEventListener('blur', () => this.let_go());
    document.addEventListener('visibilitychange', () => this.let_go());
    this.listen_to_pad(by_id('pad'), by_id('pad-knob'));
    window.setInterval(() => this.tick(), kPeriod_ms);
  }

  set_active(active: boolean): void {
    if (active === this.active_) return;
    this.active_ = active;
    by_id('pad').hidden = !active;
    this.let_go();
  }

  let_go(): void {
    this.held_.clear();
    this.touch_ = null;
    this.tick();
  }

  private tick(): void {
    const stick = this.active_ ? this.stick() : null;
    if (stick !== null) this.send_(stick);
    else if (this.moving_) this.send_({ forward: 0, left: 0 });
    this.moving_ = stick !== null;
  }

  // Null: nothing is held.
  private stick(): Stick | null {
    if (this.touch_ !== null) return this.touch_;
    if (this.held_.size === 0) return this.gamepad();
    const sum = { forward: 0, left: 0 };
    for (const code of this.held_) {
      sum.forward += kKeys[code]!.forward;
      sum.left += kKeys[code]!.left;
    }
    const share = this.fast_ ? 1 : kCalm;
    return { forward: share * limit(sum.forward), left: share * limit(sum.left) };
  }

  private gamepad(): Stick | null {
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (pad === null || !kHolding.some((button) => pad.buttons[button]?.pressed === true)) continue;
      const axis = (index: number): number => {
        const value = pad.axes[index] ?? 0;
        return Math.abs(value) < kDeadZone ? 0 : limit(value);
      };
      return { forward: -axis(1) || 0, left: -(axis(0) || axis(2)) || 0 };
    }
    return null;
  }

  private key(event: KeyboardEvent, down: boolean): void {
    this.fast_ = event.shiftKey;
    if (!(event.code in kKeys)) return;
    if (!down) {
      this.held_.delete(event.code);
      if (this.held_.size === 0 && this.active_) this.tick();
      return;
    }
    if (!this.active_ || event.ctrlKey || event.metaKey || event.altKey) return;
    const used_there = event.target instanceof HTMLElement && event.target.matches('select, input');
    if (used_there && event.code.startsWith('Arrow')) return;
    event.preventDefault();
    this.held_.add(event.code);
    if (!this.moving_) this.tick();
  }

  private listen_to_pad(pad: HTMLElement, knob: HTMLElement): void {
    const move = (event: PointerEvent): void => {
      const box = pad.getBoundingClientRect();
      const forward = limit((box.top + box.height / 2 - event.clientY) / (0.4 * box.height));
      const left = limit((box.left + box.width / 2 - event.clientX) / (0.4 * box.width));
      this.touch_ = { forward, left };
      knob.style.transform = `translate(${-left * 0.4 * box.width}px, ${-forward * 0.4 * box.height}px)`;
    };
    const end = (): void => {
      knob.style.transform = '';
      if (this.touch_ !== null) this.let_go();
    };
    pad.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      pad.setPointerCapture(event.pointerId);
      move(event);
    });
    pad.addEventListener('pointermove', (event) => {
      if (this.touch_ !== null) move(event);
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) pad.addEventListener(name, end);
  }
}
