// What robots see in the 3D view that is not in the model: low blocks, doors as they stand now, and upright figures that
// move as they are expected to and fade. All translucent and of one colour, so that nobody takes them for the model.

import * as THREE from 'three';
import { kDoor, kSeen, kThing } from '../core/layout';
import type { Observer } from '../state/seen';
import { kColours } from './colours';
import { floor_material } from './floor_marks';

const kBoxHeight = 0.5; // [m]; lasers do not see how high anything is
const kPersonHeight = 1.7; // [m]
const kHead = 0.12; // radius [m]
const kOpacity = 0.6;
const kFloorOpacity = 0.3; // of where it stands, seen through walls
const kFloor = 0.025; // above the floor [m]
const kOrder = 4; // after regions and ways, before robots

const solid = (clippingPlanes: THREE.Plane[]): THREE.MeshLambertMaterial =>
  new THREE.MeshLambertMaterial({
    color: kColours.seen,
    emissive: kColours.seen,
    emissiveIntensity: 0.45,
    transparent: true,
    opacity: kOpacity,
    depthWrite: false,
    clippingPlanes,
  });

function on_floor(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.position.z = kFloor;
  mesh.renderOrder = kOrder;
  return mesh;
}

// As many as there ever were at a time; those that are not needed are hidden.
class Pool<T extends { group: THREE.Object3D }> {
  private readonly all_: T[] = [];
  private used_ = 0;

  constructor(
    private readonly parent_: THREE.Object3D,
    private readonly make_: () => T,
  ) {}

  begin(): void {
    this.used_ = 0;
  }
  next(): T {
    let one = this.all_[this.used_];
    if (one === undefined) {
      one = this.make_();
      this.all_.push(one);
      this.parent_.add(one.group);
    }
    ++this.used_;
    one.group.visible = true;
    return one;
  }
  end(): void {
    for (let i = this.used_; i < this.all_.length; ++i) this.all_[i]!.group.visible = false;
  }
}

// A box of 1 m each way that is stretched to what stands there.
class Block {
  readonly group = new THREE.Group();
  private static readonly kShape = new THREE.BoxGeometry(1, 1, 1).translate(0, 0, 0.5);
  private static readonly kEdges = new THREE.EdgesGeometry(Block.kShape);
  private static readonly kBase = new THREE.PlaneGeometry(1, 1);

  constructor({ sides, lines, floor }: Record<'sides' | 'lines' | 'floor', THREE.Material>) {
    const body = new THREE.Mesh(Block.kShape, sides);
    const edges = new THREE.LineSegments(Block.kEdges, lines);
    for (const part of [body, edges]) part.renderOrder = kOrder + 1;
    this.group.add(body, edges, on_floor(Block.kBase, floor));
  }

  set(things: Float64Array, at: number, height: number): void {
    this.group.position.set(things[at + kSeen.x]!, things[at + kSeen.y]!, 0);
    this.group.rotation.z = things[at + kSeen.heading]!;
    const [length, width] = [2 * things[at + kSeen.half_length]!, 2 * things[at + kSeen.half_width]!];
    this.group.scale.set(Math.max(0.02, length), Math.max(0.02, width), height);
  }
}

class Figure {
  readonly group = new THREE.Group();
  private static readonly kBody = new THREE.CylinderGeometry(0.55, 1, kPersonHeight - 2.2 * kHead, 20)
    .rotateX(Math.PI / 2)
    .translate(0, 0, (kPersonHeight - 2.2 * kHead) / 2);
  private static readonly kHeadShape = new THREE.SphereGeometry(kHead, 16, 12).translate(0, 0, kPersonHeight - kHead);
  private static readonly kRing = new THREE.RingGeometry(0.85, 1, 32);
  private static readonly kDisc = new THREE.CircleGeometry(1, 32);
  private readonly body_material_ = solid([]);
  private readonly disc_material_ = floor_material(kColours.seen, kFloorOpacity);
  private readonly ring_material_ = floor_material(kColours.seen, 1);
  private readonly body_ = new THREE.Mesh(Figure.kBody, this.body_material_);
  private readonly disc_ = on_floor(Figure.kDisc, this.disc_material_);
  private readonly ring_ = on_floor(Figure.kRing, this.ring_material_);

  constructor() {
    const head = new THREE.Mesh(Figure.kHeadShape, this.body_material_);
    this.body_.renderOrder = head.renderOrder = kOrder + 1;
    this.group.add(this.body_, head, this.disc_, this.ring_);
  }

  set(things: Float64Array, at: number): void {
    const radius = Math.max(0.1, things[at + kSeen.half_length]!);
    const trust = things[at + kSeen.trust]!;
    this.group.position.set(things[at + kSeen.x]!, things[at + kSeen.y]!, 0);
    for (const part of [this.body_, this.disc_, this.ring_]) part.scale.set(radius, radius, 1);
    this.body_material_.opacity = kOpacity * trust;
    this.disc_material_.opacity = kFloorOpacity * trust;
    this.ring_material_.opacity = trust;
  }
}

export class SeenScene {
  readonly group = new THREE.Group();
  private readonly blocks_: Pool<Block>;
  private readonly figures_ = new Pool(this.group, () => new Figure());

  // `cut`: doors are cut where walls are.
  constructor(cut: THREE.Plane) {
    const lines = new THREE.LineBasicMaterial({ color: kColours.seen, clippingPlanes: [cut] });
    const materials = { sides: solid([cut]), lines, floor: floor_material(kColours.seen, kFloorOpacity) };
    this.blocks_ = new Pool(this.group, () => new Block(materials));
  }

  // `doors`: kDoor each.
  draw(robots: readonly Observer[], doors: Float64Array): void {
    this.blocks_.begin();
    this.figures_.begin();
    for (const { moment } of robots) {
      if (moment.seen === null) continue;
      const { standing, moving } = moment.seen;
      for (let at = 0; at < standing.length; at += kSeen.size) {
        const is_door = standing[at + kSeen.kind] === kThing.door;
        const height = is_door ? doors[standing[at + kSeen.door]! * kDoor.size + kDoor.height]! : kBoxHeight;
        this.blocks_.next().set(standing, at, height);
      }
      for (let at = 0; at < moving.length; at += kSeen.size) this.figures_.next().set(moving, at);
    }
    this.blocks_.end();
    this.figures_.end();
  }
}
