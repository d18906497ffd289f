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

// Near the goal bright, far away dark, with lines of equal cost every two metres.
export function paint_values(canvas: HTMLCanvasElement, world: World, values: Float32Array): void {
  let highest = 0;
  for (const value of values) if (Number.isFinite(value)) highest = Math.max(highest, value);
  paint_cells(canvas, world, (cell) => {
    const value = values[cell]!;
    if (!Number.isFinite(value) || world.plan.clearance[cell] === 0) return [0, 0, 0, 0];
    const share = Math.min(1, value / highest);
    const on_line = value % 2 < 0.12;
    return [250 - 190 * share, 215 - 160 * share, 120 + 40 * share, on_line ? 255 : 190];
  });
}
