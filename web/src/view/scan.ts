// What the robot's lasers saw at its last report, as short arcs round it.

import type { Pose } from '../link/protocol';

export const kArcPoints = 3; // of each sector's arc

// x y of each arc's points, one arc after the other; none where there was no echo.
export function arcs_of({ x, y, heading }: Pose, scan: Float64Array): Float64Array {
  const sector = (2 * Math.PI) / scan.length;
  const points: number[] = [];
  scan.forEach((range, i) => {
    if (!Number.isFinite(range)) return;
    for (let k = 0; k < kArcPoints; ++k) {
      const angle = heading + (i + k / (kArcPoints - 1)) * sector;
      points.push(x + range * Math.cos(angle), y + range * Math.sin(angle));
    }
  });
  return Float64Array.from(points);
}
