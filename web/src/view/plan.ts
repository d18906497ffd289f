// The plan view: walls and floor from above, the replica's beams, the value function with its path, all robots.

import { kBody } from '../core/layout';
import type { World } from '../core/core';
import type { Point } from '../link/protocol';
import type { Landing } from '../state/session';
import { begin_drawing, type Size } from './canvas';
import { kColours, prefers_dark, surface_colours } from './colours';
import { draw_mission } from './mission_plan';
import type { Picture } from './picture';
import { highest_value, paint_world, values_image } from './plan_image';
import { Pen } from './plan_marks';
import { draw_doors_elsewhere, draw_seen } from './plan_seen';
import { arcs_of, kArcPoints } from './scan';
import { pan_by, scale_of, whole, world_at, zoom_by, type Box, type Zoom } from './plan_scale';

const kTrail_s = 60;

export class PlanView {
  cursor: Point | null = null; // where the keyboard points
  private readonly context_: CanvasRenderingContext2D;
  private readonly pen_: Pen;
  private readonly image_ = document.createElement('canvas'); // the world, a pixel each cell
  private readonly trail_: number[] = [];
  private key_ = '';
  private box_: Box = { low_x: 0, low_y: 0, width: 1, height: 1 };
  private zoom_: Zoom = whole(this.box_);
  private size_: Size = { width: 1, height: 1 };
  private values_: Float32Array | null = null;
  private highest_ = 0; // of these

  constructor(private readonly canvas_: HTMLCanvasElement) {
    this.context_ = canvas_.getContext('2d')!;
    this.pen_ = new Pen(this.context_);
  }

  world_at(client_x: number, client_y: number): Point {
    return world_at(this.pen_.scale, this.in_canvas(client_x, client_y));
  }

  // The other way round: a place of the world on the screen.
  client_at({ x, y }: Point): Point {
    const box = this.canvas_.getBoundingClientRect();
    return { x: box.left + this.pen_.x(x), y: box.top + this.pen_.y(y) };
  }

  get zoomed(): boolean {
    return this.zoom_.factor > 1;
  }

  // About a place of the screen, or about the middle.
  zoom(by: number, client: Point | null = null): void {
    const { width, height } = this.size_;
    const at = client === null ? { x: width / 2, y: height / 2 } : this.in_canvas(client.x, client.y);
    this.zoom_ = zoom_by(this.box_, this.size_, this.zoom_, by, at);
  }

  pan(dx: number, dy: number): void {
    this.zoom_ = pan_by(this.box_, this.size_, this.zoom_, dx, dy);
  }

  // Moves the keyboard's cross; begins at the robot.
  move_cursor(dx: number, dy: number, from: Point | null): void {
    const at = this.cursor ?? from ?? { x: 0, y: 0 };
    this.cursor = { x: at.x + dx, y: at.y + dy };
  }

  draw(picture: Picture): void {
    const size = begin_drawing(this.canvas_, this.context_);
    const { world, layers, beams } = picture;
    if (size === null || world === null) return;
    this.size_ = size;
    this.prepare(picture, world);
    this.pen_.scale = scale_of(this.box_, size, this.zoom_);
    this.draw_image(this.image_);
    if (layers.seen) draw_doors_elsewhere(this.pen_, picture.robots, world);
    const values = layers.values ? picture.values : null;
    if (values !== null) this.draw_values(world, values);
    // what the robot sees has nothing to do with what the phantom drives
    if (layers.beams && beams !== null && picture.mission === null) this.pen_.beams(beams);
    if (layers.seen) draw_seen(this.pen_, picture.robots);
    if (layers.scan) this.draw_scan(picture);
    this.draw_ways(picture);
    const { mission } = picture;
    // where the robot should be lies under where it is; what is made lies on top
    if (mission?.stage === 'watch') draw_mission(this.pen_, mission);
    this.draw_robots(picture);
    if (mission !== null && mission.stage !== 'watch') draw_mission(this.pen_, mission);
    if (picture.wanted !== null) this.pen_.wanted(picture.wanted);
    if (this.cursor !== null) this.pen_.cross(this.cursor);
    this.pen_.measures(size, values === null ? null : this.highest_);
  }

  private in_canvas(client_x: number, client_y: number): Point {
    const box = this.canvas_.getBoundingClientRect();
    return { x: client_x - box.left, y: client_y - box.top };
  }

  private prepare({ world_key }: Picture, world: World): void {
    const key = `${world_key} ${prefers_dark()}`;
    if (key === this.key_) return;
    const { low_x, low_y, width, height, cell } = world.plan;
    if (!this.key_.startsWith(world_key) || this.key_ === '') {
      this.cursor = null;
      this.box_ = { low_x, low_y, width: width * cell, height: height * cell };
      this.zoom_ = whole(this.box_);
      this.pen_.radius = world.body[kBody.radius]!;
    }
    this.key_ = key;
    paint_world(this.image_, world);
  }

  private draw_image(image: HTMLCanvasElement): void {
    const { low_x, low_y, width, height } = this.box_;
    const { per_metre } = this.pen_.scale;
    const top = this.pen_.y(low_y + height);
    this.context_.drawImage(image, this.pen_.x(low_x), top, width * per_metre, height * per_metre);
  }

  private draw_values(world: World, values: Float32Array): void {
    if (values !== this.values_) {
      this.values_ = values;
      this.highest_ = highest_value(values);
    }
    this.draw_image(values_image(world, values));
  }

  // Where it was seen from: at the report.
  private draw_scan({ subject }: Picture): void {
    const report = subject?.moment.report ?? null;
    if (report?.scan == null) return;
    const arcs = arcs_of(report.pose, report.scan);
    const { scan } = surface_colours();
    for (let at = 0; at < arcs.length; at += 2 * kArcPoints) {
      this.pen_.line(arcs.subarray(at, at + 2 * kArcPoints), 2, scan, 1.5);
    }
  }

  private draw_ways({ layers, path, ahead, ahead_stride, subject, history, time_s }: Picture): void {
    if (layers.trails && history !== null) {
      const trail = this.trail_;
      trail.length = 0;
      const end = history.find(time_s);
      for (let i = Math.max(history.first, history.find(time_s - kTrail_s)); i <= end; i += 2) {
        const pose = history.pose(i, 'predicted');
        if (pose !== null) trail.push(pose.x, pose.y);
      }
      this.pen_.line(trail, 2, `${kColours.predicted}80`, 1.5);
    }
    if (layers.ahead) {
      this.pen_.line(path, 2, kColours.goal, 1.5, [5, 4]);
      this.pen_.line(ahead, ahead_stride, kColours.ahead, 4);
    }
    if (subject?.moment.goal != null) this.pen_.goal(subject.moment.goal);
  }

  private draw_robots({ subject, robots, layers, landing }: Picture): void {
    const pen = this.pen_;
    for (const { selected, world, moment } of robots) {
      if (!selected) pen.robot(moment.predicted, kColours.other, 'solid', world?.body[kBody.radius]);
    }
    if (subject === null) return;
    const { moment } = subject;
    if (landing !== null) this.draw_landing(landing);
    if (layers.region) pen.region(moment.in95, '26');
    if (layers.region) pen.region(moment.in50, '40');
    pen.robot(moment.reported, kColours.reported, 'ghost');
    if (layers.extrapolated) pen.robot(moment.extrapolated, kColours.extrapolated, 'dashed');
    pen.robot(moment.predicted, kColours.predicted, 'solid');
    if (layers.truth) pen.robot(moment.truth, kColours.truth, 'hoops');
    if (moment.predicted === null) return;
    for (const bearing of moment.report?.hindrance?.contact?.bearings ?? []) pen.contact(moment.predicted, bearing);
  }

  private draw_landing({ pose, rest, contact, way }: Landing): void {
    const colour = contact === null ? kColours.landing : kColours.contact;
    this.pen_.line(way, 3, colour, 3);
    this.pen_.robot(pose, colour, 'outline');
    const end = contact ?? rest;
    if (end !== null) this.pen_.wanted(end, colour);
  }
}
