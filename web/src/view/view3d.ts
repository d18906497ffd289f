// The 3D view: the world, the predicted robot, the ghost of the last report, the way ahead, and how sure all that is.

import * as THREE from 'three';
import { kBody } from '../core/layout';
import type { World } from '../core/core';
import type { Point, Pose } from '../link/protocol';
import { doors_elsewhere } from '../state/seen';
import { Cameras, type CameraName } from './cameras';
import { kColours, surface_colours } from './colours';
import { ContactMarks, make_goal, make_target, make_wanted, place_mark, Region } from './floor_marks';
import { Labels } from './labels';
import { LandingMarks } from './landing_marks';
import { MissionScene } from './mission_scene';
import { pane_at, panes_of, type Pane } from './panes';
import type { Picture } from './picture';
import { make_ready, make_renderer } from './renderer';
import { RobotMesh } from './robot_mesh';
import { ScanArcs } from './scan_arcs';
import { SeenScene } from './seen_scene';
import { Trail } from './trail';
import { ValueFloor } from './value_floor';
import { Ways } from './ways';
import { dispose, make_world } from './world_mesh';

const kCut = 1; // [m] where walls are cut when seen from above
const kUncut = 1000;
const kTooClose = 1.2; // [m]

interface Marks {
  predicted: RobotMesh;
  reported: RobotMesh;
  reported_solid: RobotMesh; // as it would be drawn without Forerun
  extrapolated: RobotMesh;
  truth: RobotMesh;
}

export class View3d {
  readonly cameras: Cameras;
  private readonly renderer_: THREE.WebGLRenderer;
  private readonly scene_ = new THREE.Scene();
  private readonly labels_: Labels;
  private readonly in50_ = new Region(kColours.predicted, 0.26, 3);
  private readonly in95_ = new Region(kColours.predicted, 0.14, 2);
  private readonly ways_ = new Ways();
  private readonly landing_ = new LandingMarks();
  private readonly values_ = new ValueFloor();
  private readonly scan_ = new ScanArcs();
  private readonly mission_ = new MissionScene();
  private readonly contact_ = new ContactMarks(kColours.contact);
  private readonly goal_ = make_goal(kColours.goal);
  private readonly wanted_ = make_wanted(kColours.goal);
  private readonly target_ = make_target(kColours.goal);
  private readonly trails_ = {
    predicted: new Trail('predicted', kColours.predicted),
    truth: new Trail('truth', kColours.truth),
  };
  private readonly cut_ = new THREE.Plane(new THREE.Vector3(0, 0, -1), kUncut);
  private readonly seen_ = new SeenScene(this.cut_);
  private world_key_ = '';
  private world_group_: THREE.Group | null = null;
  private doors_: THREE.Mesh[] = [];
  private world_: World | null = null;
  private marks_: Marks | null = null;
  private others_ = new Map<number, { mesh: RobotMesh; world: World }>();
  private panes_: readonly Pane[] = [];
  private readonly size_ = new THREE.Vector2();

  constructor(private readonly element_: HTMLElement) {
    this.renderer_ = make_renderer();
    this.renderer_.domElement.setAttribute('aria-hidden', 'true');
    this.renderer_.localClippingEnabled = true;
    element_.prepend(this.renderer_.domElement);
    this.cameras = new Cameras(this.renderer_.domElement);
    this.labels_ = new Labels(element_);
    this.light();
    this.scene_.add(this.in95_.group, this.in50_.group, this.values_.mesh, this.mission_.group, this.landing_.group, this.seen_.group);
    this.scene_.add(this.scan_.lines);
    this.scene_.add(...this.ways_.meshes);
    this.scene_.add(this.contact_.group);
    this.scene_.add(this.goal_, this.wanted_, this.target_, this.trails_.predicted.line, this.trails_.truth.line);
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
    const [x, y] = [client_x - box.left, client_y - box.top];
    const index = pane_at(this.panes_, x, y);
    const pane = this.panes_[index];
    if (pane === undefined) return null;
    const at = new THREE.Vector2((2 * (x - pane.left)) / pane.width - 1, 1 - (2 * (y - pane.top)) / pane.height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, index === 0 ? this.cameras.main : this.cameras.second);
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
    // whoever makes a mission looks at the phantom
    const subject = picture.mission?.phantom ?? picture.subject?.moment.predicted ?? null;
    const [first, second] = (this.panes_ = panes_of(width, height, picture.without));
    this.cameras.update(subject, step_s, first!);
    this.ways_.draw(picture, this.cameras.metres_per_pixel(subject, first!.height));
    this.cut_.constant = this.cameras.from_above ? kCut : kUncut;
    this.renderer_.setScissorTest(true);
    this.render_part(this.cameras.main, first!, height);
    const robot_height = this.world_.body[kBody.height]!;
    this.labels_.begin();
    this.labels_.draw(picture, this.cameras.main, robot_height, first!);
    if (second !== undefined) {
      this.draw_without(picture, second, height);
      this.labels_.draw_without(picture, this.cameras.second, robot_height, second);
    }
    this.labels_.end();
  }

  private draw_without({ subject }: Picture, pane: Pane, view_height: number): void {
    const reported = subject?.moment.reported ?? null;
    this.cameras.update_second(reported, subject?.moment.predicted ?? null, pane.width / pane.height);
    this.ways_.hide();
    const hidden = [this.contact_.group, this.in50_.group, this.in95_.group, this.target_, this.trails_.predicted.line, this.values_.mesh];
    for (const part of [...hidden, this.mission_.group, this.landing_.group]) part.visible = false;
    this.place_seen([]);
    this.scan_.draw(null, null);
    for (const { mesh } of this.others_.values()) mesh.group.visible = false;
    if (this.marks_ !== null) {
      for (const name of ['predicted', 'extrapolated', 'reported'] as const) this.marks_[name].group.visible = false;
      const said = subject?.moment.report?.posture ?? null;
      this.marks_.reported_solid.place(reported, 1, said, said?.flippers ?? null);
    }
    this.render_part(this.cameras.second, pane, view_height);
  }

  private render_part(camera: THREE.Camera, { left, top, width, height }: Pane, view_height: number): void {
    const bottom = view_height - top - height;
    this.renderer_.setViewport(left, bottom, width, height);
    this.renderer_.setScissor(left, bottom, width, height);
    this.renderer_.render(this.scene_, camera);
  }

  private place(picture: Picture): void {
    const { layers, subject } = picture;
    const moment = subject?.moment ?? null;
    const shown = <T>(layer: boolean, thing: T | null | undefined): T | null => (layer ? (thing ?? null) : null);
    this.in50_.set(shown(layers.region, moment?.in50));
    this.in95_.set(shown(layers.region, moment?.in95));
    place_mark(this.goal_, moment?.goal ?? null);
    place_mark(this.target_, shown(layers.ahead, moment?.target));
    place_mark(this.wanted_, picture.wanted);
    this.landing_.draw(picture.landing);
    this.mission_.draw(picture.mission, this.cameras.name !== 'eye');
    this.values_.draw(this.world_!, shown(layers.values, picture.values));
    this.place_seen(layers.seen ? picture.robots : []);
    const report = moment?.report ?? null;
    this.scan_.draw(report?.pose ?? null, shown(layers.scan, report?.scan));
    for (const trail of Object.values(this.trails_)) trail.draw(picture);
    this.trails_.truth.line.visible &&= layers.truth;
    if (this.marks_ === null) return;
    // with the robot's own eyes there is no robot to be seen, nor ghosts that stand in its place
    const eye = this.cameras.name === 'eye' ? (moment?.predicted ?? null) : null;
    const seen = (pose: Pose | null | undefined): Pose | null =>
      pose == null || (eye !== null && Math.hypot(pose.x - eye.x, pose.y - eye.y) < kTooClose) ? null : pose;
    const said = moment?.report?.posture ?? null;
    const attitude = moment?.attitude ?? null;
    const flippers = said?.flippers ?? null;
    this.marks_.predicted.place(seen(moment?.predicted), moment?.presence ?? 1, attitude, flippers);
    const touching = moment?.report?.hindrance?.contact?.bearings ?? [];
    this.contact_.place(seen(moment?.predicted), this.world_!.body[kBody.radius]!, touching);
    this.marks_.reported.place(seen(moment?.reported), 1, said, flippers);
    this.marks_.extrapolated.place(shown(layers.extrapolated, seen(moment?.extrapolated)));
    this.marks_.truth.place(shown(layers.truth, seen(moment?.truth)));
    this.marks_.reported_solid.group.visible = false;
    this.place_others(picture);
  }

  // Doors of which a robot says that they stand otherwise are not drawn as in the model.
  private place_seen(robots: Picture['robots']): void {
    const elsewhere = doors_elsewhere(robots);
    this.doors_.forEach((leaf, i) => (leaf.visible = !elsewhere.has(i)));
    this.seen_.draw(robots, this.world_!.doors);
  }

  private place_others(picture: Picture): void {
    const present = new Set<number>();
    for (const { id, selected, world, moment } of picture.robots) {
      if (selected || world === null) continue;
      present.add(id);
      const flippers = moment.report?.posture?.flippers ?? null;
      this.other(id, world).place(moment.predicted, moment.presence, moment.attitude, flippers);
    }
    for (const id of this.others_.keys()) if (!present.has(id)) this.remove_other(id);
  }

  // Another robot, with its own body.
  private other(id: number, world: World): RobotMesh {
    const known = this.others_.get(id);
    if (known?.world === world) return known.mesh;
    this.remove_other(id);
    const mesh = new RobotMesh(world, { colour: kColours.other, make: 'solid' });
    this.others_.set(id, { mesh, world });
    this.scene_.add(mesh.group);
    return mesh;
  }

  private remove_other(id: number): void {
    const known = this.others_.get(id);
    if (known === undefined) return;
    this.others_.delete(id);
    this.scene_.remove(known.mesh.group);
    dispose(known.mesh.group);
  }

  private load(world: World, key: string): void {
    this.world_key_ = key;
    this.world_ = world;
    const old = [
      this.world_group_,
      ...Object.values((this.marks_ ?? {}) as Record<string, RobotMesh>).map(({ group }) => group),
    ];
    for (const part of old) {
      if (part === null) continue;
      this.scene_.remove(part);
      dispose(part);
    }
    for (const id of this.others_.keys()) this.remove_other(id);
    const { group, doors } = make_world(world, this.cut_);
    [this.world_group_, this.doors_] = [group, doors];
    this.marks_ = {
      predicted: new RobotMesh(world, { colour: kColours.predicted, make: 'solid' }),
      reported: new RobotMesh(world, { colour: kColours.reported, make: 'ghost' }),
      reported_solid: new RobotMesh(world, { colour: kColours.reported, make: 'solid' }),
      extrapolated: new RobotMesh(world, { colour: kColours.extrapolated, make: 'dashed' }),
      truth: new RobotMesh(world, { colour: kColours.truth, make: 'hoops' }),
    };
    this.scene_.add(this.world_group_, ...Object.values<RobotMesh>({ ...this.marks_ }).map(({ group }) => group));
    this.mission_.load(world);
    this.landing_.load(world);
    this.ways_.set_robot_width(2 * world.body[kBody.radius]!);
    this.cameras.set_world(world);
    make_ready(this.renderer_, this.scene_, this.cameras.main);
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.element_;
    const size = this.renderer_.getSize(this.size_);
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
