// Short words beside the robots in the 3D view: which is now, and how old the ghost is.

import * as THREE from 'three';
import type { Pose } from '../link/protocol';
import type { Picture } from './picture';

const kApart = 0.9; // [m] closer together, one label is enough
const kMaxOthers = 20;
const kWide = 75; // [px] names of other robots closer together than this would cover each other
const kHigh = 20;

// `below`: under the robot, not above it, so that neighbours do not cover each other
type Put = (key: string, kind: string, text: string, pose: Pose | null, below: boolean) => void;

export class Labels {
  private readonly elements_ = new Map<string, HTMLElement>();

  constructor(private readonly parent_: HTMLElement) {}

  draw(picture: Picture, camera: THREE.Camera, robot_height: number, width: number, height: number): void {
    const used = new Set<string>();
    const taken: [number, number][] = [];
    const put: Put = (key, kind, text, pose, below) => {
      if (pose === null) return;
      const at = new THREE.Vector3(pose.x, pose.y, below ? 0 : robot_height + 0.25).project(camera);
      if (at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) return;
      const x = ((at.x + 1) / 2) * width;
      const y = ((1 - at.y) / 2) * height;
      if (kind === 'other' && taken.some(([left, top]) => Math.abs(left - x) < kWide && Math.abs(top - y) < kHigh))
        return;
      taken.push([x, y]);
      used.add(key);
      const element = this.element(key, kind);
      if (element.textContent !== text) element.textContent = text;
      element.style.transform = `translate(-50%, ${below ? '90%' : '-100%'}) translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    };
    this.put_subject(picture, put);
    for (const { id, name, selected, moment } of picture.robots.slice(0, kMaxOthers)) {
      if (!selected) put(`robot ${id}`, 'other', name, moment.predicted, false);
    }
    for (const [key, element] of this.elements_) element.hidden = !used.has(key);
  }

  private put_subject(picture: Picture, put: Put): void {
    const { subject, live } = picture;
    if (subject === null) return;
    const { predicted, reported, extrapolated, truth, gap } = subject.moment;
    const apart = (pose: Pose | null): Pose | null =>
      pose !== null && predicted !== null && Math.hypot(pose.x - predicted.x, pose.y - predicted.y) > kApart
        ? pose
        : null;
    put('predicted', 'predicted', live ? `${subject.name} now` : `${subject.name} then`, predicted, false);
    put(
      'reported',
      'reported',
      `reported ${gap.toFixed(gap < 10 ? 1 : 0)} s ${live ? 'ago' : 'before'}`,
      apart(reported),
      true,
    );
    if (picture.layers.extrapolated) put('extrapolated', 'extrapolated', 'extrapolated', apart(extrapolated), false);
    if (picture.layers.truth) put('truth', 'truth', 'truth', apart(truth), true);
  }

  private element(key: string, kind: string): HTMLElement {
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
