// Asks the name service for an address without keeping anybody waiting, however long it takes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::net {

class AddressLookup {
 public:
  using Resolve = std::function<Result<sync::Address>(const std::string& text)>;

  // `text` as for resolve(), which is also what is asked by default. `resolve` runs in a thread of its own, and may
  // still do so when this object is gone.
  explicit AddressLookup(std::string text);
  AddressLookup(std::string text, Resolve resolve);

  // Begins to ask. Does nothing for an address of digits, which cannot change, nor while an earlier question is open or
  // its answer has not been taken.
  void start();
  // The answer, once; nothing until there is one, and when none was found.
  [[nodiscard]] std::optional<sync::Address> take();

 private:
  struct Question;

  std::string text_;
  Resolve resolve_;
  bool numeric_;
  std::shared_ptr<Question> open_;  // shared with the thread that asks: whichever ends last lets go of it
};

}  // namespace forerun::net
