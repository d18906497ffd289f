// The viewer's half of the greeting: says hello until it is welcomed, with the token that it is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/base/time.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/drops.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

struct GreeterParams {
  double repeat_s = 0.25;   // first repetition [s]; each later one waits 1.25 times as long
  double slowest_s = 3.0;   // but never longer than this [s]
  double fresh_s = 20;      // a greeting that was never answered is made again after this time [s]
  double refused_s = 10.0;  // wait before greeting again who has refused us [s]
};

template <class Visit>
void visit_fields(GreeterParams& p, Visit&& visit) {
  visit("repeat_s", p.repeat_s,
        Field{0.01, 60, "first repetition of a greeting; each later one waits 1.25 times as long [s]"});
  visit("slowest_s", p.slowest_s, Field{0.01, 600, "but never longer than this [s]"});
  visit("fresh_s", p.fresh_s, Field{1, 600, "a greeting that was never answered is made again after this time [s]"});
  visit("refused_s", p.refused_s, Field{0.1, 3600, "wait before greeting again who has refused us [s]"});
}

class Greeter {
 public:
  Greeter(Cipher& cipher, const KeyPair& own, const Key& server_key, const GreeterParams& params) noexcept;

  // Begins a greeting, or goes on with the one under way.
  void start(OperatorTime now, const HelloContent& content) noexcept;
  void stop() noexcept { handshake_.reset(); }
  [[nodiscard]] bool active() const noexcept { return handshake_.has_value(); }
  // How often this greeting was sent without an answer.
  [[nodiscard]] int n_unanswered() const noexcept { return n_unanswered_; }

  // The greeting, when it is time to send it.
  [[nodiscard]] std::optional<Bytes> due(OperatorTime now) noexcept;
  [[nodiscard]] OperatorTime next_due() const noexcept { return due_; }

  // Takes a token; the greeting is then due at once.
  [[nodiscard]] std::optional<Drop> on_retry(OperatorTime now, Bytes datagram) noexcept;

  struct Welcomed {
    std::optional<Drop> problem;
    TransportKeys keys;
    std::uint32_t local_id = 0;
    WelcomeContent content;
  };
  // Ends the greeting, unless the welcome is not for us.
  [[nodiscard]] Welcomed on_welcome(OperatorTime now, Bytes datagram) noexcept;

  // Another version that answered our greeting; zero: none did.
  [[nodiscard]] std::uint8_t server_version() const noexcept { return server_version_; }

 private:
  void compose(OperatorTime now, const HelloContent& content) noexcept;

  Cipher& cipher_;
  KeyPair own_;
  Key server_key_;
  GreeterParams params_;
  std::optional<Handshake> handshake_;
  std::array<std::uint8_t, kHelloSize> hello_{};
  std::uint32_t local_id_ = 0;
  OperatorTime made_;
  OperatorTime due_;
  OperatorTime hastened_at_;  // by a token that came
  OperatorTime refused_until_;
  Duration wait_;
  int n_unanswered_ = 0;
  std::uint8_t server_version_ = 0;
};

}  // namespace forerun::sync
