// What a library has to say beside its results. Who uses it decides to whom.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

namespace forerun::net {

// Takes one sentence, without a full stop.
using OnComplaint = std::function<void(const std::string& sentence)>;

// `forerun: <sentence>` on standard error: what the program does, and the usual choice.
inline void print_complaint(const std::string& sentence) { std::fprintf(stderr, "forerun: %s\n", sentence.c_str()); }

}  // namespace forerun::net
