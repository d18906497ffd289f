#include "forerun/web/server_state.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include "forerun/base/check.hpp"
#include "forerun/web/frames.hpp"

namespace forerun::web {
namespace {

constexpr std::size_t kMostEvents = 4096;

WebMessage make_message(WebOpcode opcode, const std::string& payload) {
  return {std::make_shared<const std::string>(frame_bytes(opcode, payload))};
}

}  // namespace

WebEvents::WebEvents() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { FORERUN_CHECK(descriptor_ >= 0); }
WebEvents::~WebEvents() { close(descriptor_); }

bool WebEvents::push(WebEvent event) {
  {
    const std::lock_guard lock(mutex_);
    if (events_.size() >= kMostEvents && event.kind != WebEvent::Kind::left) return false;
    events_.push_back(std::move(event));
  }
  const std::uint64_t one = 1;
  (void)!write(descriptor_, &one, sizeof one);
  return true;
}

std::vector<WebEvent> WebEvents::take() {
  std::uint64_t count;
  (void)!read(descriptor_, &count, sizeof count);
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

ServerState::ServerState(const WebSetup& with) : setup(with), ping(make_message(WebOpcode::ping, "")) {}

const WebFile* ServerState::find(std::string_view path) const {
  const auto place = files.find(path.substr(0, path.find_first_of("?#")));
  return place == files.end() ? nullptr : &place->second;
}

WebMessage make_text(const std::string& text) { return make_message(WebOpcode::text, text); }
WebMessage make_binary(const std::string& bytes) { return make_message(WebOpcode::binary, bytes); }

}  // namespace forerun::web
