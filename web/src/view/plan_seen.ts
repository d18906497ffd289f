// What robots see on the plan that is not in the model: boxes, doors as they stand now, and who moves.

import type { World } from '../core/core';
import { kDoor, kSeen, kThing } from '../core/layout';
import { doors_elsewhere, type Observer } from '../state/seen';
import { kColours, surface_colours } from './colours';
import type { Pen } from './plan_marks';

const kLeast = 2.5; // [px] half as large as what can be seen
const kLeaf = 1.5; // [px] likewise half of how thick a leaf is
const kPerson = 4; // [px]

// A rectangle of the world, not smaller than so many pixels.
interface Rectangle {
  x: number;
  y: number;
  heading: number;
  half_length: number;
  half_width: number;
}
function trace(pen: Pen, { x, y, heading, half_length, half_width }: Rectangle, least_px: number): void {
  const { context } = pen;
  const along = Math.max(least_px, half_length * pen.scale.per_metre);
  const across = Math.max(least_px, half_width * pen.scale.per_metre);
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  context.beginPath();
  for (const [a, b] of [[along, across], [-along, across], [-along, -across], [along, -across]] as const) {
    context.lineTo(pen.x(x) + a * cos - b * sin, pen.y(y) - a * sin - b * cos);
  }
  context.closePath();
}

const rectangle_at = (things: Float64Array, at: number): Rectangle => ({
  x: things[at + kSeen.x]!,
  y: things[at + kSeen.y]!,
  heading: things[at + kSeen.heading]!,
  half_length: things[at + kSeen.half_length]!,
  half_width: things[at + kSeen.half_width]!,
});

// The leaf of a door as it stands in the model, with what the plan's cells add to how thick it is.
export function leaf_in_model({ doors, plan }: Pick<World, 'doors' | 'plan'>, door: number): Rectangle {
  const number = (field: keyof typeof kDoor): number => doors[door * kDoor.size + kDoor[field]]!;
  const heading = number(number('open') === 1 ? 'open_angle' : 'closed_angle');
  const half_length = number('width') / 2;
  return {
    x: number('x') + half_length * Math.cos(heading),
    y: number('y') + half_length * Math.sin(heading),
    heading,
    half_length,
    half_width: number('thickness') / 2 + plan.cell,
  };
}

// Floor where the model has a leaf that stands elsewhere now.
export function draw_doors_elsewhere(pen: Pen, robots: readonly Observer[], world: World): void {
  pen.context.fillStyle = surface_colours().floor;
  for (const door of doors_elsewhere(robots)) {
    trace(pen, leaf_in_model(world, door), 0);
    pen.context.fill();
  }
}

function draw_standing(pen: Pen, things: Float64Array): void {
  const { context } = pen;
  for (let at = 0; at < things.length; at += kSeen.size) {
    const is_door = things[at + kSeen.kind] === kThing.door;
    trace(pen, rectangle_at(things, at), is_door ? kLeaf : kLeast);
    context.globalAlpha = is_door ? 0.9 : 0.4;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }
}

function draw_moving(pen: Pen, things: Float64Array): void {
  const { context } = pen;
  for (let at = 0; at < things.length; at += kSeen.size) {
    const radius = Math.max(kPerson, things[at + kSeen.half_length]! * pen.scale.per_metre);
    const trust = things[at + kSeen.trust]!;
    context.beginPath();
    context.arc(pen.x(things[at + kSeen.x]!), pen.y(things[at + kSeen.y]!), radius, 0, 2 * Math.PI);
    context.globalAlpha = 0.4 * trust;
    context.fill();
    context.globalAlpha = trust;
    context.stroke();
  }
  context.globalAlpha = 1;
}

export function draw_seen(pen: Pen, robots: readonly Observer[]): void {
  pen.context.fillStyle = pen.context.strokeStyle = kColours.seen;
  pen.context.lineWidth = 1.5;
  for (const { moment } of robots) {
    if (moment.seen === null) continue;
    draw_standing(pen, moment.seen.standing);
    draw_moving(pen, moment.seen.moving);
  }
}
