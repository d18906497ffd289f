// A tracked robot's parts as bodies. Belts around wheels: seen from the side they are outlines around two circles.

import * as THREE from 'three';
import { kCrawler } from '../core/layout';

// Around circles at x = 0 and x = length, in the plane of x and z, `wide` along y; its middle at y = 0.
export function flipper_shape(length: number, radius: number, tip_radius: number, wide: number): THREE.BufferGeometry {
  const ahead = Math.sign(length) || 1;
  // where a common tangent touches, measured from the upright
  const lean = Math.asin(Math.max(-1, Math.min(1, (radius - tip_radius) / Math.abs(length))));
  const shape = new THREE.Shape();
  const arc = (x: number, r: number, from: number, to: number): void => {
    const steps = 12;
    for (let i = 0; i <= steps; ++i) {
      const angle = from + ((to - from) * i) / steps;
      const [at_x, at_z] = [x + ahead * r * Math.cos(angle), r * Math.sin(angle)];
      if (shape.curves.length === 0 && i === 0 && x === 0) shape.moveTo(at_x, at_z);
      else shape.lineTo(at_x, at_z);
    }
  };
  arc(0, radius, Math.PI / 2 - lean, (3 * Math.PI) / 2 + lean);
  arc(length, tip_radius, -Math.PI / 2 + lean, Math.PI / 2 - lean);
  shape.closePath();
  const body = new THREE.ExtrudeGeometry(shape, { depth: wide, bevelEnabled: false });
  // its z was along the extrusion: lay it down
  return body.translate(0, 0, -wide / 2).rotateX(Math.PI / 2);
}

// Its middle in the middle of the belt.
export const track_shape = (length: number, radius: number, wide: number): THREE.BufferGeometry =>
  flipper_shape(length, radius, radius, wide).translate(-length / 2, 0, 0);

export interface CrawlerPart {
  geometry: THREE.BufferGeometry; // in the robot's frame; of a flipper: about its hinge, stretched away
  shade: number; // of the robot's colour
  flipper: number | null; // which, in the order of Flippers; null: it does not move
}

// The frame lies between the axles of the tracks.
export function crawler_parts(crawler: Float64Array): CrawlerPart[] {
  const number = (name: keyof typeof kCrawler): number => crawler[kCrawler[name]]!;
  const belly = new THREE.BoxGeometry(number('length') * 0.86, 2 * number('track_offset') - 0.06, number('height') * 0.8);
  const deck = new THREE.BoxGeometry(number('length') * 0.5, number('width') * 0.5, 0.05);
  const parts: CrawlerPart[] = [
    { geometry: belly.translate(0, 0, 0.02), shade: 1, flipper: null },
    { geometry: deck.translate(-0.02, 0, 0.5 * number('height') + 0.03), shade: 0.8, flipper: null },
  ];
  for (const side of [1, -1]) {
    const track = track_shape(number('track_length'), number('track_radius'), 0.08);
    parts.push({ geometry: track.translate(0, side * number('track_offset'), 0), shade: 0.55, flipper: null });
  }
  for (const [flipper, ahead] of [1, 1, -1, -1].entries()) {
    const length = ahead * number('flipper_length');
    const geometry = flipper_shape(length, number('hinge_radius'), number('tip_radius'), 0.05);
    parts.push({ geometry, shade: 0.72, flipper });
  }
  return parts;
}

// From a flipper's own frame, about its hinge, to the robot's. Front ones lift against the y axis and rear ones with it.
export function flipper_frame(crawler: Float64Array, flipper: number, angle: number): THREE.Matrix4 {
  const [ahead, side] = [flipper < 2 ? 1 : -1, flipper % 2 === 0 ? 1 : -1];
  const turn = new THREE.Matrix4().makeRotationY(-ahead * angle);
  return turn.setPosition(ahead * crawler[kCrawler.hinge_x]!, side * crawler[kCrawler.hinge_y]!, 0);
}
