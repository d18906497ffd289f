// The WebSocket to the program: opens it, opens it again when it is lost, and says what is going on.

import { decode_message, type Incoming, type Outgoing } from './messages';
import { decode_frame, type Frame } from './protocol';

export type ConnectionState =
  { kind: 'connecting' } | { kind: 'open' } | { kind: 'lost'; retry_at_ms: number; ever_open: boolean };

export interface ConnectionEvents {
  state(state: ConnectionState): void;
  message(message: Incoming): void;
  frame(frame: Frame, local_ms: number): void;
}

const kSubprotocol = 'forerun.1';
const kFirstRetry_ms = 500;
const kLongestRetry_ms = 5000;
const kHandshake_ms = 8000; // a program that has not answered by then is not there
const kSilence_ms = 6000; // it speaks at least once a second: then the connection is dead without having closed

export class Connection {
  private socket_: WebSocket | null = null;
  private timer_ = 0;
  private retry_ms_ = kFirstRetry_ms;
  private ever_open_ = false;
  private heard_ms_ = 0;

  constructor(
    private readonly url_: string,
    private readonly events_: ConnectionEvents,
  ) {
    window.setInterval(() => this.check_silence(), 1000);
    this.open();
  }

  // False: there is no connection, and nothing is kept for later.
  send(message: Outgoing): boolean {
    if (this.socket_?.readyState !== WebSocket.OPEN) return false;
    this.socket_.send(JSON.stringify(message));
    return true;
  }

  retry_now(): void {
    if (this.socket_ !== null) return;
    this.open();
  }

  private open(): void {
    window.clearTimeout(this.timer_);
    this.events_.state({ kind: 'connecting' });
    const socket = new WebSocket(this.url_, kSubprotocol);
    this.socket_ = socket;
    socket.binaryType = 'arraybuffer';
    this.heard_ms_ = performance.now() + kHandshake_ms - kSilence_ms;
    socket.onopen = () => {
      if (this.socket_ !== socket) return;
      this.retry_ms_ = kFirstRetry_ms;
      this.ever_open_ = true;
      this.events_.state({ kind: 'open' });
    };
    socket.onmessage = ({ data }) => {
      if (this.socket_ === socket) this.receive(data);
    };
    socket.onclose = () => {
      if (this.socket_ === socket) this.lose();
    };
  }

  private receive(data: unknown): void {
    this.heard_ms_ = performance.now();
    if (typeof data === 'string') {
      const message = decode_message(data);
      if (message !== null) this.events_.message(message);
    } else if (data instanceof ArrayBuffer) {
      const frame = decode_frame(data);
      if (frame !== null) this.events_.frame(frame, this.heard_ms_);
    }
  }

  private lose(): void {
    const socket = this.socket_;
    this.socket_ = null;
    socket?.close();
    const retry_at_ms = performance.now() + this.retry_ms_;
    this.timer_ = window.setTimeout(() => this.open(), this.retry_ms_);
    this.retry_ms_ = Math.min(kLongestRetry_ms, 1.5 * this.retry_ms_);
    this.events_.state({ kind: 'lost', retry_at_ms, ever_open: this.ever_open_ });
  }

  private check_silence(): void {
    if (this.socket_ !== null && performance.now() > this.heard_ms_ + kSilence_ms) this.lose();
  }
}
