// The live scan in the 3D view: arcs a little above the floor, seen through walls.

import * as THREE from 'three';
import type { Pose } from '../link/protocol';
import { surface_colours } from './colours';
import { arcs_of, kArcPoints } from './scan';

const kHeight = 0.4; // about where lasers look [m]
const kMostSectors = 56;

export class ScanArcs {
  readonly lines: THREE.LineSegments;
  private readonly positions_ = new Float32Array(6 * (kArcPoints - 1) * kMostSectors);
  private drawn_: Float64Array | null = null;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions_, 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ depthTest: false, transparent: true }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 7;
  }

  // A scan is that of one report, so of one pose.
  draw(pose: Pose | null, scan: Float64Array | null): void {
    this.lines.visible = pose !== null && scan !== null;
    if (pose === null || scan === null || scan === this.drawn_) return;
    this.drawn_ = scan;
    (this.lines.material as THREE.LineBasicMaterial).color.set(surface_colours().scan);
    const points = arcs_of(pose, scan);
    let at = 0;
    for (let i = 0; i + 3 < points.length && at < this.positions_.length; i += 2) {
      if ((i / 2) % kArcPoints === kArcPoints - 1) continue; // the next one begins another arc
      this.positions_.set([points[i]!, points[i + 1]!, kHeight, points[i + 2]!, points[i + 3]!, kHeight], at);
      at += 6;
    }
    this.lines.geometry.setDrawRange(0, at / 3);
    this.lines.geometry.attributes.position!.needsUpdate = true;
  }
}
