// Goals that were chosen and are not sent yet: the core looks first whether the robot can stand there. A stop in
// between makes them void, whenever the answer comes.

export class Proposals {
  private newest_ = 0;
  private void_up_to_ = 0;

  // The number of a new one; it takes the place of those before.
  make(): number {
    return ++this.newest_;
  }

  make_void(): void {
    this.void_up_to_ = this.newest_;
  }

  // True: it may be sent, now and never again.
  take(number: number): boolean {
    if (number !== this.newest_ || number <= this.void_up_to_) return false;
    this.make_void();
    return true;
  }
}
