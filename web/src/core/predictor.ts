// The page's side of the predicting worker: hands it models and reports, asks for a frame at a time, never for two.

import type { Session } from '../state/session';
import type { FrameRequest, FromWorker, ToWorker } from './worker_messages';

export class Predictor {
  private readonly worker_: Worker;
  private waiting_ = false; // for a frame
  private readonly asked_ms_ = new Map<number, number>();

  constructor(wasm_url: string, on_message: (message: FromWorker) => void) {
    this.worker_ = new Worker(new URL('./predictor.worker.ts', import.meta.url), { type: 'module' });
    this.worker_.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'frame') this.waiting_ = false;
      on_message(data);
    };
    this.worker_.onerror = ({ message }) =>
      on_message({ type: 'failed', reason: 'core', text: message || 'the worker could not be loaded' });
    this.post({ type: 'start', wasm_url });
  }

  post(message: ToWorker): void {
    this.worker_.postMessage(message);
  }

  // Asks for all robots as they are now, unless the last answer is still to come.
  ask(session: Session, local_ms: number): void {
    if (this.waiting_ || session.core !== 'ready') return;
    const robots: FrameRequest[] = [];
    for (const { info, world, report, clock } of session.robots.values()) {
      const robot_time_ns = clock.now(local_ms);
      if (world === null || report === null || robot_time_ns === null) continue;
      const frame_s = Math.max(0, local_ms - (this.asked_ms_.get(info.id) ?? -Infinity)) / 1000;
      this.asked_ms_.set(info.id, local_ms);
      robots.push({ id: info.id, robot_time_ns, frame_s: Math.min(10, frame_s) });
    }
    if (robots.length === 0) return;
    this.waiting_ = true;
    this.post({ type: 'frame', local_ms, robots, ahead_of: session.selected });
  }
}
