// Belts around wheels, as bodies: seen from the side they are outlines around two circles.

import * as THREE from 'three';

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
