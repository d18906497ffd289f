#include "forerun/sync/retry_token.hpp"

#include <algorithm>

namespace forerun::sync {
namespace {

constexpr std::uint8_t kForToken = 1;
constexpr std::uint8_t kForChallenge = 2;
constexpr std::int64_t kPeriod = std::int64_t{30} * 1'000'000'000;  // [ns]
constexpr std::size_t kMacSize = kTokenSize - 8;

// Takes the same time wherever the two differ.
bool are_equal(Bytes a, Bytes b) noexcept {
  std::uint8_t difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<std::uint8_t>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

RetryTokens::RetryTokens(Cipher& cipher, Duration life) noexcept : cipher_(cipher), life_(life) {
  cipher.draw(secret_);
}

Digest RetryTokens::sign(std::uint8_t purpose, std::uint64_t number, const Address& address) const noexcept {
  std::array<std::uint8_t, 27> message;
  ByteWriter out(message);
  out.u8(purpose);
  out.u64(number);
  out.bytes(address.ip);
  out.u16(address.port);
  return cipher_.mac(secret_, message);
}

Token RetryTokens::make(RobotTime now, const Address& address) const noexcept {
  Token token;
  ByteWriter out(token);
  out.i64(now.ns);
  out.bytes(Bytes(sign(kForToken, static_cast<std::uint64_t>(now.ns), address)).first(kMacSize));
  return token;
}

bool RetryTokens::is_good(const Token& token, RobotTime now, const Address& address) const noexcept {
  ByteReader in(token);
  const RobotTime made{in.i64()};
  if (made > now || made.ns < 0 || now - made > life_) return false;
  const Digest right = sign(kForToken, static_cast<std::uint64_t>(made.ns), address);
  return are_equal(in.bytes(kMacSize), Bytes(right).first(kMacSize));
}

// Periods of half a minute, so that an answer is worth nothing when it is old.
std::uint64_t RetryTokens::question(std::uint32_t session, std::int64_t period, const Address& address) const noexcept {
  const std::uint64_t number = std::uint64_t{session} << 32 | static_cast<std::uint32_t>(period);
  const Digest digest = sign(kForChallenge, number, address);
  return ByteReader(digest).u64();
}

std::uint64_t RetryTokens::challenge(std::uint32_t session, RobotTime now, const Address& address) const noexcept {
  return question(session, now.ns / kPeriod, address);
}

bool RetryTokens::answers_challenge(std::uint64_t response, std::uint32_t session, RobotTime now,
                                    const Address& address) const noexcept {
  const std::int64_t period = now.ns / kPeriod;
  return response == question(session, period, address) || response == question(session, period - 1, address);
}

}  // namespace forerun::sync
