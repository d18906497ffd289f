#include "forerun/sync/retry_token.hpp"

#include <algorithm>

namespace forerun::sync {
namespace {

constexpr std::uint8_t kForToken = 1;
constexpr std::uint8_t kForChallenge = 2;
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

std::uint64_t RetryTokens::challenge(std::uint32_t session, const Address& address) const noexcept {
  const Digest digest = sign(kForChallenge, session, address);
  return ByteReader(digest).u64();
}

}  // namespace forerun::sync
