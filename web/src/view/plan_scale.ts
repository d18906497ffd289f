// Which part of the world the plan shows, and how large: all of it, or as far as somebody has zoomed in.

import type { Point } from '../link/protocol';
import type { Size } from './canvas';

export interface Box {
  low_x: number;
  low_y: number;
  width: number; // [m]
  height: number;
}

export interface Scale {
  per_metre: number; // pixels
  left: number; // of world x = 0
  top: number; // of world y = 0
}

export interface Zoom {
  factor: number; // 1: the whole world
  middle: Point; // the place in the middle of the plan
}

const kMargin = 8; // [px]
export const kMaxFactor = 12;

const limit = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

export function whole(box: Box): Zoom {
  return { factor: 1, middle: { x: box.low_x + box.width / 2, y: box.low_y + box.height / 2 } };
}

export function scale_of(box: Box, size: Size, zoom: Zoom): Scale {
  const fitting = Math.min((size.width - 2 * kMargin) / box.width, (size.height - 2 * kMargin) / box.height);
  const per_metre = Math.max(1e-3, fitting) * zoom.factor;
  return {
    per_metre,
    left: size.width / 2 - per_metre * zoom.middle.x,
    top: size.height / 2 + per_metre * zoom.middle.y,
  };
}

export const world_at = ({ per_metre, left, top }: Scale, at: Point): Point => ({
  x: (at.x - left) / per_metre,
  y: (top - at.y) / per_metre,
});

// The world never leaves the plan: where less is seen than there is, what is seen lies within it.
function keep_inside(box: Box, size: Size, zoom: Zoom): Zoom {
  const { per_metre } = scale_of(box, size, zoom);
  const along = (middle: number, low: number, length: number, seen: number): number =>
    seen >= length ? low + length / 2 : limit(middle, low + seen / 2, low + length - seen / 2);
  return {
    factor: zoom.factor,
    middle: {
      x: along(zoom.middle.x, box.low_x, box.width, (size.width - 2 * kMargin) / per_metre),
      y: along(zoom.middle.y, box.low_y, box.height, (size.height - 2 * kMargin) / per_metre),
    },
  };
}

// Closer by this factor; the place under `at` stays where it is.
export function zoom_by(box: Box, size: Size, zoom: Zoom, by: number, at: Point): Zoom {
  const factor = limit(zoom.factor * by, 1, kMaxFactor);
  const place = world_at(scale_of(box, size, zoom), at);
  const { per_metre } = scale_of(box, size, { ...zoom, factor });
  const middle = {
    x: place.x - (at.x - size.width / 2) / per_metre,
    y: place.y + (at.y - size.height / 2) / per_metre,
  };
  return keep_inside(box, size, { factor, middle });
}

// Moved by so many pixels.
export function pan_by(box: Box, size: Size, zoom: Zoom, dx: number, dy: number): Zoom {
  const { per_metre } = scale_of(box, size, zoom);
  const middle = { x: zoom.middle.x - dx / per_metre, y: zoom.middle.y + dy / per_metre };
  return keep_inside(box, size, { factor: zoom.factor, middle });
}

// The longest round length that is no longer than so many pixels [m].
export function bar_length(per_metre: number, longest_px: number): number {
  const longest = longest_px / per_metre;
  const power = 10 ** Math.floor(Math.log10(longest));
  return [5, 2, 1].map((step) => step * power).find((length) => length <= longest) ?? power;
}
