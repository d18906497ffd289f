// The value function as a picture on the floor of the 3D view.

import * as THREE from 'three';
import type { World } from '../core/core';
import { values_image } from './plan_image';

const kHeight = 0.015; // above the floor [m]

export class ValueFloor {
  readonly mesh: THREE.Mesh;
  private readonly material_ = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.8, depthWrite: false });
  private world_: World | null = null;
  private values_: Float32Array | null = null;

  constructor() {
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), this.material_);
    this.mesh.renderOrder = 1;
    this.mesh.visible = false;
  }

  draw(world: World, values: Float32Array | null): void {
    this.mesh.visible = values !== null;
    if (values === null || (values === this.values_ && world === this.world_)) return;
    this.values_ = values;
    this.world_ = world;
    const { low_x, low_y, width, height, cell } = world.plan;
    this.mesh.position.set(low_x + (width * cell) / 2, low_y + (height * cell) / 2, kHeight);
    this.mesh.scale.set(width * cell, height * cell, 1);
    this.material_.map?.dispose();
    this.material_.map = new THREE.CanvasTexture(values_image(world, values));
    this.material_.map.colorSpace = THREE.SRGBColorSpace;
    this.material_.needsUpdate = true;
  }
}
