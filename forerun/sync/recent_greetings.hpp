// Greetings that were answered while their tokens are good: the same one never makes a second session.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "forerun/base/time.hpp"

namespace forerun::sync {

// Bounded by the rate at which greetings are answered at all: two lives of a token are remembered at most.
class RecentGreetings {
 public:
  explicit RecentGreetings(Duration life) noexcept : life_(life) {}

  // `greeting` is the beginning of its ephemeral key.
  void remember(RobotTime now, std::uint64_t greeting, std::uint32_t session) {
    if (now - since_ > life_) {
      before_ = std::exchange(now_, {});
      since_ = now;
    }
    now_.emplace(greeting, session);
  }
  // The session that it made; zero when it made none.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t greeting) const noexcept {
    for (const auto* generation : {&now_, &before_}) {
      const auto found = generation->find(greeting);
      if (found != generation->end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  Duration life_;
  RobotTime since_;
  std::unordered_map<std::uint64_t, std::uint32_t> now_, before_;
};

}  // namespace forerun::sync
