// What a command is given, and what it gives back.
#pragma once

#include <span>

namespace forerun::cli {

// What stands on the command line after the subcommand's name.
using Arguments = std::span<const char* const>;

// Exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kCannot = 1;         // understood, but could not do what was asked
inline constexpr int kBadInput = 2;       // wrong usage, file or value
inline constexpr int kInterrupted = 130;  // stopped by the user

}  // namespace forerun::cli
