// Lines of few points, to be drawn as bands.

const kFewPoints = 0.3; // [m] points farther apart than this make corners
const kCorner = 0.03; // [m]

// The same line with a point right after each corner, so that a band along few points keeps its width round them.
export function with_corners(points: ArrayLike<number>): number[] {
  const result: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const x = points[at]!;
    const y = points[at + 1]!;
    result.push(x, y);
    if (at === 0 || at + 3 >= points.length) continue;
    const dx = points[at + 2]! - x;
    const dy = points[at + 3]! - y;
    const length = Math.hypot(dx, dy);
    if (length > kFewPoints) result.push(x + (kCorner * dx) / length, y + (kCorner * dy) / length);
  }
  return result;
}
