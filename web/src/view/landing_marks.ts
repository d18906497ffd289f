// Where the robot will be when the newest command lands: a bright outline, its way from here, and a ring where it comes to
// rest after letting go; red where that meets something.

import * as THREE from 'three';
import { kBody } from '../core/layout';
import type { World } from '../core/core';
import type { Landing } from '../state/session';
import { kColours } from './colours';
import { make_wanted, place_mark, Ribbon } from './floor_marks';
import { RobotMesh } from './robot_mesh';
import { dispose } from './world_mesh';

const kMostPlaces = 100;

export class LandingMarks {
  readonly group = new THREE.Group();
  private readonly way_ = new Ribbon(kMostPlaces, 0.07, kColours.landing, 0.95, 7);
  private readonly rest_ = make_wanted(kColours.landing);
  private robot_: RobotMesh | null = null;
  private drawn_: Landing | null = null;
  private colour_ = '';

  constructor() {
    this.group.add(this.way_.mesh, this.rest_);
    this.group.visible = false;
  }

  load(world: World): void {
    if (this.robot_ !== null) {
      this.group.remove(this.robot_.group);
      dispose(this.robot_.group);
    }
    this.robot_ = new RobotMesh(world, { colour: kColours.landing, make: 'outline' });
    this.group.add(this.robot_.group);
    this.rest_.scale.setScalar(world.body[kBody.radius]! / 0.25);
    this.colour_ = '';
    this.drawn_ = null;
  }

  draw(landing: Landing | null): void {
    this.group.visible = landing !== null && this.robot_ !== null;
    if (landing === null || landing === this.drawn_) return;
    this.drawn_ = landing;
    this.paint(landing.contact === null ? kColours.landing : kColours.contact);
    this.way_.set(landing.way, 3);
    this.robot_?.place(landing.pose);
    place_mark(this.rest_, landing.contact ?? landing.rest);
  }

  private paint(colour: string): void {
    if (colour === this.colour_) return;
    this.colour_ = colour;
    const parts = [this.way_.mesh, ...(this.rest_.children as THREE.Mesh[])];
    for (const { material } of parts) (material as THREE.MeshBasicMaterial).color.set(colour);
    this.robot_?.paint(colour);
  }
}
