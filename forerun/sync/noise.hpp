// The handshake Noise_IK_25519_ChaChaPoly_SHA256 (Noise specification, revision 34): one message each way, after which
// both ends know each other's long-lived key and share two fresh ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "forerun/base/bytes.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::sync {

inline constexpr std::size_t kFirstOverhead = kKeySize + (kKeySize + kTagSize) + kTagSize;  // e, s sealed, tag
inline constexpr std::size_t kSecondOverhead = kKeySize + kTagSize;                         // e, tag
// Of a handshake message and of a prologue [bytes]. Our own are shorter than a datagram; hashing needs no heap so.
inline constexpr std::size_t kMaxHandshakePayload = 1024;

struct TransportKeys {
  Key send{};
  Key receive{};
  ~TransportKeys() {
    wipe(send);
    wipe(receive);
  }
};

[[nodiscard]] KeyPair make_key_pair(Cipher& cipher) noexcept;

// One end of a handshake. The initiator calls write_first and read_second, the responder read_first and write_second,
// in this order; then both may split. Another order breaks a promise. Bytes that do not fit give false and leave the
// handshake as it was, so that a forged answer cannot spoil it. Nothing is allocated; secrets are wiped at the end.
class Handshake {
 public:
  // The cipher must outlive the handshake.
  static Handshake initiate(Cipher& cipher, Bytes prologue, const KeyPair& own, const Key& responder) noexcept;
  static Handshake respond(Cipher& cipher, Bytes prologue, const KeyPair& own) noexcept;
  Handshake(const Handshake&) noexcept = default;
  Handshake& operator=(const Handshake&) noexcept = default;
  ~Handshake();

  // `out` is kFirstOverhead longer than the payload. False when the responder's key is a hostile one.
  [[nodiscard]] bool write_first(Bytes payload, MutableBytes out) noexcept;
  // `payload` is kFirstOverhead shorter than the message. It may be a replay: only the answer's use proves it fresh.
  [[nodiscard]] bool read_first(Bytes message, MutableBytes payload) noexcept;
  // `out` is kSecondOverhead longer than the payload. False when the initiator's key is a hostile one.
  [[nodiscard]] bool write_second(Bytes payload, MutableBytes out) noexcept;
  // `payload` is kSecondOverhead shorter than the message.
  [[nodiscard]] bool read_second(Bytes message, MutableBytes payload) noexcept;

  // The other end's long-lived public key; a responder knows it after read_first.
  [[nodiscard]] const Key& peer() const noexcept;
  // Both need the whole handshake. The hash names the session and is the same at both ends.
  [[nodiscard]] TransportKeys split() const noexcept;
  [[nodiscard]] const Digest& hash() const noexcept;

 private:
  enum class Step : std::uint8_t { write_first, read_second, read_first, write_second, done };

  Handshake(Cipher& cipher, Bytes prologue, const KeyPair& own, const Key& responder, Step step) noexcept;
  [[nodiscard]] bool take_first(Bytes message, MutableBytes payload) noexcept;
  [[nodiscard]] bool take_second(Bytes message, MutableBytes payload) noexcept;
  void write_ephemeral(MutableBytes out) noexcept;
  void mix_hash(Bytes data) noexcept;
  void mix_key(Bytes input) noexcept;
  [[nodiscard]] bool mix_agreement(const Key& secret, const Key& open) noexcept;
  void encrypt_and_hash(Bytes plain, MutableBytes sealed) noexcept;
  [[nodiscard]] bool decrypt_and_hash(Bytes sealed, MutableBytes plain) noexcept;

  // s, rs, e, re, ck, k, h: the letters of the specification
  Cipher* cipher_;
  KeyPair own_;           // s
  Key peer_{};            // rs
  KeyPair ephemeral_{};   // e
  Key peer_ephemeral_{};  // re
  Digest chaining_{};     // ck
  Key key_{};             // k
  Digest hash_{};         // h
  Step step_;
  bool initiator_;
};

}  // namespace forerun::sync
