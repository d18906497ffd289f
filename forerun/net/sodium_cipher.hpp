// The primitives of sessions, from libsodium.
#pragma once

#include "forerun/sync/cipher.hpp"

namespace forerun::net {

class SodiumCipher final : public sync::Cipher {
 public:
  SodiumCipher() noexcept;  // a libsodium that cannot start ends the program: nothing would be safe

  [[nodiscard]] sync::Digest hash(Bytes message) const noexcept override;
  [[nodiscard]] sync::Digest mac(Bytes key, Bytes message) const noexcept override;
  [[nodiscard]] bool agree(const sync::Key& secret, const sync::Key& open, sync::Key& shared) const noexcept override;
  [[nodiscard]] sync::Key open_half(const sync::Key& secret) const noexcept override;
  void seal(const sync::Key& key, std::uint64_t counter, Bytes associated, Bytes message,
            MutableBytes sealed) const noexcept override;
  [[nodiscard]] bool open(const sync::Key& key, std::uint64_t counter, Bytes associated, Bytes sealed,
                          MutableBytes message) const noexcept override;
  void draw(MutableBytes bytes) noexcept override;
};

}  // namespace forerun::net
