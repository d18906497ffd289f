// The page's side of the predicting worker: hands it models and reports, asks for a frame at a time, never for two.

import type { FrameRequest, FromWorker, Predictable, ToWorker } from './worker_messages';

export class Predictor {
  private readonly worker_: Worker;
  private waiting_ = false; // for a frame
  private outdated_ = false; // the frame that is waited for
  private readonly asked_ms_ = new Map<number, number>();

  constructor(wasm_url: string, on_message: (message: FromWorker) => void) {
    this.worker_ = new Worker(new URL('./predictor.worker.ts', import.meta.url), { type: 'module' });
    this.worker_.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const outdated = data.type === 'frame' && this.outdated_;
      if (data.type === 'frame') this.waiting_ = this.outdated_ = false;
      if (!outdated) on_message(data);
    };
    this.worker_.onerror = ({ message }) =>
      on_message({ type: 'failed', reason: 'core', text: message || 'the worker could not be loaded' });
    this.post({ type: 'start', wasm_url });
  }

  post(message: ToWorker): void {
    this.worker_.postMessage(message);
  }

  // What was predicted for it does not hold any more.
  forget(robot: number): void {
    this.post({ type: 'forget', robot });
    this.asked_ms_.delete(robot);
    this.outdated_ = this.waiting_;
  }

  // Asks for these robots at these times of theirs, unless the last answer is still to come. page_ms: the page's time,
  // which of a recording is not the browser's.
  ask(robots: Predictable[], ahead_of: number | null, page_ms: number, local_ms: number): void {
    if (this.waiting_ || robots.length === 0) return;
    const requests = robots.map((robot): FrameRequest => {
      const { id } = robot;
      const frame_s = Math.max(0, local_ms - (this.asked_ms_.get(id) ?? -Infinity)) / 1000;
      this.asked_ms_.set(id, local_ms);
      return { ...robot, frame_s: Math.min(10, frame_s) };
    });
    this.waiting_ = true;
    this.post({ type: 'frame', local_ms: page_ms, robots: requests, ahead_of });
  }
}
