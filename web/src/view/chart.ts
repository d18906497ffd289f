// The strip chart: how far off the prediction is, and how old the newest report, over the last minute.

import type { History } from '../state/history';
import { begin_drawing } from './canvas';
import { kColours, surface_colours } from './colours';
import type { Picture } from './picture';

const kSpan_s = 60;
const kTick_s = 15;
export const kAxis = 34; // [px] for the numbers on the left
const kTitle = 16; // above each strip
const kTimes = 14; // below, for the time

type Series = 'gap' | 'error' | 'error_extrapolated';

interface Key {
  name: string;
  series: Series;
  colour: string;
  dash: number[];
}

const kPredicted: Key = { name: 'predicted', series: 'error', colour: kColours.predicted, dash: [] };
const kExtrapolated: Key = {
  name: 'extrapolated',
  series: 'error_extrapolated',
  colour: kColours.extrapolated,
  dash: [4, 3],
};

interface Strip {
  top: number;
  height: number;
  highest: number;
}

interface Frame {
  context: CanvasRenderingContext2D;
  width: number;
  end_s: number;
  history: History;
  from: number; // moments
  end: number;
}

// The next round number above.
export function round_up(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-3)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9)) ?? 10 * power;
}

function highest_of({ history, from, end }: Frame, names: readonly Series[], least: number): number {
  let highest = least;
  for (let i = Math.max(0, from); i <= end; ++i) {
    for (const name of names) {
      const value = history.scalar(i, name);
      if (value > highest) highest = value;
    }
  }
  return round_up(highest);
}

// The lines, numbers and title that a strip is drawn on.
export function draw_axes(
  context: CanvasRenderingContext2D,
  width: number,
  { top, height, highest }: Strip,
  title: string,
  shares: readonly number[] = [0, 0.5, 1],
): void {
  const { line, text } = surface_colours();
  context.fillStyle = line;
  for (const share of shares) context.fillRect(kAxis, Math.round(top + height * (1 - share)), width - kAxis, 1);
  context.fillStyle = text;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const share of [0, 1]) {
    context.fillText(`${Number((share * highest).toPrecision(2))}`, kAxis - 5, top + height * (1 - share));
  }
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillText(title, kAxis, top - 3);
}

// Which line is which, at the right end of the title's row.
function draw_keys({ context, width }: Frame, top: number, keys: readonly Key[]): void {
  context.textBaseline = 'bottom';
  context.textAlign = 'left';
  let right = width;
  for (const { name, colour, dash } of keys) {
    right -= context.measureText(name).width;
    context.fillStyle = surface_colours().text;
    context.fillText(name, right, top - 3);
    right -= 20;
    stroke(context, colour, dash, () => {
      context.moveTo(right, top - 9);
      context.lineTo(right + 16, top - 9);
    });
    right -= 10;
  }
}

function draw_times({ context, width }: Frame, bottom: number, end_text: string): void {
  const { line, text } = surface_colours();
  context.textBaseline = 'top';
  for (let before_s = 0; before_s <= kSpan_s; before_s += kTick_s) {
    const x = width - (before_s / kSpan_s) * (width - kAxis);
    context.fillStyle = line;
    context.fillRect(Math.min(width - 1, Math.round(x)), bottom, 1, 4);
    context.fillStyle = text;
    context.textAlign = before_s === 0 ? 'right' : before_s === kSpan_s ? 'left' : 'center';
    context.fillText(before_s === 0 ? end_text : `−${before_s} s`, x, bottom + 4);
  }
}

function stroke(context: CanvasRenderingContext2D, colour: string, dash: number[], draw: () => void): void {
  context.beginPath();
  draw();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
}

// Adds the line of a series to the path; `ground`: also down to the axis where it begins and ends.
function trace(frame: Frame, strip: Strip, name: Series, ground: boolean): void {
  const { context, width, end_s, history, from, end } = frame;
  const y_of = (value: number): number => strip.top + strip.height * (1 - Math.min(1, value / strip.highest));
  let drawing = false;
  let last_x = kAxis;
  for (let i = Math.max(history.first, from); i <= end; ++i) {
    const value = history.scalar(i, name);
    const x = width - ((end_s - history.time(i)) / kSpan_s) * (width - kAxis);
    if (Number.isNaN(value) || x < kAxis) {
      if (ground && drawing) context.lineTo(last_x, y_of(0));
      drawing = false;
      continue;
    }
    if (!drawing) context.moveTo(x, y_of(ground ? 0 : value));
    context.lineTo(x, y_of(value));
    last_x = x;
    drawing = true;
  }
  if (ground) context.lineTo(last_x, y_of(0));
}

function draw_errors(frame: Frame, strip: Omit<Strip, 'highest'>, against_truth: boolean, both: boolean): void {
  const keys = both ? [kExtrapolated, kPredicted] : [kPredicted];
  const highest = highest_of(
    frame,
    keys.map(({ series }) => series),
    0.2,
  );
  const errors = { ...strip, highest };
  draw_axes(frame.context, frame.width, errors, against_truth ? 'off the truth [m]' : 'correction by the last report [m]');
  draw_keys(frame, errors.top, keys);
  if (frame.end < 0) return;
  for (const { colour, dash, series } of keys) {
    stroke(frame.context, colour, dash, () => trace(frame, errors, series, false));
  }
}

function draw_gaps(frame: Frame, strip: Omit<Strip, 'highest'>): void {
  const gaps = { ...strip, highest: highest_of(frame, ['gap'], 1) };
  draw_axes(frame.context, frame.width, gaps, 'age of the newest report [s]');
  if (frame.end < 0) return;
  frame.context.beginPath();
  trace(frame, gaps, 'gap', true);
  frame.context.fillStyle = `${kColours.reported}90`;
  frame.context.fill();
}

export function draw_chart(canvas: HTMLCanvasElement, picture: Picture): void {
  const context = canvas.getContext('2d')!;
  const size = begin_drawing(canvas, context);
  const { history, time_s, layers, subject, live } = picture;
  if (size === null || history === null) return;
  context.font = '11px system-ui, sans-serif';
  const end = history.find(time_s);
  const from = Math.max(history.first, history.find(time_s - kSpan_s));
  const frame: Frame = { context, width: size.width, end_s: time_s, history, from, end };
  const against_truth = subject?.moment.truth != null;
  const height = (size.height - 2 * kTitle - kTimes - 6) / 2;
  draw_errors(frame, { top: kTitle, height }, against_truth, layers.extrapolated && against_truth);
  draw_gaps(frame, { top: 2 * kTitle + height + 4, height });
  draw_times(frame, size.height - kTimes - 1, live ? 'now' : 'then');
}
