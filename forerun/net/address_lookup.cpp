#include "forerun/net/address_lookup.hpp"

#include <arpa/inet.h>

#include <atomic>
#include <system_error>
#include <thread>
#include <utility>

#include "forerun/net/resolve.hpp"

namespace forerun::net {
namespace {

// Brackets hold digits only; resolve() allows no names there.
bool is_numeric(const std::string& text) {
  const std::string host = text.substr(0, text.rfind(':'));
  in_addr ipv4;
  return host.empty() || host.front() == '[' || inet_pton(AF_INET, host.c_str(), &ipv4) == 1;
}

}  // namespace

struct AddressLookup::Question {
  std::string text;
  Resolve resolve;
  std::optional<sync::Address> answer;  // belongs to the thread until it is done
  std::atomic<bool> done = false;
};

AddressLookup::AddressLookup(std::string text)
    : AddressLookup(std::move(text), [](const std::string& asked) { return net::resolve(asked); }) {}

AddressLookup::AddressLookup(std::string text, Resolve resolve)
    : text_(std::move(text)), resolve_(std::move(resolve)), numeric_(is_numeric(text_)) {}

void AddressLookup::start() {
  if (numeric_ || open_) return;
  const auto question = std::make_shared<Question>();
  question->text = text_;
  question->resolve = resolve_;
  try {
    std::thread([question] {
      if (const auto address = question->resolve(question->text)) question->answer = *address;
      question->done = true;
    }).detach();
    open_ = question;
  } catch (const std::system_error&) {
    // no thread to be had now: the next start() tries again
  }
}

std::optional<sync::Address> AddressLookup::take() {
  if (!open_ || !open_->done) return std::nullopt;
  return std::exchange(open_, nullptr)->answer;
}

}  // namespace forerun::net
