// Where the numbers stand that core.wasm gives: the enumerators of forerun/wasm/core_api.h (a test compares them).

export const kApiVersion = 3;

export const kStatus = { ok: 0, stale: 1, ignored: 2, refused: -1, not_yet: -2 } as const;

export const kDoor = {
  x: 0,
  y: 1,
  width: 2,
  height: 3,
  thickness: 4,
  closed_angle: 5,
  open_angle: 6,
  material: 7,
  open: 8,
  size: 9,
} as const;

export const kBody = {
  radius: 0,
  height: 1,
  max_speed: 2,
  max_turn_rate: 3,
  control_period: 4,
  goal_tolerance: 5,
  sonar_cone: 6,
  size: 7,
} as const;

export const kBeam = { kind: 0, from_x: 1, from_y: 2, to_x: 3, to_y: 4, echo: 5, size: 6 } as const;

// Where the robot is with some probability; the outline: x y each, NaN between two lines and after the last.
export const kRegion = { radius: 0, outline: 1, size: 125 } as const;

export const kPredicted = {
  x: 0,
  y: 1,
  heading: 2,
  speed: 3,
  side_speed: 4,
  turn_rate: 5,
  task: 6,
  target_x: 7,
  target_y: 8,
  gap: 9,
  in50: 10,
  in95: 135,
  extrapolated: 260,
  speed_scale: 263,
  status: 264,
  size: 265,
} as const;

export const kShown = { x: 0, y: 1, heading: 2, presence: 3, jumped: 4, on_plan: 5, behind: 6, size: 7 } as const;
