// Speed and room along a mission, over its time, with a line where the preview is.

import type { Action } from '../core/core';
import { kTimed } from '../core/layout';
import type { Rehearsed } from '../state/mission';
import { begin_drawing } from './canvas';
import { draw_axes, kAxis, round_up } from './chart';
import { kColours, surface_colours } from './colours';

const kTitle = 15;
const kTimes = 14;
const kBetween = 10; // of the two strips
const kMostTicks = 5;

interface Strip {
  top: number;
  height: number;
  highest: number;
  title: string;
  value: (point: number) => number;
  colour: string;
}

function draw_strip(context: CanvasRenderingContext2D, width: number, path: Float64Array, strip: Strip): void {
  const { top, height, highest } = strip;
  const duration = path[path.length - kTimed.size]!;
  draw_axes(context, width, strip, strip.title, [0, 1]);
  context.beginPath();
  for (let at = 0; at < path.length; at += kTimed.size) {
    const x = kAxis + (path[at]! / duration) * (width - kAxis - 1);
    context.lineTo(x, top + height * (1 - Math.min(1, strip.value(at) / highest)));
  }
  context.strokeStyle = strip.colour;
  context.lineWidth = 1.75;
  context.lineJoin = 'round';
  context.stroke();
}

function draw_times(context: CanvasRenderingContext2D, width: number, bottom: number, duration: number): void {
  const step = round_up(duration / kMostTicks);
  context.fillStyle = surface_colours().text;
  context.textBaseline = 'top';
  for (let time = 0; time <= duration; time += step) {
    const x = kAxis + (time / duration) * (width - kAxis - 1);
    context.fillRect(x, bottom, 1, 3);
    context.textAlign = time === 0 ? 'left' : x > width - 20 ? 'right' : 'center';
    context.fillText(`${Number(time.toPrecision(3))} s`, x, bottom + 3);
  }
}

// A mark where it stands for an action, over the strip of its speed.
function draw_actions(
  context: CanvasRenderingContext2D,
  width: number,
  actions: readonly Action[],
  duration: number,
): void {
  context.fillStyle = kColours.phantom;
  for (const { time_s } of actions) {
    const x = kAxis + (time_s / duration) * (width - kAxis - 1);
    context.beginPath();
    context.moveTo(x - 4, kTitle - 6);
    context.lineTo(x + 4, kTitle - 6);
    context.lineTo(x, kTitle + 1);
    context.fill();
  }
}

export function draw_mission_chart(
  canvas: HTMLCanvasElement,
  { path, actions }: Pick<Rehearsed, 'path' | 'actions'>,
  time_s: number,
  max_speed: number,
): void {
  const context = canvas.getContext('2d')!;
  const size = begin_drawing(canvas, context);
  if (size === null || path.length < 2 * kTimed.size) return;
  const { width } = size;
  context.font = '11px system-ui, sans-serif';
  const height = (size.height - 2 * kTitle - kTimes - kBetween) / 2;
  const speed = (at: number): number => Math.hypot(path[at + kTimed.speed]!, path[at + kTimed.side_speed]!);
  draw_strip(context, width, path, {
    top: kTitle,
    height,
    highest: round_up(max_speed),
    title: 'speed [m/s]',
    value: speed,
    colour: kColours.phantom,
  });
  draw_strip(context, width, path, {
    top: 2 * kTitle + height + kBetween - 2,
    height,
    highest: 2,
    title: 'room around it [m]',
    value: (at) => path[at + kTimed.clearance]!,
    colour: kColours.truth,
  });
  const duration = path[path.length - kTimed.size]!;
  draw_actions(context, width, actions, duration);
  draw_times(context, width, size.height - kTimes - 1, duration);
  const x = kAxis + (Math.min(time_s, duration) / duration) * (width - kAxis - 1);
  context.fillStyle = surface_colours().text;
  context.fillRect(x - 0.75, kTitle, 1.5, size.height - kTitle - kTimes - 1);
}
