// The core as plain C functions: what core.wasm exports. No I/O, no clock, no callbacks; memory is fixed.
//
// Every function that can refuse returns a negative status then, or a null handle, and `forerun_text` says why in one
// sentence. Numbers, cells, bytes and text that a call gives stay where the pointers say until the next call. Handles
// may be freed in any order. Bytes that come from a network may be anything: they are refused, never trusted.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FORERUN_API_VERSION = 8 };  // grows when a function or a layout changes its meaning

typedef enum {
  FORERUN_OK = 0,
  FORERUN_STALE = 1,     // done, but the newest report is so old that the prediction stands still
  FORERUN_IGNORED = 2,   // the report was known already
  FORERUN_REFUSED = -1,  // bad input
  FORERUN_NOT_YET = -2,  // no report so far
} ForerunStatus;

typedef struct ForerunModel ForerunModel;
typedef struct ForerunPredictor ForerunPredictor;
typedef struct ForerunSimulation ForerunSimulation;
typedef struct ForerunRehearsal ForerunRehearsal;

// -- memory and results ----------------------------------------------------------------------------------------------

int32_t forerun_api_version(void);
// Room for input; null when there is none.
uint8_t* forerun_allocate(uint32_t size);
void forerun_free(uint8_t* bytes);
// What the last call gave.
const double* forerun_numbers(void);
const float* forerun_cells(void);
const uint8_t* forerun_bytes(void);
const char* forerun_text(void);  // UTF-8, ends with a zero
uint32_t forerun_text_size(void);

// -- model: one world and one robot ----------------------------------------------------------------------------------

// From the bytes that the robot side offers by hash (docs/formats.md). Null when they are refused.
ForerunModel* forerun_model_create(const uint8_t* bytes, uint32_t size);
void forerun_model_free(ForerunModel* model);

int32_t forerun_world_name(ForerunModel* model);                    // text
int32_t forerun_robot_name(ForerunModel* model);                    // text
int32_t forerun_material_name(ForerunModel* model, int32_t index);  // text
// Each gives how many there are, and for each the numbers named here. Metres, radians; colours linear, 0 … 1.
int32_t forerun_world_triangles(ForerunModel* model);  // ax ay az bx by bz cx cy cz material
int32_t forerun_world_materials(ForerunModel* model);  // red green blue
int32_t forerun_world_doors(ForerunModel* model);      // FORERUN_DOOR_…
int32_t forerun_robot_corners(ForerunModel* model);    // x y; none: the footprint is a disc
int32_t forerun_robot_body(ForerunModel* model);       // once, FORERUN_BODY_…
int32_t forerun_robot_crawler(ForerunModel* model);    // once, FORERUN_CRAWLER_…; none: it has no tracks

enum {
  FORERUN_DOOR_X,  // hinge
  FORERUN_DOOR_Y,
  FORERUN_DOOR_WIDTH,
  FORERUN_DOOR_HEIGHT,
  FORERUN_DOOR_THICKNESS,
  FORERUN_DOOR_CLOSED_ANGLE,
  FORERUN_DOOR_OPEN_ANGLE,
  FORERUN_DOOR_MATERIAL,
  FORERUN_DOOR_OPEN,  // 1: at the beginning
  FORERUN_DOOR_SIZE,
};

enum {
  FORERUN_BODY_RADIUS,
  FORERUN_BODY_HEIGHT,
  FORERUN_BODY_MAX_SPEED,
  FORERUN_BODY_MAX_TURN_RATE,
  FORERUN_BODY_CONTROL_PERIOD,
  FORERUN_BODY_GOAL_TOLERANCE,
  FORERUN_BODY_SONAR_CONE,  // full opening
  FORERUN_BODY_SIZE,
};

enum {
  FORERUN_CRAWLER_LENGTH,  // of the body
  FORERUN_CRAWLER_WIDTH,
  FORERUN_CRAWLER_HEIGHT,
  FORERUN_CRAWLER_TRACK_LENGTH,  // between the outer axles
  FORERUN_CRAWLER_TRACK_RADIUS,
  FORERUN_CRAWLER_TRACK_OFFSET,
  FORERUN_CRAWLER_HINGE_X,  // of the front left flipper
  FORERUN_CRAWLER_HINGE_Y,
  FORERUN_CRAWLER_FLIPPER_LENGTH,  // from hinge to tip
  FORERUN_CRAWLER_HINGE_RADIUS,
  FORERUN_CRAWLER_TIP_RADIUS,
  FORERUN_CRAWLER_FLIPPER_LIMIT,  // up and down [rad]
  FORERUN_CRAWLER_SIZE,
};

// How a robot with tracks rests there: height of its frame, roll to the right, pitch nose down. `height` is that of the
// frame where it was last known: what is much higher is a wall. Refused where there is no ground.
int32_t forerun_rest(ForerunModel* model, double x, double y, double heading, double height);

// -- plan view -------------------------------------------------------------------------------------------------------

// Numbers: width and height in cells, cell size, x and y of the low corner. Cells, x fastest: distance to the nearest
// obstacle, 0 where there is one or no floor. Gives the number of cells.
int32_t forerun_plan(ForerunModel* model);
// Refused where the robot cannot stand.
int32_t forerun_check_place(ForerunModel* model, double x, double y);
// Cells as above: what it costs to get from there to the goal [m, dearer near obstacles]; infinity where nothing does.
int32_t forerun_value_function(ForerunModel* model, double goal_x, double goal_y);
// x y of each point of the cheapest way, from a place to the goal of the last `forerun_value_function`; 0 points where
// there is none.
int32_t forerun_path_from(ForerunModel* model, double x, double y);
// What the sensors measure at a pose, as beams in the plan view: FORERUN_BEAM_… each.
int32_t forerun_beams(ForerunModel* model, double x, double y, double heading);

enum {
  FORERUN_BEAM_KIND,  // of the sensor: its place in robot::Sensor, so 0 is a laser and 1 a sonar
  FORERUN_BEAM_FROM_X,
  FORERUN_BEAM_FROM_Y,
  FORERUN_BEAM_TO_X,
  FORERUN_BEAM_TO_Y,
  FORERUN_BEAM_ECHO,  // 0: nothing within reach, the beam ends there
  FORERUN_BEAM_SIZE,
};

// -- reports and prediction ------------------------------------------------------------------------------------------

// The body of a SYNC frame (docs/protocol.md) as numbers: FORERUN_REPORT_….
int32_t forerun_decode_report(const uint8_t* body, uint32_t size);

// As in the list of a report's fields, robot/report_fields.hpp. What is not there is 0.
enum {
  FORERUN_REPORT_SEQUENCE,
  FORERUN_REPORT_ROBOT,
  FORERUN_REPORT_MODEL_HIGH,  // first eight bytes of the model's hash, as two numbers of 32 bits
  FORERUN_REPORT_MODEL_LOW,
  FORERUN_REPORT_TIME_S,   // robot's clock: whole seconds …
  FORERUN_REPORT_TIME_NS,  // … and nanoseconds
  FORERUN_REPORT_X,
  FORERUN_REPORT_Y,
  FORERUN_REPORT_HEADING,
  FORERUN_REPORT_SPEED,
  FORERUN_REPORT_SIDE_SPEED,
  FORERUN_REPORT_TURN_RATE,
  FORERUN_REPORT_ACCELERATION,
  FORERUN_REPORT_TURN_ACCELERATION,
  FORERUN_REPORT_HAS_TARGET,
  FORERUN_REPORT_TARGET_X,
  FORERUN_REPORT_TARGET_Y,
  FORERUN_REPORT_HAS_GOAL,
  FORERUN_REPORT_GOAL_X,
  FORERUN_REPORT_GOAL_Y,
  FORERUN_REPORT_REMAINING_WAIT,
  FORERUN_REPORT_UNTIL_DECISION,
  FORERUN_REPORT_MAX_SPEED,
  FORERUN_REPORT_MAX_TURN_RATE,
  FORERUN_REPORT_SIGMA_X,
  FORERUN_REPORT_SIGMA_Y,
  FORERUN_REPORT_SIGMA_HEADING,
  FORERUN_REPORT_CORRELATION,
  FORERUN_REPORT_TASK,    // 0 idle, 1 driving, 2 waiting, 3 done, 4 cancelled, 5 unreachable
  FORERUN_REPORT_MOTORS,  // 0 on, 1 off, 2 stopped, 3 fault
  FORERUN_REPORT_HAND_DRIVEN,
  FORERUN_REPORT_HAS_ODOMETRY,
  FORERUN_REPORT_ODOMETRY_X,
  FORERUN_REPORT_ODOMETRY_Y,
  FORERUN_REPORT_ODOMETRY_TURN,  // with whole turns
  FORERUN_REPORT_SIZE,
};

ForerunPredictor* forerun_predictor_create(ForerunModel* model);
void forerun_predictor_free(ForerunPredictor* predictor);
// Takes the body of a SYNC frame in. A time before that of the newest report, or more than FORERUN_HORIZON_S after it,
// starts over: the robot side was restarted, or someone goes back and forth in a recording. Ignored: the newest report
// once more.
int32_t forerun_predictor_resync(ForerunPredictor* predictor, const uint8_t* body, uint32_t size);
// A command of the one who watches (FORERUN_COMMAND_…), given and taking effect at these times of the robot's clock
// [ns]. `numbers`: FORERUN_GIVEN_… of them. `number` tells it from others, and may be shared by velocities in a row. It
// counts from the time of its effect on, whether a report shows it or not. Allocates nothing but for the first goal.
int32_t forerun_predictor_give(ForerunPredictor* predictor, uint32_t number, int32_t kind, int64_t given_ns,
                               int64_t effect_ns, const double* numbers);
// What became of it: FORERUN_SETTLED_…. What was lost or refused counts no more.
int32_t forerun_predictor_settle(ForerunPredictor* predictor, uint32_t number, int32_t outcome);
// Where it will be when the newest command lands, from the time advanced to on: FORERUN_LANDING_…, then the way there
// and on to where it would come to rest, x y heading each. Gives the number of places; 0: no command is under way.
int32_t forerun_predictor_landing(ForerunPredictor* predictor);

// Where the robot is at this time of its clock: FORERUN_PREDICTED_…. Never before the report; stale, and standing
// still, from FORERUN_HORIZON_S after it. Within the frames of one report, times must not go back. Allocates nothing.
int32_t forerun_predictor_advance(ForerunPredictor* predictor, int64_t robot_time_ns);
// One frame of what to draw, `frame_s` after the last one: FORERUN_SHOWN_…. Follows `advance` smoothly, never through
// a wall. Allocates nothing.
int32_t forerun_predictor_show(ForerunPredictor* predictor, double frame_s);
// The next frame shows the prediction as it is, at once.
int32_t forerun_predictor_show_anew(ForerunPredictor* predictor);
// The way ahead: where the replica goes from the time advanced to, every `step_s` up to `ahead_s` (at most 60 s and
// 1200 points): x y heading each. The first point is where the robot is predicted to be.
int32_t forerun_predictor_look_ahead(ForerunPredictor* predictor, double ahead_s, double step_s);
// Where the world is not as the model says, as the robot has told, at this time of its clock: FORERUN_SEEN_… each.
// First what stands there, then what moves, where it is expected by then. Gives how many there are.
int32_t forerun_predictor_seen(ForerunPredictor* predictor, int64_t robot_time_ns);
// As `forerun_beams`, with that in their way. `model`: the one that the predictor was made from.
int32_t forerun_predictor_beams(ForerunPredictor* predictor, ForerunModel* model, int64_t robot_time_ns, double x,
                                double y, double heading);

enum {
  FORERUN_THING_BOX,
  FORERUN_THING_DOOR,  // stands otherwise than in the model
  FORERUN_THING_MOVING,
};

enum {
  FORERUN_SEEN_KIND,  // FORERUN_THING_…
  FORERUN_SEEN_X,     // middle; of a door that of its leaf
  FORERUN_SEEN_Y,
  FORERUN_SEEN_HEADING,      // of what moves: where to
  FORERUN_SEEN_HALF_LENGTH,  // along the heading; of what moves its radius
  FORERUN_SEEN_HALF_WIDTH,
  FORERUN_SEEN_TRUST,    // how much is left of what was known: 1, of what moves down to 0
  FORERUN_SEEN_DOOR,     // by its place in forerun_world_doors; -1: it is none
  FORERUN_SEEN_OPENING,  // of a door: 0 closed … 1 open
  FORERUN_SEEN_SIZE,
};

// From here on value function and paths of the model lead through the world as the predictor's robot has told it, so
// round doors that are closed; null: as it is in the model. 1: they are others now; 0: as before.
int32_t forerun_plan_as_told(ForerunModel* model, const ForerunPredictor* predictor);

// The mission of this number, signed, as the program passes it on (docs/formats.md): where reports name it, the robot
// is predicted on its path. Numbers: its points, FORERUN_TIMED_… each; how much room there is along it is not known
// (not a number). Text: its name, and in a line of its own its actions, as a mission file lists them
// (docs/formats.md). Gives the number of points.
int32_t forerun_predictor_mission(ForerunPredictor* predictor, uint64_t number, const uint8_t* object, uint32_t size);

enum { FORERUN_HORIZON_S = 120 };

// Where the robot is with some probability. The outline is that of where its body may be: closed lines, x y each, with
// a place that is no number between two lines and after the last.
enum {
  FORERUN_OUTLINE_POINTS = 62,
  FORERUN_REGION_RADIUS = 0,  // of the disc with the area in which its middle is [m]
  FORERUN_REGION_OUTLINE,
  FORERUN_REGION_SIZE = FORERUN_REGION_OUTLINE + FORERUN_OUTLINE_POINTS + FORERUN_OUTLINE_POINTS,  // x y each
};

enum {
  FORERUN_PREDICTED_X,
  FORERUN_PREDICTED_Y,
  FORERUN_PREDICTED_HEADING,
  FORERUN_PREDICTED_SPEED,
  FORERUN_PREDICTED_SIDE_SPEED,
  FORERUN_PREDICTED_TURN_RATE,
  FORERUN_PREDICTED_TASK,
  FORERUN_PREDICTED_TARGET_X,
  FORERUN_PREDICTED_TARGET_Y,
  FORERUN_PREDICTED_GAP,   // since the report [s]
  FORERUN_PREDICTED_IN50,  // where it is with 50 %: FORERUN_REGION_…
  FORERUN_PREDICTED_IN95 = FORERUN_PREDICTED_IN50 + FORERUN_REGION_SIZE,
  FORERUN_PREDICTED_EXTRAPOLATED = FORERUN_PREDICTED_IN95 + FORERUN_REGION_SIZE,  // x, y, heading, had it just gone on
  FORERUN_PREDICTED_SPEED_SCALE = FORERUN_PREDICTED_EXTRAPOLATED + 3,
  FORERUN_PREDICTED_STATUS,  // 1 fresh, 2 predicted, 3 stale
  FORERUN_PREDICTED_SIZE,
};

enum {
  FORERUN_SHOWN_X,
  FORERUN_SHOWN_Y,
  FORERUN_SHOWN_HEADING,
  FORERUN_SHOWN_PRESENCE,  // how visible, 0 … 1
  FORERUN_SHOWN_JUMPED,
  FORERUN_SHOWN_ON_PLAN,
  FORERUN_SHOWN_BEHIND,  // distance to the prediction
  FORERUN_SHOWN_SIZE,
};

enum {
  FORERUN_GIVEN_X_OR_V,  // x, y of a goal; forward and sideways [m/s] and turning [rad/s] of a drive
  FORERUN_GIVEN_Y_OR_VY,
  FORERUN_GIVEN_W,
  FORERUN_GIVEN_UNCERTAINTY,  // of the time of effect: a standard deviation [s]
  FORERUN_GIVEN_CHANCE_LOST,  // of its message
  FORERUN_GIVEN_SIZE,
};

enum {
  FORERUN_SETTLED_CONFIRMED = 0,
  FORERUN_SETTLED_REFUSED = 1,
  FORERUN_SETTLED_LOST = 2,
};

enum {
  FORERUN_LANDING_NUMBER,  // of the newest command
  FORERUN_LANDING_AFTER,   // it lands after this time [s]
  FORERUN_LANDING_X,
  FORERUN_LANDING_Y,
  FORERUN_LANDING_HEADING,
  FORERUN_LANDING_BY_ITSELF,  // 1: it goes to a goal then, and the place of rest says nothing
  FORERUN_LANDING_REST_X,     // where it would come to rest, were it let go of now
  FORERUN_LANDING_REST_Y,
  FORERUN_LANDING_REST_HEADING,
  FORERUN_LANDING_MEETS_WALL,  // 1: something is in its way …
  FORERUN_LANDING_CONTACT_X,   // … when it stands here
  FORERUN_LANDING_CONTACT_Y,
  FORERUN_LANDING_CONTACT_HEADING,
  FORERUN_LANDING_SIZE,
};

// -- simulation ------------------------------------------------------------------------------------------------------

// A robot that drives through a scenario, to the bit as natively. Scenario: start x, y, heading, number of goals,
// number of door times; then x, y, wait of each goal; then door, close at, open at. Realities: 0 exact, 1 noisy, 2
// mismatched, 3 crowded.
ForerunSimulation* forerun_simulation_create(ForerunModel* model, const double* scenario, uint32_t n_numbers,
                                             int32_t reality, uint32_t seed);
void forerun_simulation_free(ForerunSimulation* simulation);
// Until this time at least, or all goals are done and nobody drives by hand: then 1, else 0.
int32_t forerun_simulation_run(ForerunSimulation* simulation, double until_s);
// What an operator asks of the robot: FORERUN_COMMAND_…. x, y: of a goal; v, vy, w: of a drive, which holds until the
// next command. Refused, with the reason as text, where the robot cannot do that.
int32_t forerun_simulation_command(ForerunSimulation* simulation, int32_t kind, double x_or_v, double y_or_vy,
                                   double w);
int32_t forerun_simulation_state(ForerunSimulation* simulation);  // FORERUN_SIMULATED_…
// What the robot would report now: bytes, the body of a SYNC frame. Gives their number.
int32_t forerun_simulation_report(ForerunSimulation* simulation);

enum {
  FORERUN_COMMAND_GOAL = 1,
  FORERUN_COMMAND_CANCEL = 2,
  FORERUN_COMMAND_STOP = 3,
  FORERUN_COMMAND_DRIVE = 4,
  FORERUN_COMMAND_START = 5,  // a mission: not of simulations
};

enum {
  FORERUN_SIMULATED_TIME_NS,
  FORERUN_SIMULATED_X,
  FORERUN_SIMULATED_Y,
  FORERUN_SIMULATED_HEADING,
  FORERUN_SIMULATED_REACHED,     // goals
  FORERUN_SIMULATED_COLLISIONS,  //
  FORERUN_SIMULATED_PATH_LENGTH,
  FORERUN_SIMULATED_HASH_HIGH,  // of everything that happened, as two numbers of 32 bits
  FORERUN_SIMULATED_HASH_LOW,
  FORERUN_SIMULATED_SIZE,
};

// -- rehearsal -------------------------------------------------------------------------------------------------------

// A mission made with the phantom, the copy of a robot: tried out, trimmed, computed, driven in the simulator, written
// down. No robot and no link are needed. Null where the phantom cannot stand.
ForerunRehearsal* forerun_rehearsal_create(ForerunModel* model, double x, double y, double heading);
void forerun_rehearsal_free(ForerunRehearsal* rehearsal);

// By hand, for `step_s`, in steps of 0.05 s. While the phantom stands and is to stand, time stands too. 1: it stands;
// else 0. Whatever changes the path makes its cuts and its mission void.
int32_t forerun_rehearsal_drive(ForerunRehearsal* rehearsal, double v, double vy, double w, double step_s);
// The planner is to drive it there; `forerun_rehearsal_run` lets it. `action`: the name of what it does there, where it
// stands; of no bytes: nothing.
int32_t forerun_rehearsal_send(ForerunRehearsal* rehearsal, double x, double y, double wait_s, const uint8_t* action,
                               uint32_t size);
// For `step_s`. 1: it is there, has waited and stands; else 0.
int32_t forerun_rehearsal_run(ForerunRehearsal* rehearsal, double step_s);
// Forgets all but the first `n_stretches`: a stretch leads from rest to rest, by hand or to one waypoint.
int32_t forerun_rehearsal_keep(ForerunRehearsal* rehearsal, int32_t n_stretches);
int32_t forerun_rehearsal_state(ForerunRehearsal* rehearsal);  // FORERUN_PHANTOM_…
// The points of the recorded path from this one on: FORERUN_TRIED_… each. Gives their number.
int32_t forerun_rehearsal_path(ForerunRehearsal* rehearsal, int32_t from);

// Finds what is redundant. Numbers: bump_m, back_and_forth_m, loop_m, dwell_s (docs/missions.md), then x, y, radius of
// each place that must lose nothing. Gives the number of cuts.
int32_t forerun_rehearsal_trim(ForerunRehearsal* rehearsal, const double* redundancy, uint32_t n_numbers);
int32_t forerun_rehearsal_cuts(ForerunRehearsal* rehearsal);   // FORERUN_CUT_… each
int32_t forerun_rehearsal_uncut(ForerunRehearsal* rehearsal);  // what comes back and is not cut: FORERUN_UNCUT_… each
// Takes a cut back (0), or makes it after all (1).
int32_t forerun_rehearsal_apply(ForerunRehearsal* rehearsal, int32_t cut, int32_t applied);

// Computes control for what is left of the path, and drives it in the simulator. Refused, with the reason, where that
// does not get to its end without touching anything. Gives the number of points of the mission's path.
int32_t forerun_rehearsal_compute(ForerunRehearsal* rehearsal);
int32_t forerun_rehearsal_mission_path(ForerunRehearsal* rehearsal);  // FORERUN_TIMED_… each
int32_t forerun_rehearsal_trial(ForerunRehearsal* rehearsal);         // FORERUN_TRIAL_…
int32_t forerun_rehearsal_actions(ForerunRehearsal* rehearsal);       // text, as a file lists them. Gives their number
// The mission file (docs/formats.md), not signed, as bytes. `name`: 1 to 100 bytes of UTF-8. Gives its size.
int32_t forerun_rehearsal_write(ForerunRehearsal* rehearsal, const uint8_t* name, uint32_t size);
// The mission as it travels, without a seal (docs/formats.md), likewise.
int32_t forerun_rehearsal_pack(ForerunRehearsal* rehearsal, const uint8_t* name, uint32_t size);

enum {
  FORERUN_PHANTOM_TIME,  // since the beginning [s]
  FORERUN_PHANTOM_X,
  FORERUN_PHANTOM_Y,
  FORERUN_PHANTOM_HEADING,
  FORERUN_PHANTOM_SPEED,
  FORERUN_PHANTOM_TURN_RATE,
  FORERUN_PHANTOM_LENGTH,      // way driven [m]
  FORERUN_PHANTOM_COLLISIONS,  // so far
  FORERUN_PHANTOM_POINTS,      // of the recorded path
  FORERUN_PHANTOM_STRETCHES,
  FORERUN_PHANTOM_SIZE,
};

enum {
  FORERUN_TRIED_TIME,
  FORERUN_TRIED_X,
  FORERUN_TRIED_Y,
  FORERUN_TRIED_HEADING,
  FORERUN_TRIED_BUMPED,
  FORERUN_TRIED_TOUCHED,  // a contact began here, with or without a bumper to feel it
  FORERUN_TRIED_SIZE,
};

enum {
  FORERUN_CUT_KIND,  // 0 bump and back up, 1 back and forth, 2 loop, 3 dwell
  FORERUN_CUT_FROM,  // point of the recorded path
  FORERUN_CUT_TO,
  FORERUN_CUT_FROM_TIME,
  FORERUN_CUT_LENGTH,    // left out [m]
  FORERUN_CUT_DURATION,  // left out [s]
  FORERUN_CUT_GAP,       // between its ends [m]
  FORERUN_CUT_APPLIED,
  FORERUN_CUT_SIZE,
};

enum {
  FORERUN_UNCUT_KIND,
  FORERUN_UNCUT_WHY,  // 0 too long, 1 a place that is kept, 2 a waypoint
  FORERUN_UNCUT_FROM,
  FORERUN_UNCUT_TO,
  FORERUN_UNCUT_LENGTH,
  FORERUN_UNCUT_SIZE,
};

enum {
  FORERUN_TIMED_TIME,
  FORERUN_TIMED_X,
  FORERUN_TIMED_Y,
  FORERUN_TIMED_HEADING,
  FORERUN_TIMED_SPEED,
  FORERUN_TIMED_SIDE_SPEED,
  FORERUN_TIMED_TURN_RATE,
  FORERUN_TIMED_CLEARANCE,  // room around the footprint, at most 2 m
  FORERUN_TIMED_SIZE,
};

enum {
  FORERUN_TRIAL_DURATION,  // of the mission [s]
  FORERUN_TRIAL_LENGTH,    // of its path [m]
  FORERUN_TRIAL_MIN_CLEARANCE,
  FORERUN_TRIAL_NEAREST_X,  // where that is
  FORERUN_TRIAL_NEAREST_Y,
  FORERUN_TRIAL_OFF_PATH_RMS,  // of the phantom, driving it [m]
  FORERUN_TRIAL_OFF_PATH_MAX,
  FORERUN_TRIAL_SIZE,
};

#ifdef __cplusplus
}
#endif
