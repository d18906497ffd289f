// What is drawn on the plan beside the world: beams, robots, goals, regions, the scale, and what the colours mean.

import { kBeam } from '../core/layout';
import type { Point, Pose } from '../link/protocol';
import { rings_of, type Region } from '../state/history';
import type { Size } from './canvas';
import { kColours, surface_colours } from './colours';
import { kValueColours } from './plan_image';
import { bar_length, type Scale } from './plan_scale';
import type { Make } from './robot_mesh';

const kBar = 80; // [px] the longest scale bar
// By kind of sensor, drawn in this order: a sonar's few beams are what the robot steers by. Other kinds are not drawn.
const kBeamStyles = [
  { kind: 0, width: 0.6, colour: 'rgb(214 69 69 / 30%)' }, // lasers
  { kind: 1, width: 1.2, colour: 'rgb(230 120 0 / 80%)' }, // sonar
];

export class Pen {
  scale: Scale = { per_metre: 1, left: 0, top: 0 };
  radius = 0.25; // of the robot

  constructor(readonly context: CanvasRenderingContext2D) {}

  x(x: number): number {
    return this.scale.left + x * this.scale.per_metre;
  }
  y(y: number): number {
    return this.scale.top - y * this.scale.per_metre;
  }

  line(points: ArrayLike<number>, stride: number, colour: string, width: number, dash: number[] = []): void {
    const { context } = this;
    context.beginPath();
    for (let at = 0; at + 1 < points.length; at += stride) context.lineTo(this.x(points[at]!), this.y(points[at + 1]!));
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.setLineDash(dash);
    context.strokeStyle = colour;
    context.stroke();
    context.setLineDash([]);
  }

  beams(beams: Float64Array): void {
    const { context } = this;
    for (const { kind, width, colour } of kBeamStyles) {
      context.beginPath();
      for (let at = 0; at < beams.length; at += kBeam.size) {
        if (beams[at + kBeam.kind] !== kind) continue;
        context.moveTo(this.x(beams[at + kBeam.from_x]!), this.y(beams[at + kBeam.from_y]!));
        context.lineTo(this.x(beams[at + kBeam.to_x]!), this.y(beams[at + kBeam.to_y]!));
      }
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    }
  }

  region(region: Region | null, opacity: string): void {
    if (region === null) return;
    const { context } = this;
    context.beginPath();
    for (const ring of rings_of(region.outline)) {
      for (let i = 0; i < ring.length; i += 2) context.lineTo(this.x(ring[i]!), this.y(ring[i + 1]!));
      context.closePath();
    }
    context.fillStyle = kColours.predicted + opacity;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = `${kColours.predicted}b0`;
    context.stroke();
  }

  // Told apart by its make as in the 3D view. At least as large as can be seen.
  robot(pose: Pose | null, colour: string, make: Make, of_body = this.radius): void {
    if (pose === null) return;
    const { context } = this;
    const radius = Math.max(5, of_body * this.scale.per_metre) + (make === 'hoops' ? 2 : 0);
    const [left, top] = [this.x(pose.x), this.y(pose.y)];
    context.fillStyle = context.strokeStyle = colour;
    context.lineWidth = 2;
    context.globalAlpha = { solid: 1, ghost: 0.75, dashed: 0.25, hoops: 0, outline: 0.15 }[make];
    context.beginPath();
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = make === 'ghost' ? 0.75 : 1;
    context.setLineDash(make === 'dashed' ? [3, 2.5] : []);
    if (make === 'dashed' || make === 'hoops' || make === 'outline') context.stroke();
    context.setLineDash([]);
    this.nose(left, top, radius, pose.heading);
    context.globalAlpha = 1;
  }

  // A thick arc at the side where something touches it.
  contact({ x, y, heading }: Pose, bearing: number): void {
    const { context } = this;
    const radius = Math.max(5, this.radius * this.scale.per_metre) + 4;
    context.beginPath();
    context.arc(this.x(x), this.y(y), radius, -heading - bearing - 0.5, -heading - bearing + 0.5);
    context.lineWidth = 5;
    context.strokeStyle = kColours.contact;
    context.stroke();
  }

  private nose(left: number, top: number, radius: number, heading: number): void {
    const { context } = this;
    context.beginPath();
    for (const [angle, length] of [
      [0, 1.75],
      [0.75, 0.98],
      [-0.75, 0.98],
    ] as const) {
      context.lineTo(
        left + length * radius * Math.cos(heading + angle),
        top - length * radius * Math.sin(heading + angle),
      );
    }
    context.fill();
  }

  goal({ x, y }: Point): void {
    const { context } = this;
    const [left, top] = [this.x(x), this.y(y)];
    context.fillStyle = kColours.goal;
    context.strokeStyle = kColours.goal;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(left, top - 16);
    context.stroke();
    context.beginPath();
    context.moveTo(left, top - 16);
    context.lineTo(left + 10, top - 12);
    context.lineTo(left, top - 8);
    context.fill();
  }

  // A goal that the robot has not confirmed by going there, or where it would come to rest.
  wanted({ x, y }: Point, colour: string = kColours.goal): void {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.arc(this.x(x), this.y(y), 7, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }

  cross({ x, y }: Point): void {
    const { context } = this;
    const [left, top] = [this.x(x), this.y(y)];
    context.strokeStyle = surface_colours().text;
    context.lineWidth = 2;
    context.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      context.moveTo(left + 4 * dx, top + 4 * dy);
      context.lineTo(left + 13 * dx, top + 13 * dy);
    }
    context.stroke();
  }

  // In a corner below: how long a metre is and, with the value function, what its colours mean.
  measures({ width, height }: Size, highest_value: number | null): void {
    const { context } = this;
    const length = bar_length(this.scale.per_metre, kBar);
    const wide = length * this.scale.per_metre;
    const { text, background } = surface_colours();
    context.fillStyle = `${background}d0`;
    context.fillRect(0, height - 22, wide + 12, 22);
    if (highest_value !== null) context.fillRect(width - 102, height - 25, 102, 25);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'alphabetic';
    context.textAlign = 'left';
    context.lineWidth = 3;
    context.strokeStyle = background;
    context.fillStyle = text;
    const write = (words: string, x: number, y: number): void => {
      context.strokeText(words, x, y);
      context.fillText(words, x, y);
    };
    context.fillRect(6, height - 5, wide, 2);
    for (const x of [6, 4 + wide]) context.fillRect(x, height - 8, 2, 5);
    write(`${length} m`, 10, height - 9);
    if (highest_value === null) return;
    const right = width - 96;
    kValueColours.forEach(([red, green, blue], i) => {
      context.fillStyle = `rgb(${red} ${green} ${blue})`;
      context.fillRect(right + 15 * i, height - 8, 15, 6);
    });
    context.fillStyle = text;
    write('goal', right, height - 12);
    const far = `cost ${highest_value.toFixed(0)} m`;
    write(far, width - 6 - context.measureText(far).width, height - 12);
  }
}
