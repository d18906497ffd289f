// One of the robot's cameras: its newest image, as it came or from where the robot is now, and how old it is.

import { jpeg_size } from '../link/jpeg_size';
import type { CameraImage, Flippers } from '../link/protocol';
import type { RobotState } from '../state/session';
import { CameraView } from '../view/camera_view';
import { format_s, set_text } from './dom';

const kOld_s = 3;
const kWaitsLong_ms = 10_000;

export class CameraPane {
  readonly room = document.createElement('div');
  view: CameraView | null = null; // once it was opened; null too where there is no WebGL
  shown: CameraImage | null = null; // the image that is decoded
  failed = false; // the newest is no whole JPEG
  drawn_ms = -Infinity;
  private readonly raw_ = document.createElement('canvas');
  private readonly age_ = document.createElement('p');
  private newest_: CameraImage | null = null; // that was or is decoded
  private decoding_ = false;
  private waits_since_ms_ = Infinity;
  private ended_ = false;

  // `name`: of the camera, where there are several.
  constructor(
    readonly camera: number,
    private readonly name_: string,
  ) {
    this.room.className = 'camera-room';
    this.raw_.className = 'camera-raw';
    this.raw_.hidden = true;
    this.raw_.setAttribute('role', 'img');
    this.raw_.setAttribute('aria-label', `The newest image of the robot's camera ${name_}, as it came`);
    this.age_.className = 'camera-age';
    this.age_.setAttribute('aria-live', 'off');
    this.room.append(this.raw_, this.age_);
  }

  open(open: boolean): void {
    this.room.hidden = !open;
    if (open && this.view === null) this.make_view();
    if (!open) this.waits_since_ms_ = Infinity;
  }

  // What was shown is of another robot.
  end(): void {
    this.ended_ = true;
    this.view?.end();
    this.room.remove();
  }

  update(robot: RobotState): void {
    const image = robot.images.get(this.camera);
    // one after the other: on a slow machine newer ones must not put each other off for ever
    if (image === undefined || image === this.newest_ || this.decoding_) return;
    // flippers move little until the image is here
    this.decode(image, robot);
  }

  draw(robot: RobotState, raw: boolean, page_ms: number): void {
    const { shown, view, room } = this;
    if (room.hidden) return;
    raw ||= view === null;
    this.raw_.hidden = !raw || shown === null;
    if (view !== null) {
      view.canvas.hidden = raw || shown === null;
      if (robot.world !== null) view.set_world(robot.world);
      const { predicted: pose, attitude } = robot.now ?? { predicted: null, attitude: null };
      if (!raw && pose !== null) view.draw({ pose, attitude, flippers: robot.report?.posture?.flippers ?? null });
    }
    this.say(robot.clock.now(page_ms), page_ms);
  }

  private make_view(): void {
    try {
      this.view = new CameraView();
      this.room.prepend(this.view.canvas);
    } catch (error) {
      console.warn(error);
    }
  }

  // Whatever came is decoded by the browser, once it says that it is as large as was said.
  private decode(image: CameraImage, robot: RobotState): void {
    this.newest_ = image;
    const flippers = robot.report?.posture?.flippers ?? null;
    const size = jpeg_size(image.jpeg);
    this.failed = size === null || size.width !== image.width || size.height !== image.height;
    if (this.failed) return;
    this.decoding_ = true;
    createImageBitmap(new Blob([image.jpeg as BlobPart], { type: 'image/jpeg' }))
      .then(
        (bitmap) => this.show(image, bitmap, flippers),
        () => (this.failed = true),
      )
      .finally(() => (this.decoding_ = false));
  }

  private show(image: CameraImage, bitmap: ImageBitmap, flippers: Flippers | null): void {
    if (this.ended_) return bitmap.close(); // meanwhile: nobody draws it any more
    this.shown = image;
    Object.assign(this.raw_, { width: bitmap.width, height: bitmap.height });
    this.raw_.getContext('2d')?.drawImage(bitmap, 0, 0);
    if (this.view === null) bitmap.close();
    else this.view.take_image(image, bitmap, flippers);
  }

  private say(now_ns: bigint | null, page_ms: number): void {
    const { shown, age_ } = this;
    const before = this.name_ === '' ? '' : `${this.name_}: `;
    if (shown === null || now_ns === null) {
      this.waits_since_ms_ = Math.min(this.waits_since_ms_, page_ms);
      age_.dataset.tone = '';
      const long = this.camera > 0 && page_ms > this.waits_since_ms_ + kWaitsLong_ms;
      return set_text(age_, before + (long ? 'none yet; older robot sides send only the front' : 'waiting for an image …'));
    }
    const age_s = Math.max(0, Number(now_ns - shown.taken_ns) / 1e9);
    age_.dataset.tone = age_s > kOld_s ? 'old' : '';
    set_text(age_, `${before}image ${format_s(age_s)} s old`);
  }
}
