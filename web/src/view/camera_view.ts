// The newest image of one of the robot's cameras, thrown from where it was taken onto the surfaces of the world, and
// looked at from where the robot is now and as it leans now. What the image did not see is the plain model: grey and
// hatched.

import * as THREE from 'three';
import type { World } from '../core/core';
import type { CameraImage, Eye, Flippers } from '../link/protocol';
import { body_frame, CameraRobot, with_colour, type Stand } from './camera_robot';
import { kColours } from './colours';
import { make_renderer } from './renderer';
import { door_geometries, geometry_of } from './world_mesh';

const kNear = 0.05;
const kFar = 1000;
const kSky = 400; // [m] so far away is what is not a part of the world
const kDepthSize = { width: 640, height: 480 }; // of the map of what the image saw
const kWidth = 480; // [pixels] of the picture; its height follows from the image
const kSkyColour = new THREE.Color().setRGB(0.55, 0.68, 0.85);

const kVertex = /* glsl */ `
  attribute vec3 color;
  uniform mat4 then; // from where it is to where it was when the image was taken
  uniform mat4 taken; // from the world to the image, clip space
  varying vec3 v_colour;
  varying vec3 v_place;
  varying vec3 v_normal;
  varying vec3 v_place_then;
  varying vec3 v_normal_then;
  varying vec4 v_taken;
  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    vec4 place_then = then * place;
    v_place = place.xyz;
    v_normal = mat3(modelMatrix) * normal;
    v_place_then = place_then.xyz;
    v_normal_then = mat3(then) * v_normal;
    v_colour = color;
    v_taken = taken * place_then;
    gl_Position = projectionMatrix * viewMatrix * place;
  }`;

// A surface is in the image where it lies within its borders, and nothing was nearer to the lens.
const kFragment = /* glsl */ `
  uniform sampler2D image;
  uniform sampler2D depth;
  uniform vec3 lens;
  uniform float pixel; // [rad] of the map of depths
  uniform bool has_image;
  varying vec3 v_colour;
  varying vec3 v_place;
  varying vec3 v_normal;
  varying vec3 v_place_then;
  varying vec3 v_normal_then;
  varying vec4 v_taken;
  const float near = ${kNear.toFixed(3)};
  const float far = ${kFar.toFixed(1)};

  bool is_seen(vec2 at) {
    if (!has_image || v_taken.w <= near) return false;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) return false;
    float nearest = near * far / (far - texture2D(depth, at).x * (far - near));
    // along a floor the depth changes much from pixel to pixel
    float facing = abs(dot(normalize(v_normal_then), normalize(lens - v_place_then)));
    return v_taken.w <= nearest + 0.04 + 1.5 * v_taken.w * pixel / max(facing, 0.01);
  }
  void main() {
    vec2 at = 0.5 + 0.5 * v_taken.xy / v_taken.w;
    if (is_seen(at)) {
      gl_FragColor = vec4(texture2D(image, vec2(at.x, 1.0 - at.y)).rgb, 1.0);
      return;
    }
    vec3 side = normalize(v_normal) * (dot(v_normal, cameraPosition - v_place) < 0.0 ? -1.0 : 1.0);
    float lit = 0.45 + 0.55 * max(0.0, dot(side, vec3(0.36, 0.24, 0.9)));
    vec3 plain = sqrt(v_colour * lit);
    float grey = dot(plain, vec3(0.3, 0.59, 0.11));
    float line = step(0.7, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    gl_FragColor = vec4(mix(plain, vec3(grey), 0.75) * (0.92 - 0.2 * line), 1.0);
  }`;

const kPaint = { vertexShader: kVertex, fragmentShader: kFragment, side: THREE.DoubleSide };

// From the frame of a lens, x ahead, y left, z up, to that of its robot.
const mount_of = ({ x, y, z, tilt }: Eye): THREE.Matrix4 => new THREE.Matrix4().makeRotationY(tilt).setPosition(x, y, z);

// To that of the world, when the image was taken.
function lens_then({ place, attitude }: CameraImage): THREE.Matrix4 {
  const turn = new THREE.Euler(attitude.roll, attitude.pitch, attitude.yaw, 'ZYX');
  return new THREE.Matrix4().makeRotationFromEuler(turn).setPosition(place.x, place.y, place.z);
}

// A camera of three.js looks along −z.
function place_camera(camera: THREE.PerspectiveCamera, lens: THREE.Matrix4): void {
  const [ahead, left, up] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  lens.extractBasis(ahead, left, up);
  const axes = new THREE.Matrix4().makeBasis(left.negate(), up, ahead.negate());
  camera.quaternion.setFromRotationMatrix(axes);
  camera.position.setFromMatrixPosition(lens);
  camera.updateMatrixWorld();
}

function set_lens(camera: THREE.PerspectiveCamera, { field_of_view, width, height }: CameraImage): void {
  camera.fov = THREE.MathUtils.radToDeg(field_of_view);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
}

export class CameraView {
  private readonly renderer_ = make_renderer();
  private readonly scene_ = new THREE.Scene();
  private readonly taken_from_ = new THREE.PerspectiveCamera(50, 4 / 3, kNear, kFar);
  private readonly here_ = new THREE.PerspectiveCamera(50, 4 / 3, kNear, kFar);
  private readonly depth_ = new THREE.WebGLRenderTarget(kDepthSize.width, kDepthSize.height, {
    depthTexture: new THREE.DepthTexture(kDepthSize.width, kDepthSize.height, THREE.UnsignedIntType),
  });
  private readonly plain_ = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
  private readonly paint_ = new THREE.ShaderMaterial({
    ...kPaint,
    uniforms: {
      image: { value: null as THREE.Texture | null },
      depth: { value: this.depth_.depthTexture },
      then: { value: new THREE.Matrix4() }, // the world stays where it is
      taken: { value: new THREE.Matrix4() },
      lens: { value: new THREE.Vector3() },
      pixel: { value: 0 },
      has_image: { value: false },
    },
  });
  private readonly sky_: THREE.Mesh;
  private robot_: CameraRobot | null = null;
  private world_: World | null = null;
  private image_: CameraImage | null = null;
  private flippers_then_: Flippers | null = null;

  constructor() {
    this.renderer_.setPixelRatio(1);
    this.renderer_.setSize(kWidth, (kWidth * 3) / 4, false);
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'The newest image of the camera, seen from where the robot is now');
    this.sky_ = new THREE.Mesh(with_colour(new THREE.SphereGeometry(kSky, 16, 12), kSkyColour), this.paint_);
    this.sky_.frustumCulled = false;
    this.scene_.add(this.sky_);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer_.domElement;
  }

  set_world(world: World): void {
    if (world === this.world_) return;
    this.world_ = world;
    for (const part of [...this.scene_.children]) {
      if (part === this.sky_) continue;
      this.scene_.remove(part);
      (part as THREE.Mesh).geometry.dispose();
    }
    const leaves = door_geometries(world).map(({ geometry, colour }) => with_colour(geometry, colour));
    for (const geometry of [geometry_of(world, () => true), ...leaves]) {
      this.scene_.add(new THREE.Mesh(geometry, this.paint_));
    }
    this.robot_ = world.crawler === null ? null : this.make_robot(world.crawler);
    if (this.robot_ !== null) this.scene_.add(...this.robot_.meshes);
    this.see_depths();
  }

  // `flippers`: as the robot held them then.
  take_image(image: CameraImage, bitmap: ImageBitmap, flippers: Flippers | null): void {
    const { uniforms } = this.paint_;
    this.flippers_then_ = flippers;
    const old = uniforms.image!.value as THREE.Texture | null;
    (old?.image as ImageBitmap | undefined)?.close();
    old?.dispose();
    const texture = new THREE.Texture(bitmap);
    texture.generateMipmaps = false;
    texture.minFilter = THREE.LinearFilter;
    texture.flipY = false;
    texture.needsUpdate = true;
    Object.assign(uniforms.image!, { value: texture });
    Object.assign(uniforms.has_image!, { value: true });
    this.image_ = image;
    set_lens(this.taken_from_, image);
    set_lens(this.here_, image);
    place_camera(this.taken_from_, lens_then(image));
    const height = Math.round((kWidth * image.height) / image.width);
    if (this.canvas.height !== height) this.renderer_.setSize(kWidth, height, false);
    uniforms.pixel!.value = image.field_of_view / kDepthSize.height;
    (uniforms.lens!.value as THREE.Vector3).copy(this.taken_from_.position);
    (uniforms.taken!.value as THREE.Matrix4).multiplyMatrices(
      this.taken_from_.projectionMatrix,
      this.taken_from_.matrixWorldInverse,
    );
    this.see_depths();
  }

  // Seen from the camera of a robot that stands like this.
  draw(stand: Stand): void {
    if (this.image_ === null || this.world_ === null) return;
    const body = body_frame(stand);
    place_camera(this.here_, mount_of(this.image_.eye).premultiply(body));
    this.robot_?.stand_now(body, stand.flippers);
    this.sky_.position.copy(this.here_.position);
    this.renderer_.render(this.scene_, this.here_);
  }

  // The picture of a robot that stands like this: rows from top to bottom, red green blue alpha. For tests.
  pixels(stand: Stand, width: number, height: number): Uint8ClampedArray {
    this.draw(stand);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d')!;
    context.drawImage(this.canvas, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  }

  // Its parts ask the image where they were then, like everything else.
  private make_robot(crawler: Float64Array): CameraRobot {
    return new CameraRobot(crawler, new THREE.Color(kColours.predicted), () => {
      const uniforms = { ...this.paint_.uniforms, then: { value: new THREE.Matrix4() } };
      return new THREE.ShaderMaterial({ ...kPaint, uniforms });
    });
  }

  end(): void {
    this.renderer_.dispose();
    this.renderer_.forceContextLoss();
  }

  // How far away is what the image shows, by the world's model.
  private see_depths(): void {
    if (this.image_ === null || this.world_ === null) return;
    const body = mount_of(this.image_.eye).invert().premultiply(lens_then(this.image_));
    this.robot_?.stand_then(body, this.flippers_then_);
    this.sky_.visible = false;
    this.scene_.overrideMaterial = this.plain_;
    this.renderer_.setRenderTarget(this.depth_);
    this.renderer_.clear();
    this.renderer_.render(this.scene_, this.taken_from_);
    this.renderer_.setRenderTarget(null);
    this.scene_.overrideMaterial = null;
    this.sky_.visible = true;
  }
}
