// From what is held to where the robot is to go: keys and gamepads as numbers, without the browser.

export interface Stick {
  forward: number; // -1 … 1
  left: number; // -1 … 1
}

// What is used of a Gamepad.
export interface Pad {
  connected: boolean;
  axes: readonly number[];
  buttons: readonly { pressed: boolean }[];
}

const kCalm = 0.6; // share of the full speed without Shift
const kDeadZone = 0.15; // of a gamepad's stick
const kHolding = [0, 4, 5, 6, 7]; // a gamepad drives only while one of these is held: A, or a shoulder button
const kStopping = 1; // B
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

export const limit = (value: number): number => Math.max(-1, Math.min(1, value));
export const is_drive_key = (code: string): boolean => Object.hasOwn(kKeys, code);

// Null: no key is held.
export function stick_of_keys(held: ReadonlySet<string>, fast: boolean): Stick | null {
  if (held.size === 0) return null;
  let [forward, left] = [0, 0];
  for (const code of held) {
    forward += kKeys[code]?.forward ?? 0;
    left += kKeys[code]?.left ?? 0;
  }
  const share = fast ? 1 : kCalm;
  return { forward: share * limit(forward), left: share * limit(left) };
}

// Null: its button is not held, and the stick alone does nothing.
export function stick_of_pad({ connected, axes, buttons }: Pad): Stick | null {
  if (!connected || !kHolding.some((button) => buttons[button]?.pressed === true)) return null;
  const axis = (index: number): number => {
    const value = limit(axes[index] ?? 0);
    // from zero on at the edge of the dead zone, not with a jump
    return Math.abs(value) < kDeadZone ? 0 : (value - Math.sign(value) * kDeadZone) / (1 - kDeadZone);
  };
  return { forward: -axis(1) || 0, left: -(axis(0) || axis(2)) || 0 };
}

export const stops = ({ connected, buttons }: Pad): boolean => connected && buttons[kStopping]?.pressed === true;

// What is used of a PointerEvent.
export interface Press {
  isPrimary: boolean;
  button: number;
  buttons: number;
}

// The touch pad is held with one finger, or with the mouse's first button: the others belong to the browser.
export const begins_hold = ({ isPrimary, button }: Press): boolean => isPrimary && button === 0;
export const holds_on = ({ buttons }: Press): boolean => (buttons & 1) !== 0;

// A dead man's button counts from when it is pressed: one that was held through a stop, or while nobody looked at the
// page, must be let go first.
export class DeadMan {
  private must_let_go_ = true; // also when driving begins

  let_go(): void {
    this.must_let_go_ = true;
  }

  // `there`: somebody looks at the page.
  take(stick: Stick | null, there: boolean): Stick | null {
    if (!there) this.must_let_go_ = true;
    else if (stick === null) this.must_let_go_ = false;
    return this.must_let_go_ ? null : stick;
  }
}
