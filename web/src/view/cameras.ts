// Where the picture is taken from: free, behind the robot, from above, with its eyes, or from a place on site as in
// paper 2, figure 7: a camera that stands still while the robot comes and goes.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { kBody } from '../core/layout';
import type { Plan, World } from '../core/core';
import type { Point, Pose } from '../link/protocol';
import type { Pane } from './panes';

export const kCameras = ['orbit', 'follow', 'top', 'eye', 'site'] as const;
export type CameraName = (typeof kCameras)[number];

const kEase_s = 0.25; // cameras that move with the robot lag so much behind it
const kSiteNear = 2.2; // the camera on site stands at least so far away [m] …
const kSiteFar = 7.5; // … and moves on when the robot is further away
const kSiteHeight = 1.9;
const kBelowMiddle = 45; // [px] half as high as the notes over the upper edge, …
const kMostBelow = 0.18; // … as a share of the picture's height
const kFov_deg: Record<CameraName, number> = { orbit: 50, follow: 50, top: 50, eye: 70, site: 60 };

export class Cameras {
  readonly main = new THREE.PerspectiveCamera(50, 1, 0.05, 400);
  readonly second = new THREE.PerspectiveCamera(50, 1, 0.05, 400); // for the view without Forerun
  name: CameraName = 'orbit';
  private readonly orbit_: OrbitControls;
  private centre_ = new THREE.Vector3();
  private extent_: Point = { x: 10, y: 10 };
  private world_: World | null = null;
  private site_: Point | null = null;
  private readonly step_ = new THREE.Vector3();
  private seen_: Pose | null = null; // where the robot was in the last picture
  private fresh_ = true; // jump there, do not glide

  constructor(element: HTMLElement) {
    this.main.up.set(0, 0, 1);
    this.second.up.set(0, 0, 1);
    this.orbit_ = new OrbitControls(this.main, element);
    this.orbit_.enableDamping = true;
    this.orbit_.maxPolarAngle = 0.49 * Math.PI;
    this.orbit_.minDistance = 1.5;
    this.orbit_.maxDistance = 150;
  }

  // Walls would hide the robot.
  get from_above(): boolean {
    return this.name !== 'eye' && this.name !== 'site';
  }

  set_world(world: World): void {
    const { low_x, low_y, width, height, cell } = world.plan;
    this.world_ = world;
    this.extent_ = { x: width * cell, y: height * cell };
    this.centre_.set(low_x + this.extent_.x / 2, low_y + this.extent_.y / 2, 0);
    this.choose(this.name);
  }

  choose(name: CameraName, subject: Pose | null = null): void {
    this.name = name;
    this.fresh_ = true;
    this.site_ = null;
    this.seen_ = null;
    this.orbit_.enabled = name === 'orbit' || name === 'top';
    this.orbit_.enableRotate = name === 'orbit';
    this.main.fov = kFov_deg[name];
    if (name === 'top') this.look_down();
    if (name === 'orbit') this.look_over(subject);
  }

  update(subject: Pose | null, step_s: number, { width, height }: Pane): void {
    const aspect = width / height;
    // what happens stands a little below the middle: notes lie over the upper edge
    const down = this.name === 'orbit' || this.name === 'site' ? Math.min(kMostBelow, kBelowMiddle / height) : 0;
    this.main.setViewOffset(aspect, 1, 0, -down, aspect, 1);
    if (this.fresh_ && this.name === 'top') this.look_down();
    if (this.fresh_ && this.name === 'orbit' && subject !== null) this.look_over(subject);
    if (this.orbit_.enabled) {
      if (this.name === 'orbit') this.go_along(subject);
      this.orbit_.update(step_s);
      if (subject !== null) this.fresh_ = false;
      return;
    }
    if (subject === null) return;
    const wanted = this.place_for(subject);
    const share = this.fresh_ ? 1 : 1 - Math.exp(-step_s / kEase_s);
    this.main.position.lerp(wanted.from, this.name === 'site' ? 1 : share);
    this.orbit_.target.lerp(wanted.to, share);
    this.main.lookAt(this.orbit_.target);
    this.fresh_ = false;
  }

  // How much of the floor a pixel shows where the robot is, in a picture of this height [m].
  metres_per_pixel(subject: Pose | null, height: number): number {
    const { x, y, z } = this.main.position;
    const away = subject === null ? z : Math.hypot(x - subject.x, y - subject.y, z);
    return (2 * away * Math.tan((this.main.fov * Math.PI) / 360)) / Math.max(1, height);
  }

  // The second camera looks in the same way at what it knows: where `known` is, not `subject`.
  update_second(known: Pose | null, subject: Pose | null, aspect: number): void {
    this.second.fov = this.main.fov;
    this.second.setViewOffset(aspect, 1, 0, this.main.view?.offsetY ?? 0, aspect, 1);
    this.second.position.copy(this.main.position);
    this.second.quaternion.copy(this.main.quaternion);
    if (known !== null && (this.name === 'follow' || this.name === 'eye')) {
      const wanted = this.place_for(known);
      this.second.position.copy(wanted.from);
      this.second.lookAt(wanted.to);
    } else if (known !== null && subject !== null && this.name === 'orbit') {
      this.second.position.add(this.step_.set(known.x - subject.x, known.y - subject.y, 0));
    }
    this.second.updateProjectionMatrix();
  }

  private place_for(pose: Pose): { from: THREE.Vector3; to: THREE.Vector3 } {
    const ahead = (distance: number, z: number): THREE.Vector3 =>
      new THREE.Vector3(pose.x + distance * Math.cos(pose.heading), pose.y + distance * Math.sin(pose.heading), z);
    if (this.name === 'eye') {
      const eye = 0.95 * (this.world_?.body[kBody.height] ?? 1);
      return { from: ahead(0.25, eye), to: ahead(3, 0.75 * eye) };
    }
    if (this.name === 'site') {
      const site = this.choose_site(pose);
      return { from: new THREE.Vector3(site.x, site.y, kSiteHeight), to: ahead(0, 0.5) };
    }
    // further away where the picture is narrow; the way ahead matters more than the way behind
    const away = this.narrowness();
    return { from: ahead(-3.8 * away, 4.4 * away), to: ahead(1.8, 0) };
  }

  // A free place from which the robot is in sight, ahead of it if possible; the same one as long as that holds.
  private choose_site(pose: Pose): Point {
    const plan = this.world_?.plan;
    const fits = (site: Point): boolean => {
      const away = Math.hypot(site.x - pose.x, site.y - pose.y);
      return away < kSiteFar && away > 0.8 && (plan === undefined || in_sight(plan, site, pose));
    };
    if (this.site_ !== null && fits(this.site_)) return this.site_;
    for (const away of [5.5, 4.5, 3.5, kSiteNear]) {
      for (const turn of [0.35, -0.35, 0, 0.8, -0.8, 2.8, -2.8, 2, -2]) {
        const heading = pose.heading + turn;
        const site = { x: pose.x + away * Math.cos(heading), y: pose.y + away * Math.sin(heading) };
        if (fits(site)) return (this.site_ = site);
      }
    }
    return (this.site_ = {
      x: pose.x - kSiteNear * Math.cos(pose.heading),
      y: pose.y - kSiteNear * Math.sin(pose.heading),
    });
  }

  // The free camera keeps its distance and direction to the robot, however it was turned or moved.
  private go_along(subject: Pose | null): void {
    if (subject !== null && this.seen_ !== null) {
      this.step_.set(subject.x - this.seen_.x, subject.y - this.seen_.y, 0);
      this.main.position.add(this.step_);
      this.orbit_.target.add(this.step_);
    }
    this.seen_ = subject;
  }

  private look_down(): void {
    const tangent = Math.tan((this.main.fov * Math.PI) / 360);
    // a long world lies along the longer side of the picture
    const upright = this.main.aspect < 1 === this.extent_.x < this.extent_.y;
    const [wide, high] = upright ? [this.extent_.x, this.extent_.y] : [this.extent_.y, this.extent_.x];
    const height = Math.max(high / 2 / tangent, wide / 2 / (tangent * this.main.aspect));
    this.orbit_.target.copy(this.centre_);
    // not quite from above, or there is no telling which side is up
    const off = 0.01 * height;
    const [x, y] = upright ? [0, -off] : [-off, 0];
    this.main.position.set(this.centre_.x + x, this.centre_.y + y, 1.06 * height + 3);
    this.main.lookAt(this.centre_);
  }

  private narrowness(): number {
    return Math.min(1.8, Math.max(1, 1.15 / this.main.aspect));
  }

  private look_over(subject: Pose | null): void {
    const centre = subject === null ? this.centre_ : new THREE.Vector3(subject.x, subject.y, 0);
    const narrow = this.narrowness();
    this.seen_ = subject;
    this.orbit_.target.copy(centre);
    this.main.position.set(centre.x - 3.5 * narrow, centre.y - 7 * narrow, 8.5 * narrow);
  }
}

function in_sight(plan: Plan, from: Point, to: Point): boolean {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const n_steps = Math.ceil(distance / plan.cell);
  for (let i = 0; i < n_steps; ++i) {
    const x = Math.floor((from.x + ((to.x - from.x) * i) / n_steps - plan.low_x) / plan.cell);
    const y = Math.floor((from.y + ((to.y - from.y) * i) / n_steps - plan.low_y) / plan.cell);
    if (x < 0 || y < 0 || x >= plan.width || y >= plan.height) return false;
    if ((plan.clearance[y * plan.width + x] ?? 0) < 0.1) return false;
  }
  return true;
}
