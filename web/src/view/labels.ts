// Short words beside the robots in the 3D view: which is now, and how old the ghost is. They do not cover each other.

import * as THREE from 'three';
import { kBody } from '../core/layout';
import { kTasks, type Pose } from '../link/protocol';
import type { Moment } from '../state/history';
import type { Pane } from './panes';
import type { Picture } from './picture';

type Kind = 'phantom' | 'landing' | 'contact' | 'predicted' | 'reported' | 'extrapolated' | 'truth' | 'other';

interface Label {
  key: string;
  kind: Kind;
  text: string;
  pose: Pose | null;
  below?: boolean; // under the robot, not above it
}

interface Spot {
  left: number;
  top: number;
  width: number;
}

const kApart = 0.9; // [m] closer together, one label is enough
const kLandingApart = 0.3; // [m] what is to come says so sooner
const kBrief_s = 2; // a gap as short as this is not worth a word
const kMaxOthers = 20;
const kHigh = 21; // [px] of a label, with some room
const kFromAbove = -0.9; // a camera that looks down so steeply sees the label's place on the robot itself
const kBeside = 4; // [px] between robot and label there
const kTries = [0, 1, -1, 2, -2]; // places in steps of its height, if another label is already there

export class Labels {
  private readonly elements_ = new Map<string, HTMLElement>();
  private readonly used_ = new Set<string>();
  private readonly spots_: Spot[] = [];
  private readonly at_ = new THREE.Vector3();
  private readonly along_ = new THREE.Vector3();
  private radius_ = 0; // of the robot [m]

  constructor(private readonly parent_: HTMLElement) {}

  begin(): void {
    this.used_.clear();
    this.spots_.length = 0;
  }

  end(): void {
    for (const [key, element] of this.elements_) element.hidden = !this.used_.has(key);
  }

  draw(picture: Picture, camera: THREE.Camera, robot_height: number, pane: Pane): void {
    const { subject, live, layers, robots } = picture;
    this.radius_ = picture.world?.body[kBody.radius] ?? 0;
    const put = (label: Label, height = robot_height): void => this.put(label, camera, height, pane);
    if (subject !== null) {
      const { predicted, reported, extrapolated, truth, gap } = subject.moment;
      const apart = (pose: Pose | null): Pose | null => (is_apart(pose, predicted) ? pose : null);
      const name = `${subject.name} ${state_text(subject.moment, live)}`;
      put({ key: 'predicted', kind: 'predicted', text: name, pose: predicted });
      put({ key: 'reported', kind: 'reported', text: reported_text(gap, live), pose: apart(reported), below: true });
      const text = 'extrapolated';
      if (layers.extrapolated) put({ key: text, kind: text, text, pose: apart(extrapolated) });
      if (layers.truth) put({ key: 'truth', kind: 'truth', text: 'truth', pose: apart(truth), below: true });
    }
    const { mission, landing } = picture;
    if (landing !== null) {
      const kind = landing.contact === null ? 'landing' : 'contact';
      const text = kind === 'contact' ? 'meets something' : `in ${landing.after_s.toFixed(1)} s`;
      const apart = is_apart(landing.pose, subject?.moment.predicted ?? null, kLandingApart);
      const pose = apart || kind === 'contact' ? landing.pose : null;
      put({ key: 'landing', kind, text, pose });
    }
    if (mission !== null) put({ key: 'phantom', kind: 'phantom', text: 'phantom', pose: mission.phantom });
    for (const { id, name, selected, world, moment } of robots.slice(0, kMaxOthers)) {
      const label: Label = { key: `robot ${id}`, kind: 'other', text: name, pose: moment.predicted };
      if (!selected) put(label, world?.body[kBody.height]);
    }
  }

  // As it would be without Forerun.
  draw_without({ subject, live, layers }: Picture, camera: THREE.Camera, robot_height: number, pane: Pane): void {
    if (subject === null) return;
    const { reported, truth, gap } = subject.moment;
    const text = `last report, ${gap.toFixed(gap < 10 ? 1 : 0)} s ${live ? 'old' : 'old then'}`;
    this.put({ key: 'without', kind: 'reported', text, pose: reported }, camera, robot_height, pane);
    const pose = layers.truth && is_apart(truth, reported) ? truth : null;
    this.put({ key: 'without truth', kind: 'truth', text: 'really here', pose }, camera, robot_height, pane);
  }

  private put({ key, kind, text, pose, below }: Label, camera: THREE.Camera, robot_height: number, pane: Pane): void {
    if (pose === null) return;
    const at = this.at_.set(pose.x, pose.y, below === true ? 0 : robot_height + 0.25).project(camera);
    if (at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) return;
    const spot = {
      left: pane.left + ((at.x + 1) / 2) * pane.width,
      top: pane.top + ((1 - at.y) / 2) * pane.height + this.beside(pose, camera, pane, below === true),
      width: 14 + 7.2 * text.length,
    };
    if (!this.find_room(spot) && kind === 'other') return;
    this.spots_.push(spot);
    this.used_.add(key);
    const element = this.element(key, kind);
    if (element.textContent !== text) element.textContent = text;
    element.style.transform = `translate(-50%, -50%) translate(${spot.left.toFixed(1)}px, ${spot.top.toFixed(1)}px)`;
  }

  // How far below its point the label is [px].
  private beside(pose: Pose, camera: THREE.Camera, { height }: Pane, below: boolean): number {
    if (camera.getWorldDirection(this.along_).z > kFromAbove) return below ? kHigh : -kHigh / 2;
    const centre = this.at_.set(pose.x, pose.y, 0).project(camera).y;
    const up = this.along_.setFromMatrixColumn(camera.matrixWorld, 1).multiplyScalar(this.radius_);
    const edge = this.at_.set(pose.x, pose.y, 0).add(up).project(camera).y;
    const away = (Math.abs(edge - centre) / 2) * height + kHigh / 2 + kBeside;
    return below ? away : -away;
  }

  private find_room(spot: Spot): boolean {
    const { top } = spot;
    for (const step of kTries) {
      spot.top = top + step * kHigh;
      if (!this.spots_.some((other) => overlap(spot, other))) return true;
    }
    spot.top = top;
    return false;
  }

  private element(key: string, kind: Kind): HTMLElement {
    let element = this.elements_.get(key);
    if (element === undefined) {
      element = document.createElement('span');
      element.className = `label ${kind}`;
      element.setAttribute('aria-hidden', 'true');
      this.parent_.append(element);
      this.elements_.set(key, element);
    }
    return element;
  }
}

const overlap = (a: Spot, b: Spot): boolean =>
  Math.abs(a.left - b.left) < (a.width + b.width) / 2 && Math.abs(a.top - b.top) < kHigh;

const is_apart = (a: Pose | null, b: Pose | null, least = kApart): boolean =>
  a !== null && b !== null && Math.hypot(a.x - b.x, a.y - b.y) > least;

const reported_text = (gap: number, live: boolean): string =>
  `reported ${gap.toFixed(gap < 10 ? 1 : 0)} s ${live ? 'ago' : 'before'}`;

// Once it has come to the goal of its last report, nobody can know here where it goes next.
function state_text({ task, report, gap }: Moment, live: boolean): string {
  const arrived = kTasks[task] === 'done' && report?.task === 'driving' && gap > kBrief_s;
  if (arrived) return 'at its last known goal';
  return live ? 'now' : 'then';
}
