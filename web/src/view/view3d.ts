// The 3D view: the world, the predicted robot, the ghost of the last report, the way ahead, and how sure all that is.

import * as THREE from 'three';
import { kBody } from '../core/layout';
import type { World } from '../core/core';
import type { Point, Pose } from '../link/protocol';
import { Cameras, type CameraName } from './cameras';
import { kColours, surface_colours } from './colours';
import { Beads, make_goal, make_target, place_mark, Region, Ribbon } from './floor_marks';
import { Labels } from './labels';
import type { Picture } from './picture';
import { RobotMesh } from './robot_mesh';
import { Trail } from './trail';
import { dispose, make_world } from './world_mesh';

const kMaxAhead = 64;
const kMaxPath = 1500;
const kBeadEvery = 8; // points of the way ahead, 0.25 s each: a dot for every 2 s
const kMaxPixelRatio = 2;
const kCut = 1; // [m] where walls are cut when seen from above
const kUncut = 1000;
const kTooClose = 1.2; // [m]

interface Marks {
  predicted: RobotMesh;
  reported: RobotMesh;
  reported_solid: RobotMesh; // as it would be drawn without Forerun
  extrapolated: RobotMesh;
  truth: RobotMesh;
  swath: Ribbon;
}

export class View3d {
  readonly cameras: Cameras;
  private readonly renderer_: THREE.WebGLRenderer;
  private readonly scene_ = new THREE.Scene();
  private readonly labels_: Labels;
  private readonly in50_ = new Region(kColours.predicted, 0.26, 3);
  private readonly in95_ = new Region(kColours.predicted, 0.14, 2);
  private readonly line_ = new Ribbon(kMaxAhead, 0.07, kColours.ahead, 1, 5);
  private readonly path_ = new Ribbon(kMaxPath, 0.05, kColours.goal, 0.75, 4);
  private readonly beads_ = new Beads(kMaxAhead, 0.09, '#ffffff', 6);
  private readonly goal_ = make_goal(kColours.goal);
  private readonly target_ = make_target(kColours.goal);
  private readonly trails_ = {
    predicted: new Trail('predicted', kColours.predicted),
    truth: new Trail('truth', kColours.truth),
  };
  private readonly cut_ = new THREE.Plane(new THREE.Vector3(0, 0, -1), kUncut);
  private world_key_ = '';
  private world_group_: THREE.Group | null = null;
  private world_: World | null = null;
  private marks_: Marks | null = null;
  private others_ = new Map<number, RobotMesh>();
  private ahead_: ArrayLike<number> | null = null;
  private path_points_: ArrayLike<number> | null = null;

  constructor(private readonly element_: HTMLElement) {
    this.renderer_ = new THREE.WebGLRenderer({ antialias: devicePixelRatio < 2, powerPreference: 'high-performance' });
    this.renderer_.setPixelRatio(Math.min(kMaxPixelRatio, devicePixelRatio));
    this.renderer_.domElement.setAttribute('aria-hidden', 'true');
    this.renderer_.localClippingEnabled = true;
    element_.prepend(this.renderer_.domElement);
    this.cameras = new Cameras(this.renderer_.domElement);
    this.labels_ = new Labels(element_);
    this.light();
    this.scene_.add(this.in95_.group, this.in50_.group, this.line_.mesh, this.path_.mesh, this.beads_.mesh);
    this.scene_.add(this.goal_, this.target_, this.trails_.predicted.line, this.trails_.truth.line);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint_background());
    this.paint_background();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer_.domElement;
  }

  choose_camera(name: CameraName, subject: Pose | null): void {
    this.cameras.choose(name, subject);
  }

  // The place on the floor under a point of the screen; null: the sky.
  floor_at(client_x: number, client_y: number): Point | null {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
      (2 * (client_x - box.left)) / box.width - 1,
      1 - (2 * (client_y - box.top)) / box.height,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.cameras.main);
    const hit = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1)), new THREE.Vector3());
    return hit === null ? null : { x: hit.x, y: hit.y };
  }

  draw(picture: Picture, step_s: number): void {
    if (picture.world !== null && picture.world_key !== this.world_key_) this.load(picture.world, picture.world_key);
    if (this.world_ === null) return;
    this.fit();
    this.place(picture);
    const { clientWidth: width, clientHeight: height } = this.element_;
    if (width === 0 || height === 0) return;
    const subject = picture.subject?.moment.predicted ?? null;
    const split = picture.without ? Math.round(width / 2) : width;
    this.cameras.update(subject, step_s, split / height);
    this.cut_.constant = this.cameras.from_above ? kCut : kUncut;
    this.renderer_.setScissorTest(true);
    this.render_part(this.cameras.main, 0, split);
    this.labels_.draw(picture, this.cameras.main, this.world_?.body[kBody.height] ?? 1, split, height);
    if (picture.without) this.draw_without(picture, split, width, height);
  }

  private draw_without(picture: Picture, split: number, width: number, height: number): void {
    const moment = picture.subject?.moment ?? null;
    this.cameras.update_second(moment?.reported ?? null, (width - split) / height);
    const hidden = [
      this.in50_.group,
      this.in95_.group,
      this.line_.mesh,
      this.path_.mesh,
      this.beads_.mesh,
      this.target_,
      this.trails_.predicted.line,
      ...[...this.others_.values()].map(({ group }) => group),
    ];
    for (const part of hidden) part.visible = false;
    if (this.marks_ !== null) {
      const { predicted, extrapolated, reported, swath, reported_solid } = this.marks_;
      for (const { group } of [predicted, extrapolated, reported]) group.visible = false;
      swath.mesh.visible = false;
      reported_solid.place(moment?.reported ?? null);
    }
    this.render_part(this.cameras.second, split, width - split);
    if (this.marks_ !== null) this.marks_.reported_solid.group.visible = false;
    // drawn again next time, whether anything has changed or not
    this.ahead_ = null;
    this.path_points_ = null;
  }

  private render_part(camera: THREE.Camera, left: number, width: number): void {
    const { clientHeight: height } = this.element_;
    this.renderer_.setViewport(left, 0, width, height);
    this.renderer_.setScissor(left, 0, width, height);
    this.renderer_.render(this.scene_, camera);
  }

  private place(picture: Picture): void {
    const { layers, subject } = picture;
    const moment = subject?.moment ?? null;
    const shown = <T>(layer: boolean, thing: T | null | undefined): T | null => (layer ? (thing ?? null) : null);
    const margin = this.world_?.body[kBody.radius] ?? 0;
    this.in50_.set(shown(layers.region, moment?.in50), margin);
    this.in95_.set(shown(layers.region, moment?.in95), margin);
    place_mark(this.goal_, moment?.goal ?? null);
    place_mark(this.target_, shown(layers.ahead, moment?.target));
    this.place_ways(picture);
    for (const trail of Object.values(this.trails_)) trail.draw(picture);
    this.trails_.truth.line.visible &&= layers.truth;
    if (this.marks_ === null) return;
    // with the robot's own eyes there is no robot to be seen, nor ghosts that stand in its place
    const eye = this.cameras.name === 'eye' ? (moment?.predicted ?? null) : null;
    const seen = (pose: Pose | null | undefined): Pose | null =>
      pose == null || (eye !== null && Math.hypot(pose.x - eye.x, pose.y - eye.y) < kTooClose) ? null : pose;
    this.marks_.predicted.place(seen(moment?.predicted), moment?.presence ?? 1);
    this.marks_.reported.place(seen(moment?.reported));
    this.marks_.extrapolated.place(shown(layers.extrapolated, seen(moment?.extrapolated)));
    this.marks_.truth.place(shown(layers.truth, seen(moment?.truth)));
    this.marks_.reported_solid.group.visible = false;
    this.place_others(picture);
  }

  private place_ways(picture: Picture): void {
    const { ahead, ahead_stride, path, layers } = picture;
    if (ahead !== this.ahead_) {
      this.ahead_ = ahead;
      this.line_.set(ahead, ahead_stride);
      this.marks_?.swath.set(ahead, ahead_stride);
      this.beads_.set(ahead, ahead_stride, ahead_stride === 3 ? kBeadEvery : kBeadEvery / 2);
    }
    if (path !== this.path_points_) {
      this.path_points_ = path;
      this.path_.set(path, 2);
    }
    const drawn = layers.ahead && ahead.length >= 2 * ahead_stride;
    this.line_.mesh.visible = drawn;
    this.beads_.mesh.visible = drawn;
    this.path_.mesh.visible = layers.ahead && path.length >= 4;
    if (this.marks_ !== null) this.marks_.swath.mesh.visible = drawn;
  }

  private place_others(picture: Picture): void {
    const present = new Set<number>();
    for (const { id, selected, moment } of picture.robots) {
      if (selected || this.world_ === null) continue;
      present.add(id);
      let mesh = this.others_.get(id);
      if (mesh === undefined) {
        mesh = new RobotMesh(this.world_, { colour: kColours.other, opacity: 1 });
        this.others_.set(id, mesh);
        this.scene_.add(mesh.group);
      }
      mesh.place(moment.predicted, moment.presence);
    }
    for (const [id, { group }] of this.others_) if (!present.has(id)) group.visible = false;
  }

  private load(world: World, key: string): void {
    this.world_key_ = key;
    this.world_ = world;
    const old = [
      this.world_group_,
      ...Object.values(this.marks_ ?? {}).map((mark) => ('group' in mark ? mark.group : mark.mesh)),
      ...[...this.others_.values()].map(({ group }) => group),
    ];
    for (const part of old) {
      if (part === null) continue;
      this.scene_.remove(part);
      dispose(part);
    }
    this.others_.clear();
    this.world_group_ = make_world(world, this.cut_);
    this.marks_ = {
      predicted: new RobotMesh(world, { colour: kColours.predicted, opacity: 1 }),
      reported: new RobotMesh(world, { colour: kColours.reported, opacity: 0.5 }),
      reported_solid: new RobotMesh(world, { colour: kColours.reported, opacity: 1 }),
      extrapolated: new RobotMesh(world, { colour: kColours.extrapolated, opacity: 0.32 }),
      truth: new RobotMesh(world, { colour: kColours.truth, opacity: 0.4 }),
      swath: new Ribbon(kMaxAhead, 2 * world.body[kBody.radius]!, kColours.ahead, 0.3, 4),
    };
    const { swath, ...robots } = this.marks_;
    this.scene_.add(this.world_group_, swath.mesh, ...Object.values(robots).map(({ group }) => group));
    this.cameras.set_world(world);
    this.ahead_ = null;
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.element_;
    const size = this.renderer_.getSize(new THREE.Vector2());
    if (width > 0 && height > 0 && (size.x !== width || size.y !== height)) this.renderer_.setSize(width, height);
  }

  private light(): void {
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(-6, -10, 16);
    this.scene_.add(new THREE.HemisphereLight(0xffffff, 0x8a8f99, 2), sun);
  }

  private paint_background(): void {
    this.scene_.background = new THREE.Color(surface_colours().background);
  }
}
