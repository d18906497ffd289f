// The page's side of the rehearsing worker, which is started when somebody first rehearses.

import type { FromRehearsal, ToRehearsal } from './rehearsal_messages';

export class Rehearser {
  private worker_: Worker | null = null;
  private hash_ = ''; // of the model that is open or being opened

  constructor(
    private readonly wasm_url_: string,
    private readonly fetch_: (hash: string) => Promise<ArrayBuffer>,
    private readonly take_: (message: FromRehearsal) => void,
  ) {}

  // With the model of this hash. False: it was open already.
  open(hash: string): boolean {
    if (hash === this.hash_) return false;
    this.hash_ = hash;
    this.worker_?.terminate();
    const worker = new Worker(new URL('./rehearsal.worker.ts', import.meta.url), { type: 'module' });
    this.worker_ = worker;
    const waiting: ToRehearsal[] = [];
    worker.onmessage = ({ data }: MessageEvent<FromRehearsal>) => {
      if (data.type === 'refused' && data.what === 'open') this.fail(data.text);
      else this.take_(data);
    };
    worker.onerror = ({ message }) => this.fail(message || 'the worker could not be loaded');
    this.post_ = (message) => waiting.push(message);
    this.fetch_(hash).then(
      (bytes) => {
        if (this.worker_ !== worker) return;
        this.post_ = (message) => worker.postMessage(message);
        this.post_({ type: 'open', wasm_url: this.wasm_url_, bytes });
        for (const message of waiting) this.post_(message);
      },
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        const text = `the robot's model could not be loaded (${why}): open this panel again to try again`;
        if (this.worker_ === worker) this.fail(text);
      },
    );
    return true;
  }

  // What failed is not tried again by itself: whoever opens the panel again tries it.
  retry(): void {
    if (this.worker_ === null) this.hash_ = '';
  }

  post(message: ToRehearsal): void {
    this.post_(message);
  }

  private post_: (message: ToRehearsal) => void = () => {};

  private fail(text: string): void {
    this.worker_?.terminate();
    this.worker_ = null;
    const complain = (): void => this.take_({ type: 'refused', what: 'open', revision: 0, step: null, text });
    this.post_ = complain; // whatever is asked for now gets the same answer
    complain();
  }
}
