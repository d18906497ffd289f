// Where a robot has told that the world is not as its model says, as it is expected to be at one moment.

import { kSeen, kThing } from '../core/layout';

export interface Seen {
  standing: Float64Array; // boxes and doors, kSeen each; one for all moments in which it is the same
  moving: Float64Array; // kSeen each
}

// Who was looking at one moment: a robot in the picture.
export interface Observer {
  moment: { seen: Seen | null };
}

// Doors that stand otherwise than in the model, by what any of them says.
export function doors_elsewhere(robots: readonly Observer[]): Set<number> {
  const doors = new Set<number>();
  for (const { moment } of robots) {
    const standing = moment.seen?.standing ?? [];
    for (let at = 0; at < standing.length; at += kSeen.size) {
      if (standing[at + kSeen.kind] === kThing.door) doors.add(standing[at + kSeen.door]!);
    }
  }
  return doors;
}

const are_equal = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((number, i) => number === b[i]);

// What the core says now, after what was known. Null: the robot has never told of anything.
export function take_seen(before: Seen | null, numbers: Float64Array): Seen | null {
  if (before === null && numbers.length === 0) return null;
  let end = 0;
  while (end < numbers.length && numbers[end + kSeen.kind] !== kThing.moving) end += kSeen.size;
  const standing = numbers.slice(0, end);
  const same = before !== null && are_equal(before.standing, standing);
  return { standing: same ? before.standing : standing, moving: numbers.slice(end) };
}

const number_of = (n: number, one: string, several: string): string[] =>
  n === 0 ? [] : [`${n} ${n === 1 ? one : several}`];

// "2 boxes, 1 closed door, 3 people"; empty: the world is as its model says.
export function describe_seen({ standing, moving }: Seen): string {
  let [boxes, closed, open] = [0, 0, 0];
  for (let at = 0; at < standing.length; at += kSeen.size) {
    if (standing[at + kSeen.kind] === kThing.box) ++boxes;
    else if (standing[at + kSeen.opening]! < 0.5) ++closed;
    else ++open;
  }
  return [
    ...number_of(boxes, 'box', 'boxes'),
    ...number_of(closed, 'closed door', 'closed doors'),
    ...number_of(open, 'open door', 'open doors'),
    ...number_of(moving.length / kSeen.size, 'person', 'people'),
  ].join(', ');
}
