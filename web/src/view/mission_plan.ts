// A mission on the plan: what was tried out, what is cut of it, waypoints, protected places, and the phantom.

import { kColours, surface_colours } from './colours';
import type { MissionPicture } from './mission_picture';
import type { Pen } from './plan_marks';

const kCutColour = '#d9480f';
const kRing = 9; // [px] of a waypoint

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
  const { text, background } = surface_colours();
  const words = `${(100 * room).toFixed(0)} cm`;
  context.font = 'bold 11px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = background;
  context.strokeText(words, left + kRing + 4, top);
  context.fillStyle = text;
  context.fillText(words, left + kRing + 4, top);
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
  for (const waypoint of mission.waypoints) draw_disc(pen, waypoint, waypoint.words);
  pen.robot(mission.phantom, kColours.phantom, 'ghost');
}
