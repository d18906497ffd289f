import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { kCrawler } from '../core/layout';
import { body_frame, CameraRobot } from './camera_robot';

const kSizes: Partial<Record<keyof typeof kCrawler, number>> = {
  length: 0.6, width: 0.4, height: 0.18, track_length: 0.4, track_radius: 0.09, track_offset: 0.11,
  hinge_x: 0.225, hinge_y: 0.23, flipper_length: 0.145, hinge_radius: 0.05, tip_radius: 0.08,
};
const crawler = new Float64Array(kCrawler.size);
for (const [name, value] of Object.entries(kSizes)) crawler[kCrawler[name as keyof typeof kCrawler]] = value;

const near = (a: THREE.Vector3, b: [number, number, number]): void => {
  assert.ok(a.distanceTo(new THREE.Vector3(...b)) < 1e-9, `${a.toArray()} is not ${b}`);
};

// As serve/robot_camera has it: the lens rises with the nose.
test('a lens moves with a robot that leans', () => {
  const body = body_frame({ pose: { x: 1, y: 2, heading: Math.PI / 2 }, attitude: { height: 0.3, roll: 0, pitch: -0.4 }, flippers: null });
  const [ahead, up] = [0.2 * Math.cos(0.4) - 0.45 * Math.sin(0.4), 0.3 + 0.45 * Math.cos(0.4) + 0.2 * Math.sin(0.4)];
  near(new THREE.Vector3(0.2, 0, 0.45).applyMatrix4(body), [1, 2 + ahead, up]);
});

test('a robot that is not on rough ground stands level on the floor', () => {
  const body = body_frame({ pose: { x: 1, y: 2, heading: 0 }, attitude: null, flippers: null });
  near(new THREE.Vector3(0.2, 0, 0.45).applyMatrix4(body), [1.2, 2, 0.45]);
});

test('its parts know where they were when the image was taken', () => {
  const robot = new CameraRobot(crawler, new THREE.Color(), () => {
    return new THREE.ShaderMaterial({ uniforms: { then: { value: new THREE.Matrix4() } } });
  });
  const then = body_frame({ pose: { x: 0, y: 0, heading: 0 }, attitude: null, flippers: null });
  const now = body_frame({ pose: { x: 5, y: 1, heading: 1 }, attitude: { height: 0.2, roll: 0.1, pitch: 0.3 }, flippers: null });
  robot.stand_then(then, [0, 0, 0, 0]);
  robot.stand_now(now, [1, 0, 0, 0]);
  const place_then = (part: number, place: THREE.Vector3): THREE.Vector3 => {
    const { matrix, material } = robot.meshes[part]!;
    return place.applyMatrix4(matrix).applyMatrix4(material.uniforms.then!.value as THREE.Matrix4);
  };
  const n_fixed = robot.meshes.length - 4;
  near(place_then(0, new THREE.Vector3(0.1, 0.05, 0.02)), [0.1, 0.05, 0.02]);
  // the tip of the left front flipper, which is raised now and was level then
  near(place_then(n_fixed, new THREE.Vector3(0.145, 0, 0)), [0.37, 0.23, 0]);
});
