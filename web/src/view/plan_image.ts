// The world and the value function as pictures from above, a pixel each cell.

import type { World } from '../core/core';
import { surface_colours } from './colours';

function paint_cells(
  canvas: HTMLCanvasElement,
  { plan }: World,
  colour_of: (cell: number) => [number, number, number, number],
): void {
  canvas.width = plan.width;
  canvas.height = plan.height;
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(plan.width, plan.height);
  for (let y = 0; y < plan.height; ++y) {
    for (let x = 0; x < plan.width; ++x) {
      image.data.set(colour_of(y * plan.width + x), 4 * ((plan.height - 1 - y) * plan.width + x));
    }
  }
  context.putImageData(image, 0, 0);
}

const rgb_of = (hex: string): [number, number, number] =>
  [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];

// Floor and what stands on it; what is closed in on all sides by obstacles, or outside, is left out.
export function paint_world(canvas: HTMLCanvasElement, world: World): void {
  const colours = surface_colours();
  const floor = rgb_of(colours.floor);
  const wall = rgb_of(colours.wall);
  const { clearance, width } = world.plan;
  const near_floor = (cell: number): boolean => {
    for (const step of [1, 2, 3]) {
      for (const to of [cell - step, cell + step, cell - step * width, cell + step * width]) {
        if ((clearance[to] ?? 0) > 0) return true;
      }
    }
    return false;
  };
  paint_cells(canvas, world, (cell) => {
    if (clearance[cell]! > 0) return [...floor, 255];
    return [...wall, near_floor(cell) ? 255 : 0];
  });
}

// From near the goal to far away: even steps for the eye, in light and in dark, and for those who see few colours.
export const kValueColours: readonly [number, number, number][] = [
  [253, 231, 140],
  [157, 211, 130],
  [63, 168, 148],
  [52, 118, 158],
  [66, 68, 134],
  [60, 24, 82],
];
const kLineEvery = 2; // lines of equal cost [m]

function colour_of_share(share: number): [number, number, number] {
  const at = Math.min(1, share) * (kValueColours.length - 1);
  const from = kValueColours[Math.floor(at)]!;
  const to = kValueColours[Math.ceil(at)]!;
  return [0, 1, 2].map((i) => from[i]! + (at % 1) * (to[i]! - from[i]!)) as [number, number, number];
}

export function highest_value(values: Float32Array): number {
  let highest = 0;
  for (const value of values) if (Number.isFinite(value) && value > highest) highest = value;
  return highest;
}

function paint_values(canvas: HTMLCanvasElement, world: World, values: Float32Array): void {
  const highest = highest_value(values);
  paint_cells(canvas, world, (cell) => {
    const value = values[cell]!;
    if (!Number.isFinite(value) || world.plan.clearance[cell] === 0) return [0, 0, 0, 0];
    const [red, green, blue] = colour_of_share(value / highest);
    const shade = value % kLineEvery < 0.12 ? 0.8 : 1;
    return [shade * red, shade * green, shade * blue, 235];
  });
}

const painted = { canvas: null as HTMLCanvasElement | null, values: null as Float32Array | null };

// The same picture for all views, painted once for each goal.
export function values_image(world: World, values: Float32Array): HTMLCanvasElement {
  const canvas = (painted.canvas ??= document.createElement('canvas'));
  if (painted.values !== values) {
    painted.values = values;
    paint_values(canvas, world, values);
  }
  return canvas;
}
