// Where a report's numbers stand in the body of a SYNC frame, and in which steps. Not written by hand: the list is
// forerun/robot/report_fields.hpp, and tests/robot/report_fields_test.cpp says what must stand here when it changes.

export const kNumbers = {
  sequence: { at: 0, as: 'u32', step: 1 },
  robot: { at: 4, as: 'u32', step: 1 },
  model: { at: 8, as: 'u64', step: 1 },
  time: { at: 16, as: 'i64', step: 1e-09 },
  x: { at: 24, as: 'i32', step: 1e-04 },
  y: { at: 28, as: 'i32', step: 1e-04 },
  heading: { at: 32, as: 'u16', step: 9.587379924285257e-05 },
  speed: { at: 34, as: 'i16', step: 5e-04 },
  side_speed: { at: 36, as: 'i16', step: 5e-04 },
  turn_rate: { at: 38, as: 'i16', step: 0.001 },
  acceleration: { at: 40, as: 'i16', step: 0.001 },
  turn_acceleration: { at: 42, as: 'i16', step: 0.004 },
  target_dx: { at: 44, as: 'i16', step: 0.002 },
  target_dy: { at: 46, as: 'i16', step: 0.002 },
  goal_x: { at: 48, as: 'i32', step: 0.001 },
  goal_y: { at: 52, as: 'i32', step: 0.001 },
  remaining_wait: { at: 56, as: 'u32', step: 0.001 },
  until_decision: { at: 60, as: 'u16', step: 1e-04 },
  max_speed: { at: 62, as: 'u16', step: 5e-04 },
  max_turn_rate: { at: 64, as: 'u16', step: 0.001 },
  sigma_x: { at: 66, as: 'u16', step: 5e-04 },
  sigma_y: { at: 68, as: 'u16', step: 5e-04 },
  sigma_heading: { at: 70, as: 'u16', step: 1e-04 },
  correlation: { at: 72, as: 'i8', step: 0.007874015748031496 },
  task: { at: 73, as: 'u8', step: 1 },
  motors: { at: 74, as: 'u8', step: 1 },
  flags: { at: 75, as: 'u8', step: 1 },
  odometry_x: { at: 76, as: 'i24', step: 0.001 },
  odometry_y: { at: 79, as: 'i24', step: 0.001 },
  odometry_turn: { at: 82, as: 'i16', step: 0.0015339807878856412 },
} as const;

export const kFlags = {
  target: 1,
  goal: 2,
  hand_driven: 4,
  odometry: 8,
} as const;

export const kWords = {
  task: ['idle', 'driving', 'waiting', 'done', 'cancelled', 'unreachable'],
  motors: ['on', 'off', 'stopped', 'fault'],
} as const;
