// The world's triangles and doors as three.js meshes, coloured by material.

import * as THREE from 'three';
import { kDoor } from '../core/layout';
import type { World } from '../core/core';

const kTriangle = 10;
const kGlassOpacity = 0.28;
const kEdgeAngle_deg = 30;
const kSectionColour = '#4a505a';

function material_colour(world: World, index: number): THREE.Color {
  const [red, green, blue] = world.materials.subarray(3 * index, 3 * index + 3) as unknown as number[];
  return new THREE.Color().setRGB(red ?? 0.5, green ?? 0.5, blue ?? 0.5, THREE.LinearSRGBColorSpace);
}

export function geometry_of(world: World, wanted: (material: number) => boolean): THREE.BufferGeometry {
  const { triangles } = world;
  const positions: number[] = [];
  const colours: number[] = [];
  for (let at = 0; at < triangles.length; at += kTriangle) {
    const material = triangles[at + 9]!;
    if (!wanted(material)) continue;
    const { r, g, b } = material_colour(world, material);
    for (let i = 0; i < 9; ++i) positions.push(triangles[at + i]!);
    for (let i = 0; i < 3; ++i) colours.push(r, g, b);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// The leaves of all doors, as they stand in the model.
export function door_geometries(world: World): { geometry: THREE.BufferGeometry; colour: THREE.Color }[] {
  const leaves = [];
  for (let at = 0; at < world.doors.length; at += kDoor.size) {
    const number = (field: keyof typeof kDoor): number => world.doors[at + kDoor[field]]!;
    const geometry = new THREE.BoxGeometry(number('width'), number('thickness'), number('height'));
    geometry.translate(number('width') / 2, 0, number('height') / 2);
    geometry.rotateZ(number(number('open') === 1 ? 'open_angle' : 'closed_angle'));
    geometry.translate(number('x'), number('y'), 0);
    leaves.push({ geometry, colour: material_colour(world, number('material')) });
  }
  return leaves;
}

function make_doors(world: World, clippingPlanes: THREE.Plane[]): THREE.Mesh[] {
  return door_geometries(world).map(({ geometry, colour }) => {
    const material = new THREE.MeshLambertMaterial({ color: colour, side: THREE.DoubleSide, clippingPlanes });
    return new THREE.Mesh(geometry, material);
  });
}

// `cut`: what is above it is not drawn, so that walls do not hide the robot. Where a wall is cut, its inside shows in
// one plain colour and looks like a section in a drawing. `doors`: their leaves, in the world's order.
export function make_world(world: World, cut: THREE.Plane): { group: THREE.Group; doors: THREE.Mesh[] } {
  const group = new THREE.Group();
  const clippingPlanes = [cut];
  const is_glass = (index: number): boolean => /glass/i.test(world.material_names[index] ?? '');
  const solid = geometry_of(world, (material) => !is_glass(material));
  group.add(new THREE.Mesh(solid, new THREE.MeshLambertMaterial({ vertexColors: true, clippingPlanes })));
  group.add(
    new THREE.Mesh(solid, new THREE.MeshBasicMaterial({ color: kSectionColour, side: THREE.BackSide, clippingPlanes })),
  );

  const glass = new THREE.Mesh(
    geometry_of(world, is_glass),
    new THREE.MeshLambertMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      transparent: true,
      opacity: kGlassOpacity,
      depthWrite: false,
      clippingPlanes,
    }),
  );
  glass.renderOrder = 1;
  group.add(glass);

  const edges = new THREE.LineSegments(
    new THREE.EdgesGeometry(solid, kEdgeAngle_deg),
    new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22, clippingPlanes }),
  );
  edges.renderOrder = 1;
  const doors = make_doors(world, clippingPlanes);
  group.add(edges, ...doors);
  return { group, doors };
}

export function dispose(object: THREE.Object3D): void {
  object.traverse((part) => {
    if (!(part instanceof THREE.Mesh || part instanceof THREE.Line)) return;
    part.geometry.dispose();
    for (const material of [part.material].flat()) material.dispose();
  });
}
