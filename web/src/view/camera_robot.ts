// A tracked robot as a camera on it sees it: where the image shows it, its parts are those of the image, and what lies
// behind it is known to be hidden.

import * as THREE from 'three';
import type { Attitude, Flippers, Pose } from '../link/protocol';
import { crawler_parts, flipper_frame } from './crawler_shapes';

// How a robot stands: where, how it leans, and its flippers; null: level, stretched out.
export interface Stand {
  pose: Pose;
  attitude: Attitude | null;
  flippers: Flippers | null;
}

const kGrown = 1.08; // it hides a little more than itself: the model is not the robot to the millimetre

export function body_frame({ pose, attitude }: Stand): THREE.Matrix4 {
  const turn = new THREE.Euler(attitude?.roll ?? 0, attitude?.pitch ?? 0, pose.heading, 'ZYX');
  return new THREE.Matrix4().makeRotationFromEuler(turn).setPosition(pose.x, pose.y, attitude?.height ?? 0);
}

export class CameraRobot {
  readonly meshes: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>[] = [];
  private readonly flipper_of_: (number | null)[] = [];
  private then_: THREE.Matrix4[] = []; // each part's frame when the image was taken

  // `paint`: gives a material that asks the image where a part was then.
  constructor(
    private readonly crawler_: Float64Array,
    colour: THREE.Color,
    paint: () => THREE.ShaderMaterial,
  ) {
    for (const { geometry, shade, flipper } of crawler_parts(crawler_)) {
      const mesh = new THREE.Mesh(with_colour(geometry, colour.clone().multiplyScalar(shade)), paint());
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.meshes.push(mesh);
      this.flipper_of_.push(flipper);
    }
  }

  // As the image shows it.
  stand_then(body: THREE.Matrix4, flippers: Flippers | null): void {
    this.then_ = this.frames(body, flippers);
    const grown = new THREE.Matrix4().makeScale(kGrown, kGrown, kGrown);
    this.meshes.forEach((mesh, i) => mesh.matrix.multiplyMatrices(this.then_[i]!, grown));
  }

  stand_now(body: THREE.Matrix4, flippers: Flippers | null): void {
    const frames = this.frames(body, flippers);
    this.meshes.forEach((mesh, i) => {
      mesh.matrix.copy(frames[i]!);
      const then = mesh.material.uniforms.then!.value as THREE.Matrix4;
      then.copy(frames[i]!).invert().premultiply(this.then_[i] ?? frames[i]!);
    });
  }

  private frames(body: THREE.Matrix4, flippers: Flippers | null): THREE.Matrix4[] {
    return this.flipper_of_.map((flipper) =>
      flipper === null ? body.clone() : flipper_frame(this.crawler_, flipper, flippers?.[flipper] ?? 0).premultiply(body),
    );
  }
}

export function with_colour(geometry: THREE.BufferGeometry, { r, g, b }: THREE.Color): THREE.BufferGeometry {
  const n = geometry.getAttribute('position').count;
  const colours = new Float32Array(Array.from({ length: n }, () => [r, g, b]).flat());
  return geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
}
