// Fetches models for robots and hands them to the predictor, each once, and none that has been replaced meanwhile.

type Cache = 'default' | 'reload'; // reload: what could not be used must not come out of the browser's cache again

export interface ModelEvents {
  fetch(hash: string, cache: Cache): Promise<ArrayBuffer>;
  is_wanted(robot: number, hash: string): boolean; // it is the robot's model now
  ready(robot: number, hash: string, bytes: ArrayBuffer): void;
  failed(robot: number, text: string): void;
}

export class Models {
  private readonly loading_ = new Map<number, string>();
  // only until they have come: the browser's cache and the worker keep what is used
  private readonly fetching_ = new Map<string, Promise<ArrayBuffer>>();

  constructor(private readonly events_: ModelEvents) {}

  load(robot: number, hash: string, cache: Cache): void {
    if (this.loading_.get(robot) === hash) return;
    this.loading_.set(robot, hash);
    this.fetched(hash, cache).then(
      (bytes) => {
        if (this.events_.is_wanted(robot, hash)) this.events_.ready(robot, hash, bytes);
        else this.end(robot, hash);
      },
      (error: unknown) => {
        this.end(robot, hash);
        const text = error instanceof Error ? error.message : String(error);
        if (this.events_.is_wanted(robot, hash)) this.events_.failed(robot, text);
      },
    );
  }

  // The predictor has taken the model in, or refused it.
  end(robot: number, hash: string): void {
    if (this.loading_.get(robot) === hash) this.loading_.delete(robot);
  }

  // Robots of one model share one download.
  private fetched(hash: string, cache: Cache): Promise<ArrayBuffer> {
    let bytes = this.fetching_.get(hash);
    if (bytes === undefined) {
      bytes = this.events_.fetch(hash, cache).finally(() => this.fetching_.delete(hash));
      this.fetching_.set(hash, bytes);
    }
    return bytes;
  }
}
