/* The robot Kenaf, for C and C++ programs. Linked with hrt_kenaf_sim a program drives the simulated robot, linked with
   hrt_kenaf_can the real one; not one line of it changes. docs/kenaf.md has the rest.

   Functions give 0, or -1 and a sentence in hrt_last_error(). The first six also print that sentence on standard error,
   since short programs do not ask. */
#ifndef FORERUN_KENAF_HRT_KENAF_H
#define FORERUN_KENAF_HRT_KENAF_H

#if defined(__GNUC__)
#define HRT_API __attribute__((visibility("default")))
#else
#define HRT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Flippers, in the order of all lists of four. */
enum hrt_flipper { HRT_FRONT_LEFT, HRT_FRONT_RIGHT, HRT_REAR_LEFT, HRT_REAR_RIGHT };

struct hrt_status {
  long left_ticks, right_ticks; /* encoders of the tracks, 2000 a turn of their wheels */
  double left_mm, right_mm;     /* the same as length of belt that has passed */
  long flipper_ticks[4];        /* encoders of the flippers, 2000 a turn, up is positive */
  double flipper_deg[4];
  double roll_deg, pitch_deg, yaw_deg; /* right side down, nose up, turned left are positive */
  double battery_s;                    /* how long it will last [s] */
  int fallen;                          /* 1: lies on its side or its back */
  int timed_out;                       /* 1: its motors stand because no command came for half a second */
  double age_s;                        /* since this came from the robot [s] */
};

/* Finds the robot and waits for its first status, three seconds at most. */
HRT_API int hrt_kenaf_init(void);
/* Drives straight on, back where mm is negative, and comes back when it stands there. By the tracks' encoders. */
HRT_API int hrt_go_forward(double mm);
/* Turns on the spot, left is positive, and comes back when it stands there. By the inertial sensor. */
HRT_API int hrt_turning(double deg);
/* Prints the newest status on standard output. */
HRT_API int hrt_show_status(void);
/* Stops the tracks. From another thread it also ends hrt_go_forward and hrt_turning, which are refused until it comes
   back. */
HRT_API int hrt_stop(void);
/* Stops, and leaves the robot. Happens by itself when the program ends. */
HRT_API int hrt_kenaf_close(void);

/* Beneath them: speeds of the tracks [mm/s], at most 1000 either way; they hold until the next call. */
HRT_API int hrt_set_track_speeds(double left_mm_per_s, double right_mm_per_s);
/* Where the flippers shall go [deg], at most 180 either way, up is positive. */
HRT_API int hrt_set_flipper_angles(const double deg[4]);
/* The newest status. The robot sends about 20 a second. */
HRT_API int hrt_get_status(struct hrt_status* status);
/* What went wrong last in this thread: one sentence, never NULL. It stays until the next that goes wrong. */
HRT_API const char* hrt_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
