#include "forerun/robot/reply.hpp"

#include <algorithm>

#include "forerun/base/utf8.hpp"

namespace forerun::robot {
namespace {

struct Meaning {
  const char* word;
  const char* sentence;
};

constexpr std::array<Meaning, kRefusals> kMeanings{{
    {"none", "it does not say why"},
    {"malformed", "its numbers cannot be"},
    {"cannot_stand", "the goal lies in a wall or too near to one, or outside the world"},
    {"cannot_get_there", "no way leads to the goal"},
    {"motors_off", "its motors are off"},
    {"fault", "it has a fault"},
    {"busy", "it is busy with what must not be interrupted"},
    {"not_able", "it cannot do such a thing"},
    {"absent", "its control system is not connected"},
    {"other", "it does not say why"},
}};

const Meaning& meaning_of(Refusal refusal) noexcept {
  const auto place = static_cast<std::size_t>(refusal);
  return kMeanings[place < kMeanings.size() ? place : static_cast<std::size_t>(Refusal::other)];
}

}  // namespace

const char* to_string(Refusal refusal) noexcept { return meaning_of(refusal).word; }
const char* explain(Refusal refusal) noexcept { return meaning_of(refusal).sentence; }

Words::Words(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t n = first_character(text);
    std::string_view character = text.substr(0, n);
    text.remove_prefix(n > 0 ? n : 1);
    if (n == 0) character = "?";
    if (is_control(character)) character = " ";
    if (size_ + character.size() > kLongest) return;
    for (const char c : character) text_[size_++] = c;
  }
}

}  // namespace forerun::robot
