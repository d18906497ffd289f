// Signatures with the keys that sessions are made with, so that whoever is allowed to connect can also be known by what
// was signed: XEdDSA (Perrin 2016) over libsodium.
#pragma once

#include <array>
#include <cstdint>

#include "forerun/base/bytes.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::net {

// The signer's key as a point of Edwards' curve, and the signature itself as Ed25519 has it.
inline constexpr std::size_t kSignatureSize = 96;
using Signature = std::array<std::uint8_t, kSignatureSize>;

// Draws 64 bytes from `cipher`.
[[nodiscard]] Signature sign(const sync::Key& secret, Bytes message, sync::Cipher& cipher) noexcept;

// Whether the owner of the secret half of `open` signed exactly this. Never asserts: all of it may come from anywhere.
[[nodiscard]] bool is_signed_by(const sync::Key& open, Bytes message, const Signature& signature) noexcept;

}  // namespace forerun::net
