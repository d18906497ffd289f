// Proof that someone receives what is sent to an address, without remembering anything about them: before it is shown,
// a stranger costs neither memory nor public-key work.
#pragma once

#include "forerun/base/time.hpp"
#include "forerun/sync/address.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

class RetryTokens {
 public:
  // `life` is how long a token is good for.
  RetryTokens(Cipher& cipher, Duration life) noexcept;

  [[nodiscard]] Token make(RobotTime now, const Address& address) const noexcept;
  [[nodiscard]] bool is_good(const Token& token, RobotTime now, const Address& address) const noexcept;
  // Eight bytes that only who receives at this address about now can know, bound to one session.
  [[nodiscard]] std::uint64_t challenge(std::uint32_t session, RobotTime now, const Address& address) const noexcept;
  [[nodiscard]] bool answers_challenge(std::uint64_t response, std::uint32_t session, RobotTime now,
                                       const Address& address) const noexcept;

 private:
  [[nodiscard]] Digest sign(std::uint8_t purpose, std::uint64_t number, const Address& address) const noexcept;
  [[nodiscard]] std::uint64_t question(std::uint32_t session, std::int64_t period,
                                       const Address& address) const noexcept;

  const Cipher& cipher_;
  Duration life_;
  Key secret_{};
};

}  // namespace forerun::sync
