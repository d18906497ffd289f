// The strip chart: how far off the prediction is, and how old the newest report, over the last minute.

import type { History } from '../state/history';
import { kColours, surface_colours } from './colours';
import type { Picture } from './picture';

const kSpan_s = 60;
const kAxis = 34; // [px] for the numbers on the left
const kGap = 16; // between the two strips

interface Strip {
  top: number;
  height: number;
  highest: number;
  title: string;
}

interface Frame {
  context: CanvasRenderingContext2D;
  width: number;
  end_s: number;
}

// The next round number above.
function round_up(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-3)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
}

function highest_of(
  history: History,
  from: number,
  end: number,
  names: ('gap' | 'error' | 'error_extrapolated')[],
): number {
  let highest = 0;
  for (let i = from; i <= end; ++i) {
    for (const name of names) {
      const value = history.scalar(i, name);
      if (value > highest) highest = value;
    }
  }
  return highest;
}

function draw_strip({ context, width }: Frame, strip: Strip): void {
  const { line, text } = surface_colours();
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.fillStyle = text;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const share of [0, 0.5, 1]) {
    const y = Math.round(strip.top + strip.height * (1 - share)) + 0.5;
    context.beginPath();
    context.moveTo(kAxis, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillText(`${Number((share * strip.highest).toPrecision(2))}`, kAxis - 5, y);
  }
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillText(strip.title, kAxis + 4, strip.top - 1);
}

function draw_series(
  frame: Frame,
  strip: Strip,
  history: History,
  from: number,
  end: number,
  name: 'gap' | 'error' | 'error_extrapolated',
  colour: string,
  filled = false,
): void {
  const { context, width, end_s } = frame;
  const x_of = (i: number): number => width - ((end_s - history.time(i)) / kSpan_s) * (width - kAxis);
  const y_of = (value: number): number => strip.top + strip.height * (1 - Math.min(1, value / strip.highest));
  context.beginPath();
  let drawing = false;
  let last_x = kAxis;
  for (let i = from; i <= end; ++i) {
    const value = history.scalar(i, name);
    if (Number.isNaN(value) || x_of(i) < kAxis) {
      drawing = false;
      continue;
    }
    last_x = x_of(i);
    if (drawing) context.lineTo(last_x, y_of(value));
    else if (filled) {
      context.moveTo(last_x, y_of(0));
      context.lineTo(last_x, y_of(value));
    } else context.moveTo(last_x, y_of(value));
    drawing = true;
  }
  if (filled) {
    context.lineTo(last_x, y_of(0));
    context.fillStyle = `${colour}70`;
    context.fill();
  } else {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.stroke();
  }
}

export function draw_chart(canvas: HTMLCanvasElement, { history, time_s, layers, subject }: Picture): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d')!;
  if (width === 0 || height === 0) return;
  const ratio = Math.min(2, devicePixelRatio);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '11px system-ui, sans-serif';
  if (history === null) return;

  const end = history.find(time_s);
  const from = Math.max(history.first, history.find(time_s - kSpan_s));
  const against_truth = subject?.moment.truth != null;
  const both = layers.extrapolated && against_truth;
  const strip_height = (height - 2 * kGap - 6) / 2;
  const errors: Strip = {
    top: kGap,
    height: strip_height,
    highest: round_up(
      Math.max(0.2, highest_of(history, from, end, both ? ['error', 'error_extrapolated'] : ['error'])),
    ),
    title: against_truth ? 'distance from the truth [m]' : 'correction by the last report [m]',
  };
  const gaps: Strip = {
    top: 2 * kGap + strip_height,
    height: strip_height,
    highest: round_up(Math.max(1, highest_of(history, from, end, ['gap']))),
    title: 'age of the newest report [s]',
  };
  const frame = { context, width, end_s: time_s };
  draw_strip(frame, errors);
  draw_strip(frame, gaps);
  if (end < 0) return;
  draw_series(frame, gaps, history, from, end, 'gap', kColours.reported, true);
  if (both) draw_series(frame, errors, history, from, end, 'error_extrapolated', kColours.extrapolated);
  draw_series(frame, errors, history, from, end, 'error', kColours.predicted);
}
