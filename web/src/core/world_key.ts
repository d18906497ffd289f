// A short name for what a world looks like: two sites may have one name, and robots of two makes one site.

import type { World } from './core';

const kOffsets = [0x811c9dc5, 0x9747b28c]; // two of them: 32 bits alone would be few
const kPrime = 0x01000193; // FNV-1a, a number of 32 bits at a time

function mix(hash: number, numbers: Float64Array): number {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  let mixed = Math.imul(hash ^ words.length, kPrime);
  for (const word of words) {
    mixed = Math.imul(mixed ^ word, kPrime);
    mixed ^= mixed >>> 15; // upper bits must reach the lower ones
  }
  return mixed;
}

// Of the world alone: the plan's clearance and the body are the robot's.
export function world_key({ triangles, materials, doors }: Pick<World, 'triangles' | 'materials' | 'doors'>): string {
  return kOffsets
    .map((offset) => [triangles, materials, doors].reduce(mix, offset) >>> 0)
    .map((hash) => hash.toString(16).padStart(8, '0'))
    .join('');
}
