// A mission in the 3D view: its way on the floor, waypoints, and the phantom that drives it.

import * as THREE from 'three';
import type { World } from '../core/core';
import { kColours } from './colours';
import { make_wanted, Ribbon } from './floor_marks';
import type { MissionPicture } from './mission_picture';
import { RobotMesh } from './robot_mesh';
import { dispose } from './world_mesh';

const kMaxPoints = 4000;
const kApart = 0.06; // [m] between two points that are drawn
const kMaxWaypoints = 60;

// Points further apart, so that a long way fits; ways that do not hang together become one with jumps left out.
function thin_out(ways: readonly Float32Array[]): Float32Array {
  const kept: number[] = [];
  let [last_x, last_y] = [NaN, NaN];
  for (const way of ways) {
    for (let i = 0; i < way.length; i += 2) {
      const [x, y] = [way[i]!, way[i + 1]!];
      if (Math.hypot(x - last_x, y - last_y) < kApart) continue;
      kept.push(x, y);
      [last_x, last_y] = [x, y];
    }
  }
  return Float32Array.from(kept);
}

// All of one shape, which they share.
function make_rings(n: number): THREE.Object3D[] {
  const first = make_wanted(kColours.phantom);
  return Array.from({ length: n }, (_, i) => (i === 0 ? first : first.clone()));
}

export class MissionScene {
  readonly group = new THREE.Group();
  private readonly tried_ = new Ribbon(kMaxPoints, 0.05, kColours.phantom, 0.35, 5);
  private readonly left_ = new Ribbon(kMaxPoints, 0.09, kColours.phantom, 0.9, 6);
  private readonly rings_ = make_rings(kMaxWaypoints);
  private phantom_: RobotMesh | null = null;
  private drawn_: Pick<MissionPicture, 'tried' | 'path'> | null = null; // tells one still picture from the next

  constructor() {
    this.group.add(this.tried_.mesh, this.left_.mesh, ...this.rings_);
    this.group.visible = false;
  }

  load(world: World): void {
    if (this.phantom_ !== null) {
      this.group.remove(this.phantom_.group);
      dispose(this.phantom_.group);
    }
    this.phantom_ = new RobotMesh(world, { colour: kColours.phantom, make: 'ghost' });
    this.group.add(this.phantom_.group);
  }

  // `with_phantom`: not where one looks with its eyes.
  draw(mission: MissionPicture | null, with_phantom: boolean): void {
    this.group.visible = mission !== null;
    if (mission === null) return;
    this.phantom_?.place(with_phantom ? mission.phantom : null);
    const { tried, path } = mission;
    if (tried === this.drawn_?.tried && path === this.drawn_.path) return;
    this.drawn_ = { tried, path };
    this.tried_.set(thin_out([tried]), 2);
    this.left_.set(thin_out(path === null ? mission.left : [path]), 2);
    this.rings_.forEach((ring, i) => {
      const waypoint = mission.waypoints[i];
      ring.visible = waypoint !== undefined;
      if (waypoint !== undefined) ring.position.set(waypoint.x, waypoint.y, ring.position.z);
    });
  }
}
