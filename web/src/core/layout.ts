// Where the numbers stand that core.wasm gives: the enumerators of forerun/wasm/core_api.h (a test compares them).

export const kApiVersion = 8;

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

export const kCrawler = {
  length: 0,
  width: 1,
  height: 2,
  track_length: 3,
  track_radius: 4,
  track_offset: 5,
  hinge_x: 6,
  hinge_y: 7,
  flipper_length: 8,
  hinge_radius: 9,
  tip_radius: 10,
  flipper_limit: 11,
  size: 12,
} as const;

export const kBeam = { kind: 0, from_x: 1, from_y: 2, to_x: 3, to_y: 4, echo: 5, size: 6 } as const;

// Where the world is not as its model says.
export const kThing = { box: 0, door: 1, moving: 2 } as const;
export const kSeen = {
  kind: 0,
  x: 1,
  y: 2,
  heading: 3,
  half_length: 4,
  half_width: 5,
  trust: 6,
  door: 7,
  opening: 8,
  size: 9,
} as const;

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

// A command of ours, and what became of it.
export const kCommand = { goal: 1, cancel: 2, stop: 3, drive: 4, start: 5 } as const;
export const kGiven = { x_or_v: 0, y_or_vy: 1, w: 2, uncertainty: 3, chance_lost: 4, size: 5 } as const;
export const kSettled = { confirmed: 0, refused: 1, lost: 2 } as const;

// Where it will be when the newest command lands; then the way there and to rest, x y heading each.
export const kLanding = {
  number: 0,
  after: 1,
  x: 2,
  y: 3,
  heading: 4,
  by_itself: 5,
  rest_x: 6,
  rest_y: 7,
  rest_heading: 8,
  meets_wall: 9,
  contact_x: 10,
  contact_y: 11,
  contact_heading: 12,
  size: 13,
} as const;

export const kShown = { x: 0, y: 1, heading: 2, presence: 3, jumped: 4, on_plan: 5, behind: 6, size: 7 } as const;

// A rehearsal: the phantom now, points of what was tried out, cuts, and the mission that came of it.
export const kPhantom = {
  time: 0,
  x: 1,
  y: 2,
  heading: 3,
  speed: 4,
  turn_rate: 5,
  length: 6,
  collisions: 7,
  points: 8,
  stretches: 9,
  size: 10,
} as const;

export const kTried = { time: 0, x: 1, y: 2, heading: 3, bumped: 4, touched: 5, size: 6 } as const;

export const kCut = {
  kind: 0,
  from: 1,
  to: 2,
  from_time: 3,
  length: 4,
  duration: 5,
  gap: 6,
  applied: 7,
  size: 8,
} as const;

export const kUncut = { kind: 0, why: 1, from: 2, to: 3, length: 4, size: 5 } as const;

export const kTimed = {
  time: 0,
  x: 1,
  y: 2,
  heading: 3,
  speed: 4,
  side_speed: 5,
  turn_rate: 6,
  clearance: 7,
  size: 8,
} as const;

export const kTrial = {
  duration: 0,
  length: 1,
  min_clearance: 2,
  nearest_x: 3,
  nearest_y: 4,
  off_path_rms: 5,
  off_path_max: 6,
  size: 7,
} as const;
