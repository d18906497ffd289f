// A mission on the plan: what was tried out, what is cut of it, waypoints, protected places, and the phantom.

import { kColours, surface_colours } from './colours';
import type { MissionPicture } from './mission_picture';
import type { Pen } from './plan_marks';

const kCutColour = '#d9480f';
const kContactColour = '#d6202a';
const kRing = 9; // [px] of a waypoint
const kCross = 5; // [px] half of the mark of a contact
const kLine = 13; // [px]

interface Line {
  left: number;
  right: number;
  top: number;
}

// The first line from there on downwards that none of the others takes [px].
export function free_line(placed: readonly Line[], { left, right, top }: Line): number {
  const taken = placed.filter((one) => left < one.right && right > one.left).map((one) => one.top);
  let free = top;
  for (const line of taken.sort((a, b) => a - b)) if (Math.abs(free - line) < kLine) free = line + kLine;
  return free;
}

function draw_disc(pen: Pen, at: { x: number; y: number }, words: string): void {
  const { context } = pen;
  const [left, top] = [pen.x(at.x), pen.y(at.y)];
  context.font = 'bold 11px system-ui, sans-serif';
  const half = Math.max(0, context.measureText(words).width / 2 - 4); // wider for several numbers
  context.beginPath();
  context.arc(left - half, top, kRing, Math.PI / 2, 1.5 * Math.PI);
  context.arc(left + half, top, kRing, -Math.PI / 2, Math.PI / 2);
  context.closePath();
  context.fillStyle = surface_colours().background;
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = kColours.phantom;
  context.stroke();
  context.fillStyle = surface_colours().text;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(words, left, top + 0.5);
}

function draw_kept(pen: Pen, place: { x: number; y: number; radius: number }): void {
  const { context } = pen;
  context.beginPath();
  context.arc(pen.x(place.x), pen.y(place.y), place.radius * pen.scale.per_metre, 0, 2 * Math.PI);
  context.fillStyle = `${kColours.truth}30`;
  context.fill();
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  context.strokeStyle = kColours.truth;
  context.stroke();
  context.setLineDash([]);
}

// Where it comes nearest to anything, and how near.
function draw_nearest(pen: Pen, { x, y, room }: { x: number; y: number; room: number }): void {
  const { context } = pen;
  const [left, top] = [pen.x(x), pen.y(y)];
  context.beginPath();
  context.arc(left, top, kRing, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = kCutColour;
  context.stroke();
  draw_words(pen, { x, y }, `${(100 * room).toFixed(0)} cm`, kRing + 4);
}

// Beside a mark; or below it, where marks may stand side by side.
function draw_words(pen: Pen, at: { x: number; y: number }, words: string, aside_px: number, below_px = 0): void {
  const { context } = pen;
  const { text, background } = surface_colours();
  context.font = 'bold 11px system-ui, sans-serif';
  context.textAlign = below_px === 0 ? 'left' : 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = background;
  context.strokeText(words, pen.x(at.x) + aside_px, pen.y(at.y) + below_px);
  context.fillStyle = text;
  context.fillText(words, pen.x(at.x) + aside_px, pen.y(at.y) + below_px);
}

// What is done at marks, below them; where marks are near each other, line under line.
function draw_actions(pen: Pen, marks: readonly { x: number; y: number; words: string }[]): void {
  pen.context.font = 'bold 11px system-ui, sans-serif';
  const placed: Line[] = [];
  for (const mark of marks) {
    const half = pen.context.measureText(mark.words).width / 2 + 3;
    const [left, right] = [pen.x(mark.x) - half, pen.x(mark.x) + half];
    const top = free_line(placed, { left, right, top: pen.y(mark.y) + 2 * kRing });
    placed.push({ left, right, top });
    draw_words(pen, mark, mark.words, 0, top - pen.y(mark.y));
  }
}

// It touched something here: a cross, and its number where there are several.
function draw_contact(pen: Pen, at: { x: number; y: number }, words: string): void {
  const { context } = pen;
  const [left, top] = [pen.x(at.x), pen.y(at.y)];
  for (const [colour, width] of [
    [surface_colours().background, 6],
    [kContactColour, 3],
  ] as const) {
    context.beginPath();
    context.moveTo(left - kCross, top - kCross);
    context.lineTo(left + kCross, top + kCross);
    context.moveTo(left + kCross, top - kCross);
    context.lineTo(left - kCross, top + kCross);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  }
  draw_words(pen, at, words, kCross + 4);
}

export function draw_mission(pen: Pen, mission: MissionPicture): void {
  for (const place of mission.kept) draw_kept(pen, place);
  pen.line(mission.tried, 2, `${kColours.phantom}60`, 1.5);
  for (const points of mission.left) pen.line(points, 2, kColours.phantom, 2.5);
  for (const { points, applied, pointed_at } of mission.cut) {
    if (pointed_at) pen.line(points, 2, `${kCutColour}60`, 9);
    if (applied || pointed_at) pen.line(points, 2, kCutColour, 1.5, [4, 4]);
  }
  if (mission.path !== null) pen.line(mission.path, 2, kColours.phantom, 3.5);
  if (mission.nearest !== null) draw_nearest(pen, mission.nearest);
  if (mission.start !== null) draw_disc(pen, mission.start, 'S');
  mission.contacts.forEach((contact, i) => draw_contact(pen, contact, String(i + 1)));
  for (const waypoint of mission.waypoints) draw_disc(pen, waypoint, waypoint.words);
  for (const action of mission.actions) draw_disc(pen, action, '');
  const acting = mission.waypoints.filter(({ action }) => action !== '');
  draw_actions(pen, [...acting.map(({ x, y, action }) => ({ x, y, words: action })), ...mission.actions]);
  pen.robot(mission.phantom, kColours.phantom, 'ghost');
}
