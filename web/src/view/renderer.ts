// Makes what draws in 3D, as good as this machine can afford.

import * as THREE from 'three';

const kMaxPixelRatio = 2;

// A context that the graphics card draws; where there is none, one that the processor draws, with rough edges: smooth
// ones take it four times as long.
function make_context(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  const wishes: WebGLContextAttributes = { powerPreference: 'high-performance', stencil: false };
  const fast = { ...wishes, antialias: devicePixelRatio < 2, failIfMajorPerformanceCaveat: true };
  return canvas.getContext('webgl2', fast) ?? canvas.getContext('webgl2', { ...wishes, antialias: false });
}

// Throws where there is no WebGL 2.
export function make_renderer(): THREE.WebGLRenderer {
  const canvas = document.createElement('canvas');
  const context = make_context(canvas);
  if (context === null) throw new Error('this browser gives no WebGL 2');
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  const fast = context.getContextAttributes()?.failIfMajorPerformanceCaveat === true;
  renderer.setPixelRatio(fast ? Math.min(kMaxPixelRatio, devicePixelRatio) : 1);
  return renderer;
}

// Makes all shaders ready before the first picture, by drawing everything into one pixel. Whoever makes a shader between
// two pictures waits until the first of them is drawn, which takes a processor half a second. (`compile` of three.js does
// not know of clipping and would make others than those that are used.)
export function make_ready(renderer: THREE.WebGLRenderer, scene: THREE.Scene, camera: THREE.Camera): void {
  const before: [THREE.Object3D, { visible: boolean; frustumCulled: boolean }][] = [];
  scene.traverse((part) => {
    before.push([part, { visible: part.visible, frustumCulled: part.frustumCulled }]);
    Object.assign(part, { visible: true, frustumCulled: false });
  });
  renderer.setScissorTest(true);
  renderer.setScissor(0, 0, 1, 1);
  renderer.setViewport(0, 0, 1, 1);
  renderer.render(scene, camera);
  for (const [part, flags] of before) Object.assign(part, flags);
}
