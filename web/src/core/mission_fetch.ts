// Fetches the missions that robots' reports name, each once. One that the program does not have yet is asked for again.

export interface MissionFetchEvents {
  fetch(number: string): Promise<ArrayBuffer>;
  ready(robot: number, number: string, object: ArrayBuffer): void;
}

const kAgain_ms = 2000; // and then twice as long each time
const kLongest_ms = 60_000;

export class MissionFetch {
  private readonly asked_ = new Map<number, { number: string; again_ms: number; wait_ms: number }>();

  constructor(private readonly events_: MissionFetchEvents) {}

  // A report of this robot names this mission.
  look(robot: number, number: string, local_ms: number): void {
    const before = this.asked_.get(robot);
    if (before?.number === number && local_ms < before.again_ms) return;
    const wait_ms = before?.number === number ? Math.min(kLongest_ms, 2 * before.wait_ms) : kAgain_ms;
    const asked = { number, again_ms: Infinity, wait_ms };
    this.asked_.set(robot, asked);
    this.events_.fetch(number).then(
      (object) => {
        if (this.asked_.get(robot) === asked) this.events_.ready(robot, number, object);
      },
      () => (asked.again_ms = local_ms + wait_ms),
    );
  }
}
