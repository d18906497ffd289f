// Driving by hand: keys, gamepad, touch. Whoever lets go, leaves the window or loses the focus has stopped.

import { by_id } from './dom';
import {
  begins_hold,
  DeadMan,
  holds_on,
  is_drive_key,
  limit,
  stick_of_keys,
  stick_of_pad,
  stops,
  type Stick,
} from './stick';

const kPeriod_ms = 100;

const is_there = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

export class HandDrive {
  private active_ = false; // driving is chosen
  private moving_ = false; // something is held
  private fast_ = false;
  private stopping_ = false; // a gamepad's stop is held
  private readonly held_ = new Set<string>();
  private readonly dead_man_ = new DeadMan(); // of gamepads
  private touch_: Stick | null = null;
  private pointer_: PointerEvent | null = null; // with which the pad is held

  // `send` gets the stick while something is held, and once zeros when nothing is any more.
  constructor(
    private readonly send_: (stick: Stick) => void,
    private readonly stop_: () => void,
  ) {
    window.addEventListener('keydown', (event) => this.key(event, true));
    window.addEventListener('keyup', (event) => this.key(event, false));
    window.addEventListener('blur', () => this.let_go());
    window.addEventListener('pagehide', () => this.let_go());
    document.addEventListener('visibilitychange', () => this.let_go());
    // a menu and a drag keep what is let go meanwhile to themselves
    window.addEventListener('contextmenu', ({ defaultPrevented }) => {
      if (!defaultPrevented) this.let_go();
    });
    window.addEventListener('dragstart', () => this.let_go());
    this.listen_to_pad(by_id('pad'), by_id('pad-knob'));
    window.setInterval(() => this.tick(), kPeriod_ms);
  }

  set_active(active: boolean): void {
    if (active === this.active_) return;
    this.active_ = active;
    by_id('pad').hidden = !active;
    this.let_go();
  }

  get moving(): boolean {
    return this.moving_;
  }

  let_go(): void {
    this.held_.clear();
    this.touch_ = this.pointer_ = null;
    this.dead_man_.let_go();
    by_id('pad-knob').style.transform = '';
    this.tick();
  }

  private tick(): void {
    const by_gamepad = this.gamepad();
    const stick = this.active_ ? (this.touch_ ?? stick_of_keys(this.held_, this.fast_) ?? by_gamepad) : null;
    if (stick !== null) this.send_(stick);
    else if (this.moving_) this.send_({ forward: 0, left: 0 });
    this.moving_ = stick !== null;
  }

  // Its stop works at any time, like the space bar.
  private gamepad(): Stick | null {
    let stick: Stick | null = null;
    let stopping = false;
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (pad === null) continue;
      stopping ||= stops(pad);
      stick ??= stick_of_pad(pad);
    }
    const pressed = stopping && !this.stopping_ && is_there();
    this.stopping_ = stopping;
    if (pressed) this.stop_();
    return this.dead_man_.take(stick, is_there());
  }

  private key(event: KeyboardEvent, down: boolean): void {
    this.fast_ = event.shiftKey;
    // of keys that are let go while one of these is held, some systems never tell
    if (event.ctrlKey || event.metaKey || event.altKey) return this.let_go();
    if (!is_drive_key(event.code)) return;
    if (!down) {
      if (this.held_.delete(event.code) && this.active_) this.tick();
      return;
    }
    if (!this.active_) return;
    const used_there = event.target instanceof HTMLElement && event.target.matches('select, input');
    if (used_there && event.code.startsWith('Arrow')) return;
    event.preventDefault();
    // a key that was held through a stop repeats itself, and must be let go first
    if (event.repeat) return;
    this.held_.add(event.code);
    this.tick();
  }

  private listen_to_pad(pad: HTMLElement, knob: HTMLElement): void {
    const move = (event: PointerEvent): void => {
      const box = pad.getBoundingClientRect();
      const forward = limit((box.top + box.height / 2 - event.clientY) / (0.4 * box.height));
      const left = limit((box.left + box.width / 2 - event.clientX) / (0.4 * box.width));
      this.touch_ = { forward, left };
      knob.style.transform = `translate(${-left * 0.4 * box.width}px, ${-forward * 0.4 * box.height}px)`;
    };
    const is_held_by = ({ pointerId }: PointerEvent): boolean => this.pointer_?.pointerId === pointerId;
    pad.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      if (!begins_hold(event)) return;
      pad.setPointerCapture(event.pointerId);
      this.pointer_ = event;
      move(event);
    });
    pad.addEventListener('pointermove', (event) => {
      if (!is_held_by(event)) return;
      if (holds_on(event)) move(event);
      else this.let_go();
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      pad.addEventListener(name, (event) => {
        if (is_held_by(event)) this.let_go();
      });
    }
    pad.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      // a finger that rests on the pad asks for one, too, and still holds it
      if (this.pointer_?.pointerType !== 'touch') this.let_go();
    });
  }
}
