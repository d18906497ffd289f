// Which part of the 3D view shows what: all of it one picture, or two beside (on a tall display above) each other.

export interface Pane {
  left: number; // [CSS px] from the left and the top of the view
  top: number;
  width: number;
  height: number;
}

const kStackBelow = 0.9; // width by height: narrower than this, two pictures stand above each other

export const is_stacked = (width: number, height: number): boolean => width < kStackBelow * height;

export function panes_of(width: number, height: number, split: boolean): [Pane] | [Pane, Pane] {
  if (!split) return [{ left: 0, top: 0, width, height }];
  if (is_stacked(width, height)) {
    const half = Math.round(height / 2);
    return [
      { left: 0, top: 0, width, height: half },
      { left: 0, top: half, width, height: height - half },
    ];
  }
  const half = Math.round(width / 2);
  return [
    { left: 0, top: 0, width: half, height },
    { left: half, top: 0, width: width - half, height },
  ];
}

export function pane_at<T extends Pane>(panes: readonly T[], x: number, y: number): number {
  return panes.findIndex(
    ({ left, top, width, height }) => x >= left && x < left + width && y >= top && y < top + height,
  );
}
