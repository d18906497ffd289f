// The plan view: walls and floor from above, the replica's beams, the value function with its path, all robots.

import { kBeam, kBody } from '../core/layout';
import type { World } from '../core/core';
import type { Point, Pose } from '../link/protocol';
import type { Ellipse } from '../state/history';
import { kColours, prefers_dark, surface_colours } from './colours';
import type { Picture } from './picture';
import { paint_values, paint_world } from './plan_image';

interface Scale {
  per_metre: number; // pixels
  left: number; // of world x = 0
  top: number; // of world y = 0
}

const kMargin = 8; // [px]

export class PlanView {
  cursor: Point | null = null; // where the keyboard points
  private readonly context_: CanvasRenderingContext2D;
  private readonly image_ = document.createElement('canvas'); // the world, a pixel each cell
  private readonly values_ = document.createElement('canvas');
  private key_ = '';
  private values_of_: Float32Array | null = null;
  private scale_: Scale = { per_metre: 1, left: 0, top: 0 };
  private world_: World | null = null;

  constructor(private readonly canvas_: HTMLCanvasElement) {
    this.context_ = canvas_.getContext('2d')!;
  }

  world_at(client_x: number, client_y: number): Point {
    const box = this.canvas_.getBoundingClientRect();
    const { per_metre, left, top } = this.scale_;
    return { x: (client_x - box.left - left) / per_metre, y: (top - (client_y - box.top)) / per_metre };
  }

  // The other way round: a place of the world on the screen.
  client_at({ x, y }: Point): Point {
    const box = this.canvas_.getBoundingClientRect();
    const [left, top] = this.pixel(x, y);
    return { x: box.left + left, y: box.top + top };
  }

  // Moves the keyboard's cross; begins at the robot.
  move_cursor(dx: number, dy: number, from: Point | null): void {
    const at = this.cursor ?? from ?? { x: 0, y: 0 };
    this.cursor = { x: at.x + dx, y: at.y + dy };
  }

  draw(picture: Picture): void {
    const { canvas_: canvas, context_: context } = this;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (picture.world === null) return;
    this.prepare(picture, picture.world);
    this.fit(picture.world, width, height);
    this.draw_image(this.image_, picture.world);
    if (picture.layers.values && picture.values !== null) this.draw_image(this.values_, picture.world);
    if (picture.layers.beams && picture.beams !== null) this.draw_beams(picture.beams);
    this.draw_ways(picture);
    this.draw_subject(picture);
    this.draw_others(picture);
    if (this.cursor !== null) this.draw_cross(this.cursor);
  }

  private prepare(picture: Picture, world: World): void {
    const key = `${picture.world_key} ${prefers_dark()}`;
    if (key !== this.key_) {
      if (world !== this.world_) this.cursor = null;
      this.key_ = key;
      this.world_ = world;
      paint_world(this.image_, world);
    }
    if (picture.values !== null && picture.values !== this.values_of_) {
      this.values_of_ = picture.values;
      paint_values(this.values_, world, picture.values);
    }
  }

  private fit({ plan }: World, width: number, height: number): void {
    const world_width = plan.width * plan.cell;
    const world_height = plan.height * plan.cell;
    const per_metre = Math.min((width - 2 * kMargin) / world_width, (height - 2 * kMargin) / world_height);
    this.scale_ = {
      per_metre,
      left: (width - per_metre * world_width) / 2 - per_metre * plan.low_x,
      top: (height + per_metre * world_height) / 2 + per_metre * plan.low_y,
    };
  }

  private pixel(x: number, y: number): [number, number] {
    return [this.scale_.left + x * this.scale_.per_metre, this.scale_.top - y * this.scale_.per_metre];
  }

  private draw_image(image: HTMLCanvasElement, { plan }: World): void {
    const [left, top] = this.pixel(plan.low_x, plan.low_y + plan.height * plan.cell);
    const { per_metre } = this.scale_;
    this.context_.drawImage(image, left, top, plan.width * plan.cell * per_metre, plan.height * plan.cell * per_metre);
  }

  private draw_beams(beams: Float64Array): void {
    const { context_: context } = this;
    for (const lasers of [true, false]) {
      context.beginPath();
      for (let at = 0; at < beams.length; at += kBeam.size) {
        if (beams[at + kBeam.sensor]! >= 2 !== lasers || beams[at + kBeam.sensor] === 1) continue;
        context.moveTo(...this.pixel(beams[at + kBeam.from_x]!, beams[at + kBeam.from_y]!));
        context.lineTo(...this.pixel(beams[at + kBeam.to_x]!, beams[at + kBeam.to_y]!));
      }
      context.lineWidth = lasers ? 0.5 : 1;
      context.strokeStyle = lasers ? 'rgb(214 69 69 / 28%)' : 'rgb(230 120 0 / 75%)';
      context.stroke();
    }
  }

  private draw_line(
    points: ArrayLike<number>,
    stride: number,
    colour: string,
    width: number,
    dash: number[] = [],
  ): void {
    const { context_: context } = this;
    context.beginPath();
    for (let at = 0; at + 1 < points.length; at += stride) context.lineTo(...this.pixel(points[at]!, points[at + 1]!));
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.setLineDash(dash);
    context.strokeStyle = colour;
    context.stroke();
    context.setLineDash([]);
  }

  private draw_ways({ layers, path, ahead, ahead_stride, subject, history, time_s }: Picture): void {
    if (layers.trails && history !== null) {
      const trail: number[] = [];
      const end = history.find(time_s);
      for (let i = Math.max(history.first, history.find(time_s - 60)); i <= end; i += 2) {
        const pose = history.pose(i, 'predicted');
        if (pose !== null) trail.push(pose.x, pose.y);
      }
      this.draw_line(trail, 2, `${kColours.predicted}80`, 1.5);
    }
    if (!layers.ahead) return;
    this.draw_line(path, 2, kColours.goal, 1.5, [5, 4]);
    this.draw_line(ahead, ahead_stride, kColours.ahead, 4);
    if (subject?.moment.goal != null) this.draw_goal(subject.moment.goal);
  }

  private draw_goal({ x, y }: Point): void {
    const { context_: context } = this;
    const [left, top] = this.pixel(x, y);
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

  private draw_region(region: Ellipse | null, opacity: string): void {
    if (region === null) return;
    const { context_: context } = this;
    const { per_metre } = this.scale_;
    const margin = this.world_?.body[kBody.radius] ?? 0; // where its body may be, not only its middle
    context.beginPath();
    context.ellipse(
      ...this.pixel(region.x, region.y),
      per_metre * (region.larger + margin),
      per_metre * (region.smaller + margin),
      -region.heading,
      0,
      2 * Math.PI,
    );
    context.fillStyle = kColours.predicted + opacity;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = `${kColours.predicted}b0`;
    context.stroke();
  }

  private draw_subject({ subject, layers }: Picture): void {
    if (subject === null) return;
    const { moment } = subject;
    if (layers.region) this.draw_region(moment.in95, '26');
    if (layers.region) this.draw_region(moment.in50, '40');
    if (layers.truth) this.draw_robot(moment.truth, kColours.truth, 0.6);
    if (layers.extrapolated) this.draw_robot(moment.extrapolated, kColours.extrapolated, 0.5);
    this.draw_robot(moment.reported, kColours.reported, 0.75);
    this.draw_robot(moment.predicted, kColours.predicted, 1);
  }

  private draw_others({ robots }: Picture): void {
    for (const { selected, moment } of robots) if (!selected) this.draw_robot(moment.predicted, kColours.other, 1);
  }

  // At least as large as can be seen.
  private draw_robot(pose: Pose | null, colour: string, opacity: number): void {
    if (pose === null || this.world_ === null) return;
    const { context_: context } = this;
    const radius = Math.max(5, this.world_.body[kBody.radius]! * this.scale_.per_metre);
    const [left, top] = this.pixel(pose.x, pose.y);
    const along = (angle: number, length: number): [number, number] => [
      left + length * radius * Math.cos(pose.heading + angle),
      top - length * radius * Math.sin(pose.heading + angle),
    ];
    context.globalAlpha = opacity;
    context.fillStyle = colour;
    context.beginPath();
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    context.moveTo(...along(0, 1.75));
    context.lineTo(...along(0.75, 0.98));
    context.lineTo(...along(-0.75, 0.98));
    context.fill();
    context.globalAlpha = 1;
  }

  private draw_cross({ x, y }: Point): void {
    const { context_: context } = this;
    const [left, top] = this.pixel(x, y);
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
}
