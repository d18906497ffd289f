/* The square of paper 3, as it was published: four times 100 mm ahead and 90 degrees to the left. The same object file
   drives the simulated robot and the real one; only the library that it is linked with is another. */
#include "forerun/kenaf/hrt_kenaf.h"

int main(int argc, char *argv[]) {
  int i;
  (void)argc;
  (void)argv;
  hrt_kenaf_init();
  for (i = 0; i < 4; i++) {
    hrt_show_status();
    hrt_go_forward(100.0); /* move 100.0 mm */
    hrt_turning(90.0);     /* turn 90.0 deg. */
  }
  hrt_stop();
  return 0;
}
