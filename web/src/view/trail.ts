// Where the robot has been in the last minute, as a line on the floor.

import * as THREE from 'three';
import type { Point } from '../link/protocol';
import type { Picture } from './picture';

const kTrail_s = 60;
const kMaxPoints = 620;
const kEvery_s = 0.2; // it need not be redrawn more often
const kHeight = 0.03; // above the floor [m]
const kJump = 0.5; // [m] a longer step is no way that was driven

export class Trail {
  readonly line: THREE.LineSegments;
  private readonly positions_ = new Float32Array(6 * kMaxPoints);
  private drawn_s_ = -Infinity;

  constructor(
    private readonly name_: 'predicted' | 'truth',
    colour: string,
  ) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions_, 3));
    this.line = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75, depthTest: false }),
    );
    this.line.frustumCulled = false;
    this.line.renderOrder = 3;
  }

  draw({ history, time_s, layers }: Picture): void {
    this.line.visible = layers.trails && history !== null;
    if (history === null || Math.abs(time_s - this.drawn_s_) < kEvery_s) return;
    this.drawn_s_ = time_s;
    const end = history.find(time_s);
    let count = 0;
    let last = null;
    for (let i = Math.max(history.first, history.find(time_s - kTrail_s)); i <= end && count < kMaxPoints; ++i) {
      const pose = history.pose(i, this.name_);
      if (pose !== null && last !== null && Math.hypot(pose.x - last.x, pose.y - last.y) < kJump) {
        this.put(count++, last, pose);
      }
      last = pose;
    }
    this.line.geometry.setDrawRange(0, 2 * count);
    this.line.geometry.attributes.position!.needsUpdate = true;
  }

  private put(index: number, from: Point, to: Point): void {
    const positions = this.positions_;
    positions[6 * index] = from.x;
    positions[6 * index + 1] = from.y;
    positions[6 * index + 2] = kHeight;
    positions[6 * index + 3] = to.x;
    positions[6 * index + 4] = to.y;
    positions[6 * index + 5] = kHeight;
  }
}
