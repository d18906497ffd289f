// A robot as it is drawn: its footprint as a body, with a head that shows where its front is.
//
// What it stands for is told by its make, not by its colour alone: the predicted one is solid, the last report a ghost,
// the extrapolated one a faint body in a dashed ring, the truth a cage of hoops that shows around all of them, and where a
// command lands the bright edges of a body.

import * as THREE from 'three';
import { kBody, kCrawler } from '../core/layout';
import type { World } from '../core/core';
import type { Attitude, Flippers, Pose } from '../link/protocol';
import { crawler_parts, flipper_frame } from './crawler_shapes';

export type Make = 'solid' | 'ghost' | 'dashed' | 'hoops' | 'outline';

export interface Look {
  colour: string;
  make: Make;
}

const kOrder = 10; // after everything that lies on the floor
const kOpacity: Record<Make, number> = { solid: 1, ghost: 0.55, dashed: 0.3, hoops: 0.9, outline: 0.32 };
const kBehind = 0.28; // what shows of it through what stands before it
const kHoops = [0.3, 0.62, 0.95]; // shares of its height
const kDashes = 9;

function footprint(world: World, scale: number): THREE.Shape {
  const { corners } = world;
  const shape = new THREE.Shape();
  if (corners.length < 6) {
    shape.absarc(0, 0, scale * world.body[kBody.radius]!, 0, 2 * Math.PI, false);
    return shape;
  }
  shape.moveTo(scale * corners[0]!, scale * corners[1]!);
  for (let i = 2; i < corners.length; i += 2) shape.lineTo(scale * corners[i]!, scale * corners[i + 1]!);
  shape.closePath();
  return shape;
}

function arrow(radius: number): THREE.BufferGeometry {
  const shape = new THREE.Shape();
  shape.moveTo(0.8 * radius, 0);
  shape.lineTo(-0.45 * radius, 0.55 * radius);
  shape.lineTo(-0.2 * radius, 0);
  shape.lineTo(-0.45 * radius, -0.55 * radius);
  shape.closePath();
  return new THREE.ShapeGeometry(shape);
}

const extrude = (shape: THREE.Shape, depth: number): THREE.BufferGeometry =>
  new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: 32 });

export class RobotMesh {
  readonly group = new THREE.Group();
  private readonly materials_: { material: THREE.Material; opacity: number }[] = [];
  private readonly flippers_: THREE.Group[] = []; // in the order of Flippers
  private readonly crawler_: Float64Array | null;
  private readonly rest_height_: number; // of the frame on level ground

  constructor(
    world: World,
    private readonly look_: Look,
  ) {
    const radius = world.body[kBody.radius]!;
    const height = Math.max(0.15, world.body[kBody.height]!);
    this.group.rotation.order = 'ZYX';
    this.crawler_ = world.crawler;
    this.rest_height_ = world.crawler?.[kCrawler.track_radius] ?? 0;
    if (world.crawler !== null && look_.make !== 'hoops') this.add_crawler(world.crawler);
    else if (look_.make === 'hoops') this.add_hoops(world, height);
    else {
      this.add_body(world, height);
      this.add_part(arrow(radius), 0.05 + 0.96 * height, '#ffffff');
    }
    // a ring on the floor that is seen through walls: where it is, even behind one
    this.add_ring(radius);
  }

  place(pose: Pose | null, presence = 1, attitude: Attitude | null = null, flippers: Flippers | null = null): void {
    this.group.visible = pose !== null && presence > 0.01;
    if (pose === null) return;
    this.group.position.set(pose.x, pose.y, attitude?.height ?? this.rest_height_);
    this.group.rotation.set(attitude?.roll ?? 0, attitude?.pitch ?? 0, pose.heading);
    const { crawler_ } = this;
    if (crawler_ !== null) {
      this.flippers_.forEach((part, i) => part.matrix.copy(flipper_frame(crawler_, i, flippers?.[i] ?? 0)));
    }
    for (const { material, opacity } of this.materials_) material.opacity = opacity * presence;
  }

  // From now on of this colour, but for its head.
  paint(colour: string): void {
    for (const { material } of this.materials_) {
      const { emissive, color } = material as THREE.MeshLambertMaterial;
      if (emissive === undefined || emissive.getHex() === 0) color.set(colour);
    }
  }

  private add_body(world: World, height: number): void {
    const base = extrude(footprint(world, 1), 0.5 * height);
    const tower = extrude(footprint(world, 0.82), 0.46 * height);
    for (const [geometry, z, shade] of [
      [base, 0.04, 1],
      [tower, 0.04 + 0.5 * height, 0.8],
    ] as const) {
      this.add_part(geometry, z, this.look_.colour, shade);
      if (this.look_.make === 'solid') this.add_behind(geometry, z);
      if (this.look_.make === 'outline') this.add_edges(geometry, z);
    }
  }

  private add_crawler(crawler: Float64Array): void {
    for (const { geometry, shade, flipper } of crawler_parts(crawler)) {
      if (flipper === null) {
        this.add_part(geometry, 0, this.look_.colour, shade);
        continue;
      }
      const frame = new THREE.Group();
      frame.matrixAutoUpdate = false;
      this.add_part(geometry, 0, this.look_.colour, shade, frame);
      this.flippers_.push(frame);
      this.group.add(frame);
    }
    const [length, height] = [crawler[kCrawler.length]!, crawler[kCrawler.height]!];
    this.add_part(arrow(0.3 * length), 0.5 * height + 0.062, '#ffffff');
  }

  private add_hoops(world: World, height: number): void {
    const shape = footprint(world, 1.14);
    shape.holes.push(footprint(world, 1.02));
    const hoop = extrude(shape, 0.025);
    for (const share of kHoops) this.add_part(hoop, share * height - this.rest_height_, this.look_.colour);
  }

  private add_part(
    geometry: THREE.BufferGeometry,
    z: number,
    colour: string,
    shade = 1,
    parent: THREE.Group = this.group,
  ): void {
    const opaque = this.look_.make === 'solid' || this.look_.make === 'hoops';
    const material = new THREE.MeshLambertMaterial({
      color: new THREE.Color(colour).multiplyScalar(shade),
      transparent: true,
      depthWrite: opaque,
      side: THREE.DoubleSide,
    });
    if (colour === '#ffffff') material.emissive.set(0x888888);
    const order = kOrder + (opaque ? 1 : 0);
    this.add(geometry, material, z, order, kOpacity[this.look_.make], parent);
  }

  // Drawn before the body, so that only the world can stand before it.
  private add_behind(geometry: THREE.BufferGeometry, z: number): void {
    const material = new THREE.MeshBasicMaterial({
      color: this.look_.colour,
      transparent: true,
      depthWrite: false,
      depthFunc: THREE.GreaterDepth,
    });
    this.add(geometry, material, z, kOrder - 1, kBehind);
  }

  private add_edges(geometry: THREE.BufferGeometry, z: number): void {
    const material = new THREE.LineBasicMaterial({ color: this.look_.colour, transparent: true, depthTest: false });
    const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 50), material);
    edges.position.z = z;
    edges.renderOrder = kOrder + 2;
    this.materials_.push({ material, opacity: 1 });
    this.group.add(edges);
  }

  private add_ring(radius: number): void {
    const material = new THREE.MeshBasicMaterial({
      color: this.look_.colour,
      transparent: true,
      depthTest: false,
      side: THREE.DoubleSide,
    });
    const [inner, outer] = [1.15 * radius, 1.34 * radius];
    const opacity = this.look_.make === 'outline' ? 1 : Math.min(1, 0.4 + 0.6 * kOpacity[this.look_.make]);
    const floor = 0.02 - this.rest_height_;
    const nose = new THREE.CircleGeometry(0.4 * radius, 3).translate(1.5 * radius, 0, 0);
    this.add(nose, material, floor, kOrder - 2, opacity);
    if (this.look_.make !== 'dashed') {
      this.add(new THREE.RingGeometry(inner, outer, 40), material, floor, kOrder - 2, opacity);
      return;
    }
    const step = (2 * Math.PI) / kDashes;
    for (let i = 0; i < kDashes; ++i) {
      this.add(new THREE.RingGeometry(inner, outer, 6, 1, i * step, 0.55 * step), material, floor, kOrder - 2, 0.95);
    }
  }

  private add(
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    z: number,
    order: number,
    opacity: number,
    parent: THREE.Group = this.group,
  ): void {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.z = z;
    mesh.renderOrder = order;
    this.materials_.push({ material, opacity });
    parent.add(mesh);
  }
}
