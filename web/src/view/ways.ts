// The way ahead and the planned path on the floor: the most prominent thing of the picture, from near and from far.

import type * as THREE from 'three';
import { kColours } from './colours';
import { with_corners } from './corners';
import { Beads, Ribbon } from './floor_marks';
import type { Picture } from './picture';

const kMaxAhead = 64;
const kMaxPath = 1500;
const kBeadEvery = 8; // points of the way ahead, 0.25 s each: a dot for every 2 s
const kWidestWithBeads = 0.2; // [m] from further away the dots would run together
const kStep = 1.2; // widths change in steps of this factor, not with every move of the camera

// As wide as said, but at least so many pixels.
function width_for(width: number, pixels: number, metres_per_pixel: number): number {
  const least = pixels * metres_per_pixel;
  return least <= width ? width : width * kStep ** Math.ceil(Math.log(least / width) / Math.log(kStep));
}

export class Ways {
  readonly meshes: THREE.Mesh[];
  private readonly line_ = new Ribbon(kMaxAhead, 0.08, kColours.ahead, 1, 6);
  private readonly path_ = new Ribbon(kMaxPath, 0.05, kColours.goal, 0.8, 5);
  private readonly beads_ = new Beads(kMaxAhead, '#ffffff', 7);
  private readonly swath_ = new Ribbon(kMaxAhead, 0.5, kColours.ahead, 0.36, 4);
  private ahead_: ArrayLike<number> | null = null;
  private points_: ArrayLike<number> | null = null;

  constructor() {
    this.meshes = [this.swath_.mesh, this.path_.mesh, this.line_.mesh, this.beads_.mesh];
  }

  // How wide the robot is.
  set_robot_width(width: number): void {
    this.swath_.width = width;
    this.ahead_ = null;
  }

  hide(): void {
    for (const mesh of this.meshes) mesh.visible = false;
  }

  draw({ ahead, ahead_stride, path, layers }: Picture, metres_per_pixel: number): void {
    const line = width_for(0.08, 4, metres_per_pixel);
    const thin = width_for(0.05, 2.5, metres_per_pixel);
    if (ahead !== this.ahead_ || line !== this.line_.width) {
      this.ahead_ = ahead;
      this.line_.width = line;
      this.line_.set(ahead, ahead_stride);
      this.swath_.set(ahead, ahead_stride);
      this.beads_.set(ahead, ahead_stride, ahead_stride === 3 ? kBeadEvery : kBeadEvery / 2, 1.15 * line);
    }
    if (path !== this.points_ || thin !== this.path_.width) {
      this.points_ = path;
      this.path_.width = thin;
      this.path_.set(with_corners(path), 2);
    }
    const drawn = layers.ahead && ahead.length >= 2 * ahead_stride;
    for (const { mesh } of [this.line_, this.swath_]) mesh.visible = drawn;
    this.beads_.mesh.visible = drawn && line < kWidestWithBeads;
    this.path_.mesh.visible = layers.ahead && path.length >= 4;
  }
}
