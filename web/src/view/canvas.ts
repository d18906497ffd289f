// Canvases that are as sharp as the display.

export interface Size {
  width: number; // [CSS px]
  height: number;
}

const kMaxPixelRatio = 2;

// As large as it is shown, empty, and in CSS pixels. Null: it is not shown.
export function begin_drawing(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): Size | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return null;
  const ratio = Math.min(kMaxPixelRatio, devicePixelRatio);
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { width, height };
}
