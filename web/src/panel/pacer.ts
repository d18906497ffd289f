// Wishes that come with every pixel of a drag, sent at a pace that the program takes: the newest of each kind.

const kEvery_ms = 100;

export class Pacer<T extends object> {
  private wanted_: T | null = null;
  private given_ms_ = -Infinity;

  want(wish: T): void {
    this.wanted_ = { ...this.wanted_, ...wish };
  }

  // What is to be sent now; null: nothing, or not yet.
  take(local_ms: number): T | null {
    if (this.wanted_ === null || local_ms < this.given_ms_ + kEvery_ms) return null;
    this.given_ms_ = local_ms;
    const wish = this.wanted_;
    this.wanted_ = null;
    return wish;
  }
}
