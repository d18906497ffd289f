// What a robot says to a command: yes, no with a reason, or that it will say so in a moment.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forerun::robot {

// The numbers travel (docs/protocol.md).
enum class Refusal : std::uint8_t {
  none = 0,
  malformed = 1,         // numbers that cannot be
  cannot_stand = 2,      // the goal lies in a wall or too near to one, or outside the world
  cannot_get_there = 3,  // no way leads to the goal
  motors_off = 4,
  fault = 5,     // something is broken
  busy = 6,      // with what must not be interrupted
  not_able = 7,  // this robot cannot do such a thing at all
  absent = 8,    // nothing is there that could carry it out
  other = 9,     // see the words
};
inline constexpr std::uint8_t kRefusals = 10;
// One word, as in JSON.
[[nodiscard]] const char* to_string(Refusal refusal) noexcept;
// Why, for people: goes on after "The robot refused it: ".
[[nodiscard]] const char* explain(Refusal refusal) noexcept;

// A short text from outside, fit to be shown: UTF-8, no control characters, cut to its longest.
class Words {
 public:
  static constexpr std::size_t kLongest = 80;  // [bytes]

  Words() = default;
  explicit Words(std::string_view text) noexcept;
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  std::array<char, kLongest> text_{};
  std::uint8_t size_ = 0;
};

struct Reply {
  enum class State : std::uint8_t { accepted, refused, pending };
  State state = State::accepted;
  Refusal refusal = Refusal::none;  // why, where it is refused
  Words words;                      // the robot's own, where it has any
};
[[nodiscard]] inline Reply accept() noexcept { return {}; }
[[nodiscard]] inline Reply refuse(Refusal why, std::string_view words = {}) noexcept {
  return {Reply::State::refused, why, Words(words)};
}
[[nodiscard]] inline Reply wait() noexcept { return {.state = Reply::State::pending}; }

}  // namespace forerun::robot
