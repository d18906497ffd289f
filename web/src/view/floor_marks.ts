// What lies on the floor: ways as ribbons, regions, trails, goal and target. Seen through walls.

import * as THREE from 'three';
import type { Point, Pose } from '../link/protocol';
import { rings_of, type Region as Likely } from '../state/history';

const kHeight = 0.03; // above the floor [m]

export function floor_material(colour: string, opacity: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    color: colour,
    transparent: true,
    opacity,
    depthTest: false,
    depthWrite: false,
    side: THREE.DoubleSide,
  });
}

// A band along points; made once for as many points as it can ever have.
export class Ribbon {
  readonly mesh: THREE.Mesh;
  private readonly positions_: Float32Array;

  constructor(
    private readonly max_points_: number,
    public width: number,
    colour: string,
    opacity: number,
    order: number,
  ) {
    const geometry = new THREE.BufferGeometry();
    this.positions_ = new Float32Array(6 * max_points_);
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions_, 3));
    const indices: number[] = [];
    for (let i = 0; i + 1 < max_points_; ++i)
      indices.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
    geometry.setIndex(indices);
    this.mesh = new THREE.Mesh(geometry, floor_material(colour, opacity));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
  }

  // Points that lie too close to the last one have no direction and are left out. `from`: the first one to draw.
  set(points: ArrayLike<number>, stride: number, from = 0): void {
    let count = 0;
    let last_x = NaN;
    let last_y = NaN;
    for (let at = stride * from; at + 1 < points.length && count < this.max_points_; at += stride) {
      const x = points[at]!;
      const y = points[at + 1]!;
      if (Math.hypot(x - last_x, y - last_y) < 0.02) continue;
      this.put(count, x, y, count === 0 ? 0 : Math.atan2(y - last_y, x - last_x));
      if (count === 1) this.put(0, last_x, last_y, Math.atan2(y - last_y, x - last_x));
      ++count;
      last_x = x;
      last_y = y;
    }
    this.mesh.visible = count > 1;
    this.mesh.geometry.setDrawRange(0, 6 * Math.max(0, count - 1));
    this.mesh.geometry.attributes.position!.needsUpdate = true;
  }

  private put(index: number, x: number, y: number, heading: number): void {
    const side_x = (-Math.sin(heading) * this.width) / 2;
    const side_y = (Math.cos(heading) * this.width) / 2;
    const positions = this.positions_;
    positions[6 * index] = x + side_x;
    positions[6 * index + 1] = y + side_y;
    positions[6 * index + 2] = kHeight;
    positions[6 * index + 3] = x - side_x;
    positions[6 * index + 4] = y - side_y;
    positions[6 * index + 5] = kHeight;
  }
}

// Dots along a way, one for each so many points: how far the robot gets in equal times.
export class Beads {
  readonly mesh: THREE.InstancedMesh;

  private readonly at_ = new THREE.Matrix4();

  constructor(max_points: number, colour: string, order: number) {
    const geometry = new THREE.CircleGeometry(1, 20);
    this.mesh = new THREE.InstancedMesh(geometry, floor_material(colour, 1), max_points);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
  }

  set(points: ArrayLike<number>, stride: number, every: number, radius: number): void {
    let count = 0;
    for (let i = every * stride; i + 1 < points.length && count < this.mesh.instanceMatrix.count; i += every * stride) {
      this.at_.makeScale(radius, radius, 1).setPosition(points[i]!, points[i + 1]!, kHeight);
      this.mesh.setMatrixAt(count++, this.at_);
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

export class Region {
  readonly group = new THREE.Group();
  private readonly area_: THREE.Mesh;
  private readonly line_: THREE.LineSegments;
  private drawn_: Likely | null = null;

  constructor(colour: string, opacity: number, order: number) {
    this.area_ = new THREE.Mesh(new THREE.BufferGeometry(), floor_material(colour, opacity));
    this.line_ = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.8, depthTest: false }),
    );
    this.area_.renderOrder = order;
    this.line_.renderOrder = order;
    this.group.add(this.area_, this.line_);
    this.group.position.z = kHeight;
  }

  set(region: Likely | null): void {
    this.group.visible = region !== null && region.outline.length > 0;
    if (region === null || region === this.drawn_) return;
    this.drawn_ = region;
    const rings = rings_of(region.outline);
    this.area_.geometry.dispose();
    this.area_.geometry = new THREE.ShapeGeometry(shapes_of(rings));
    this.line_.geometry.dispose();
    this.line_.geometry = new THREE.BufferGeometry().setFromPoints(rings.flatMap(sides_of));
  }
}

const points_of = (ring: Float32Array): THREE.Vector2[] =>
  Array.from({ length: ring.length / 2 }, (_, i) => new THREE.Vector2(ring[2 * i], ring[2 * i + 1]));

// Each side from its first to its last point.
const sides_of = (ring: Float32Array): THREE.Vector2[] =>
  points_of(ring).flatMap((point, i, all) => [point, all[(i + 1) % all.length]!]);

// What runs counterclockwise goes round something, the other way round a hole in it.
function shapes_of(rings: Float32Array[]): THREE.Shape[] {
  const path = new THREE.ShapePath();
  for (const ring of rings) {
    points_of(ring).forEach((point, i) => (i === 0 ? path.moveTo(point.x, point.y) : path.lineTo(point.x, point.y)));
  }
  return path.toShapes(true);
}

// A dashed ring: where a goal is to be, as long as the robot has not said that it has it.
export function make_wanted(colour: string): THREE.Group {
  const group = new THREE.Group();
  for (let i = 0; i < 8; ++i) {
    const dash = new THREE.RingGeometry(0.2, 0.3, 6, 1, (i * Math.PI) / 4, Math.PI / 7);
    group.add(new THREE.Mesh(dash, floor_material(colour, 1)));
  }
  for (const part of group.children) part.renderOrder = 8;
  group.position.z = kHeight;
  return group;
}

// Thick arcs round a robot, where something touches it: on the floor and, to be seen from aside, standing up.
export class ContactMarks {
  readonly group = new THREE.Group();

  constructor(colour: string, most = 4) {
    for (let i = 0; i < most; ++i) {
      const mark = new THREE.Group();
      const floor = new THREE.Mesh(new THREE.RingGeometry(1.12, 1.45, 16, 1, -0.5, 1), floor_material(colour, 0.95));
      const wall = new THREE.CylinderGeometry(1.12, 1.12, 1, 16, 1, true, Math.PI / 2 - 0.5, 1).rotateX(Math.PI / 2);
      const upright = new THREE.Mesh(wall, floor_material(colour, 0.45));
      upright.position.z = 0.5;
      for (const part of [floor, upright]) part.renderOrder = 10;
      mark.add(floor, upright);
      this.group.add(mark);
    }
  }

  place(pose: Pose | null, radius: number, bearings: readonly number[]): void {
    this.group.visible = pose !== null && bearings.length > 0;
    if (pose === null) return;
    this.group.position.set(pose.x, pose.y, kHeight);
    this.group.scale.set(radius, radius, 0.3);
    this.group.children.forEach((mark, i) => {
      mark.visible = i < bearings.length;
      mark.rotation.z = pose.heading + (bearings[i] ?? 0);
    });
  }
}

// Pole, flag and a disc on the floor.
export function make_goal(colour: string): THREE.Group {
  const group = new THREE.Group();
  const disc = new THREE.Mesh(new THREE.RingGeometry(0.18, 0.26, 32), floor_material(colour, 0.95));
  const dot = new THREE.Mesh(new THREE.CircleGeometry(0.08, 24), floor_material(colour, 0.95));
  const solid = new THREE.MeshBasicMaterial({ color: colour, side: THREE.DoubleSide, transparent: true });
  const pole = new THREE.Mesh(new THREE.CylinderGeometry(0.02, 0.02, 1.3, 8).rotateX(Math.PI / 2), solid);
  pole.position.z = 0.65;
  const cloth = new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(0.36, 0.14), new THREE.Vector2(0, 0.28)]);
  const flag = new THREE.Mesh(new THREE.ShapeGeometry(cloth).rotateX(Math.PI / 2), solid);
  flag.position.z = 1.02;
  disc.position.z = dot.position.z = kHeight;
  for (const part of [disc, dot]) part.renderOrder = 6;
  for (const part of [pole, flag]) part.renderOrder = 9;
  group.add(disc, dot, pole, flag);
  return group;
}

export function make_target(colour: string): THREE.Mesh {
  const diamond = new THREE.Mesh(new THREE.CircleGeometry(0.12, 4), floor_material(colour, 0.9));
  diamond.position.z = kHeight;
  diamond.renderOrder = 7;
  return diamond;
}

export function place_mark(mark: THREE.Object3D, point: Point | null): void {
  mark.visible = point !== null;
  if (point !== null) mark.position.set(point.x, point.y, mark.position.z);
}
