// Pointing at a place: clicks in the views; on the plan also keys, zooming and moving.

import type { Point } from '../link/protocol';
import type { PlanView } from '../view/plan';
import { by_id, set_pressed } from './dom';

const kClick = 6; // [px] a pointer that moved further was no click
const kCursorStep = 0.25; // [m]
const kZoomStep = 1.5;
const kSteps: Record<string, [number, number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

// Clicks, not the end of a drag, nor of a gesture with two fingers.
export function on_click(element: HTMLElement, act: (x: number, y: number) => void): void {
  let down: [number, number] | null = null;
  element.addEventListener('pointerdown', ({ clientX, clientY, isPrimary, button }) => {
    down = isPrimary && button === 0 ? [clientX, clientY] : null;
  });
  element.addEventListener('pointerup', ({ clientX, clientY }) => {
    if (down !== null && Math.hypot(clientX - down[0], clientY - down[1]) <= kClick) act(clientX, clientY);
    down = null;
  });
  element.addEventListener('pointercancel', () => (down = null));
}

const kGrab = 12; // [px] as near as this, a mark is grabbed and not the plan

type Move = (to: Point, dropped: boolean) => void;

// Marks that can be dragged. First of all listeners: what is grabbed here does not move the plan. One that was grabbed
// and not moved was clicked.
export function listen_to_drag(
  canvas: HTMLCanvasElement,
  plan: PlanView,
  grab: (place: Point, reach: number) => Move | null,
  click: (place: Point) => void,
): void {
  let held: { pointer: number; move: Move; from: Point; moved: boolean } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    const { clientX, clientY, pointerId } = event;
    const place = plan.world_at(clientX, clientY);
    const reach = Math.abs(plan.world_at(clientX + kGrab, clientY).x - place.x);
    const move = grab(place, reach);
    if (move === null) return;
    held = { pointer: pointerId, move, from: { x: clientX, y: clientY }, moved: false };
    event.stopImmediatePropagation();
    canvas.setPointerCapture(pointerId);
  });
  const end = (event: PointerEvent): void => {
    if (held?.pointer !== event.pointerId) return;
    const { move, moved } = held;
    held = null;
    event.stopImmediatePropagation();
    const place = plan.world_at(event.clientX, event.clientY);
    if (moved) move(place, true);
    else if (event.type === 'pointerup') click(place);
  };
  canvas.addEventListener('pointermove', (event) => {
    if (held?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    held.moved ||= Math.hypot(event.clientX - held.from.x, event.clientY - held.from.y) > kClick;
    if (held.moved) held.move(plan.world_at(event.clientX, event.clientY), false);
  });
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}

// Dragging moves the plan, wheel and two fingers zoom it.
export function listen_to_zoom(canvas: HTMLCanvasElement, plan: PlanView): void {
  const pointers = new Map<number, Point>();
  const spread = (): number => {
    const [a, b] = [...pointers.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };
  const middle = (): Point => {
    const all = [...pointers.values()];
    const sum = all.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
    return { x: sum.x / all.length, y: sum.y / all.length };
  };
  canvas.addEventListener('pointerdown', (event) => {
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    const [spread_before, middle_before] = [spread(), middle()];
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const at = middle();
    if (spread_before > 0) plan.zoom(spread() / spread_before, at);
    plan.pan(at.x - middle_before.x, at.y - middle_before.y);
  });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
    canvas.addEventListener(name, ({ pointerId }) => pointers.delete(pointerId));
  }
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      plan.zoom(Math.exp(-event.deltaY / 400), { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );
}

interface PlanKeys {
  may_point: () => boolean; // a goal may be given
  from: () => Point | null; // where the cross begins
  choose: (place: Point) => void;
}

// Arrow keys move a cross and Enter chooses its place; plus and minus zoom.
export function listen_to_plan_keys(canvas: HTMLCanvasElement, plan: PlanView, keys: PlanKeys): void {
  canvas.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '=') plan.zoom(kZoomStep);
    if (event.key === '-') plan.zoom(1 / kZoomStep);
    if (event.key === '0') plan.zoom(0);
    if (!keys.may_point()) return;
    const step = kSteps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const length = kCursorStep * (event.shiftKey ? 4 : 1);
      plan.move_cursor(length * step[0], length * step[1], keys.from());
    }
    if (event.key === 'Enter' && plan.cursor !== null) keys.choose(plan.cursor);
  });
  canvas.addEventListener('blur', () => (plan.cursor = null));
}

// The buttons over the plan. Large, it lies over the 3D view.
export function listen_to_plan_buttons(plan: PlanView, on_change: () => void): void {
  by_id('plan-closer').addEventListener('click', () => plan.zoom(kZoomStep));
  by_id('plan-further').addEventListener('click', () => plan.zoom(1 / kZoomStep));
  const large = by_id('plan-large');
  const box = by_id('plan-box');
  const set_large = (is_large: boolean): void => {
    box.classList.toggle('large', is_large);
    set_pressed(large, is_large);
    on_change();
  };
  large.addEventListener('click', () => set_large(!box.classList.contains('large')));
  box.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') set_large(false);
  });
}
