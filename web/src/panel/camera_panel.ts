// The robot's camera: asks for images while it is open, and shows the newest, as it came or from where the robot is
// now.

import { jpeg_size } from '../link/jpeg_size';
import type { Outgoing } from '../link/messages';
import type { CameraImage } from '../link/protocol';
import type { RobotState } from '../state/session';
import { CameraView } from '../view/camera_view';
import { by_id, format_s, make_button, set_pressed, set_text } from './dom';

const kAskEvery_ms = 5000; // the program may have been started anew
const kDrawEvery_ms = 60;
const kOld_s = 3;

export class CameraPanel {
  readonly button = make_button('camera', false, () => this.open(!this.open_));
  view: CameraView | null = null; // once it was opened; null too where there is no WebGL
  shown: CameraImage | null = null; // the image that is decoded
  private open_ = false;
  private raw_ = false;
  private robot_: number | null = null; // that was asked
  private asked_ms_ = -Infinity;
  private drawn_ms_ = -Infinity;
  private decoding_: CameraImage | null = null;
  private failed_ = false;

  constructor(private readonly send_: (message: Outgoing) => boolean) {
    this.button.title = "what the robot's camera sees";
    this.button.hidden = true;
    by_id('camera-close').addEventListener('click', () => this.open(false));
    by_id('camera-now').addEventListener('click', () => this.choose(false));
    by_id('camera-raw').addEventListener('click', () => this.choose(true));
    by_id('camera-large').addEventListener('click', () => {
      const large = by_id('camera-box').classList.toggle('large');
      set_pressed(by_id('camera-large'), large);
    });
    // nobody looks at a page that is hidden
    document.addEventListener('visibilitychange', () => document.hidden && this.ask(false));
  }

  update(robot: RobotState | null, page_ms: number, local_ms: number): void {
    const there = robot !== null && robot.info.camera;
    this.button.hidden = !there;
    if (!there && this.open_) this.open(false);
    if (robot === null || !this.open_) return;
    if (robot.info.id !== this.robot_) this.ask(false);
    if (local_ms > this.asked_ms_ + kAskEvery_ms || robot.info.id !== this.robot_) {
      this.robot_ = robot.info.id;
      this.asked_ms_ = local_ms;
      this.ask(true);
    }
    if (robot.image !== null && robot.image !== this.decoding_) this.decode(robot.image);
    if (local_ms < this.drawn_ms_ + kDrawEvery_ms) return;
    this.drawn_ms_ = local_ms;
    this.draw(robot, page_ms);
  }

  private open(open: boolean): void {
    this.open_ = open;
    by_id('camera-box').hidden = !open;
    set_pressed(this.button, open);
    if (!open) return this.ask(false);
    this.asked_ms_ = -Infinity;
    if (this.view === null) this.make_view();
  }

  private make_view(): void {
    try {
      this.view = new CameraView();
      by_id('camera-room').prepend(this.view.canvas);
    } catch (error) {
      console.warn(error);
      this.choose(true);
      by_id<HTMLButtonElement>('camera-now').disabled = true;
    }
  }

  private choose(raw: boolean): void {
    this.raw_ = raw;
    this.drawn_ms_ = -Infinity;
    set_pressed(by_id('camera-now'), !raw);
    set_pressed(by_id('camera-raw'), raw);
  }

  private ask(images: boolean): void {
    if (this.robot_ === null) return;
    this.send_({ type: 'look', robot: this.robot_, images });
    if (images) return;
    this.robot_ = null;
    this.asked_ms_ = -Infinity;
  }

  // Whatever came is decoded by the browser, once it says that it is as large as was said.
  private decode(image: CameraImage): void {
    this.decoding_ = image;
    const size = jpeg_size(image.jpeg);
    this.failed_ = size === null || size.width !== image.width || size.height !== image.height;
    if (this.failed_) return;
    createImageBitmap(new Blob([image.jpeg as BlobPart], { type: 'image/jpeg' })).then(
      (bitmap) => {
        if (this.decoding_ !== image) return bitmap.close();
        this.shown = image;
        const canvas = by_id<HTMLCanvasElement>('camera-raw-canvas');
        Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
        canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
        if (this.view === null) bitmap.close();
        else this.view.take_image(image, bitmap);
      },
      () => (this.failed_ = true),
    );
  }

  private draw(robot: RobotState, page_ms: number): void {
    const { shown, view } = this;
    const raw = this.raw_ || view === null;
    by_id('camera-raw-canvas').hidden = !raw || shown === null;
    if (view !== null) {
      view.canvas.hidden = raw;
      if (robot.world !== null) view.set_world(robot.world);
      if (!raw && robot.now?.predicted != null) view.draw(robot.now.predicted);
    }
    this.say(robot.clock.now(page_ms), raw);
  }

  private say(now_ns: bigint | null, raw: boolean): void {
    const age = by_id('camera-age');
    const { shown } = this;
    const age_s = shown === null || now_ns === null ? NaN : Math.max(0, Number(now_ns - shown.taken_ns) / 1e9);
    age.dataset.tone = age_s > kOld_s ? 'old' : '';
    set_text(age, Number.isNaN(age_s) ? 'waiting for an image …' : `image ${format_s(age_s)} s old`);
    const note = raw
      ? 'The image as it came, from where the robot was then.'
      : 'The image, seen from where the robot is now. Grey and hatched: not in the image, only in the map.';
    set_text(by_id('camera-note'), this.failed_ ? 'The newest image cannot be shown: it is no whole JPEG.' : note);
  }
}
