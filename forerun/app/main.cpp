#include "forerun/app/commands.hpp"

int main(int argc, char** argv) {
  const auto given = static_cast<std::size_t>(argc > 0 ? argc - 1 : 0);
  return forerun::app::run_program(forerun::app::Arguments(argv + 1, given));
}
