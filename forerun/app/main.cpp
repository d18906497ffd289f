#include <fcntl.h>
#include <unistd.h>

#include "forerun/app/commands.hpp"
#include "forerun/cli/terminal.hpp"

namespace {

// A standard stream that is closed would become the first file or socket that is opened, and its bytes our input.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // the lowest free descriptor is taken, which is this one
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) _exit(forerun::cli::kCannot);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  forerun::cli::end_on_interrupt();
  const auto given = static_cast<std::size_t>(argc > 0 ? argc - 1 : 0);
  return forerun::app::run_program(forerun::cli::Arguments(argv + 1, given));
}
