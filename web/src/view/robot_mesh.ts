// A robot as it is drawn: its footprint as a body, with a head that shows where its front is.

import * as THREE from 'three';
import { kBody } from '../core/layout';
import type { World } from '../core/core';
import type { Pose } from '../link/protocol';

export interface Look {
  colour: string;
  opacity: number; // 1: solid
}

const kOrder = 10; // after everything that lies on the floor

function footprint(world: World): THREE.Shape {
  const { corners } = world;
  const shape = new THREE.Shape();
  if (corners.length < 6) {
    shape.absarc(0, 0, world.body[kBody.radius]!, 0, 2 * Math.PI, false);
    return shape;
  }
  shape.moveTo(corners[0]!, corners[1]!);
  for (let i = 2; i < corners.length; i += 2) shape.lineTo(corners[i]!, corners[i + 1]!);
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

export class RobotMesh {
  readonly group = new THREE.Group();
  private readonly materials_: { material: THREE.Material; opacity: number }[] = [];

  constructor(
    world: World,
    private readonly look_: Look,
  ) {
    const radius = world.body[kBody.radius]!;
    const height = Math.max(0.15, world.body[kBody.height]!);
    const shape = footprint(world);
    this.add_part(
      new THREE.ExtrudeGeometry(shape, { depth: 0.5 * height, bevelEnabled: false, curveSegments: 32 }),
      0.04,
      look_.colour,
    );
    const tower = new THREE.ExtrudeGeometry(shape, { depth: 0.46 * height, bevelEnabled: false, curveSegments: 32 });
    tower.scale(0.82, 0.82, 1);
    this.add_part(tower, 0.04 + 0.5 * height, look_.colour, 0.8);
    this.add_part(arrow(radius), 0.05 + 0.96 * height, '#ffffff', 1);
    // a ring on the floor that is seen through walls: where it is, even behind one
    this.add_ring(radius);
  }

  place(pose: Pose | null, presence = 1): void {
    this.group.visible = pose !== null && presence > 0.01;
    if (pose === null) return;
    this.group.position.set(pose.x, pose.y, 0);
    this.group.rotation.z = pose.heading;
    for (const { material, opacity } of this.materials_) material.opacity = opacity * presence;
  }

  private add_part(geometry: THREE.BufferGeometry, z: number, colour: string, shade = 1): void {
    const solid = this.look_.opacity >= 1;
    const material = new THREE.MeshLambertMaterial({
      color: new THREE.Color(colour).multiplyScalar(shade),
      transparent: true,
      depthWrite: solid,
      side: THREE.DoubleSide,
    });
    if (colour === '#ffffff') material.emissive.set(0x888888);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.z = z;
    mesh.renderOrder = kOrder + (solid ? 1 : 0);
    this.materials_.push({ material, opacity: this.look_.opacity });
    this.group.add(mesh);
  }

  private add_ring(radius: number): void {
    const opacity = Math.min(1, 0.35 + 0.6 * this.look_.opacity);
    const material = new THREE.MeshBasicMaterial({
      color: this.look_.colour,
      transparent: true,
      depthTest: false,
      side: THREE.DoubleSide,
    });
    const ring = new THREE.Mesh(new THREE.RingGeometry(1.15 * radius, 1.32 * radius, 40), material);
    ring.position.z = 0.02;
    ring.renderOrder = kOrder - 2;
    this.materials_.push({ material, opacity });
    this.group.add(ring);
  }
}
