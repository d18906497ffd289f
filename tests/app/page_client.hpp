// A browser's view of a program with a page: what it is told, and what it says.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/report_wire.hpp"
#include "tests/support/background.hpp"
#include "tests/support/web_client.hpp"

namespace forerun::test {

using nlohmann::json;

// The port of the page that a program announces; 0 when it does not.
inline std::uint16_t await_page(Background& program) {
  const std::string line = program.await_line([](const std::string& l) { return l.find("://") != l.npos; }, 30);
  const auto colon = line.rfind(':');
  return line.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(std::stoi(line.substr(colon + 1)));
}

class PageClient {
 public:
  explicit PageClient(std::uint16_t port) : client_(port) { EXPECT_EQ(client_.open_web_socket(), 101); }

  // The first JSON message that satisfies; null when none comes in time. Binary messages are looked at on the way.
  json await(const std::function<bool(const json&)>& wanted, double time_limit_s = 20) {
    json found;
    await_frame(
        [&](const WebFrame& frame) {
          if (frame.opcode != 1) return false;
          found = json::parse(frame.payload, nullptr, false);
          return found.is_object() && wanted(found);
        },
        time_limit_s, [&] { found = nullptr; });
    return found;
  }
  json await_type(const std::string& type, double time_limit_s = 20) {
    return await([&](const json& message) { return message["type"] == type; }, time_limit_s);
  }
  // What became of the newest command of this kind.
  json await_outcome(const std::string& command, const std::string& state, double time_limit_s = 20) {
    return await(
        [&](const json& m) { return m["type"] == "outcome" && m["command"] == command && m["state"] == state; },
        time_limit_s);
  }
  std::optional<robot::Report> await_report(const std::function<bool(const robot::Report&)>& wanted,
                                            double time_limit_s = 20) {
    std::optional<robot::Report> found;
    await_frame(
        [&](const WebFrame& frame) {
          if (frame.opcode != 2 || frame.payload.empty() || frame.payload[0] != 1) return false;
          found = sync::decode_report(bytes_of(frame.payload).subspan(16)).report;
          return found && wanted(*found);
        },
        time_limit_s, [&] { found.reset(); });
    return found;
  }
  // The next binary message of this kind, as numbers.
  std::string await_binary(int kind) {
    std::string found;
    await_frame(
        [&](const WebFrame& frame) {
          found = frame.payload;
          return frame.opcode == 2 && !found.empty() && found[0] == kind;
        },
        20, [&] { found.clear(); });
    return found;
  }
  void say(const json& message) { EXPECT_TRUE(client_.say(message.dump())); }
  // The code with which the program ends the connection; 0 when it does not.
  int await_close() {
    int code = 0;
    await_frame(
        [&](const WebFrame& frame) {
          code = frame.close_code();
          return frame.opcode == 8;
        },
        20, [&] { code = 0; });
    return code;
  }
  static Bytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  }

 private:
  void await_frame(const std::function<bool(const WebFrame&)>& wanted, double time_limit_s,
                   const std::function<void()>& on_nothing) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(time_limit_s);
    while (std::chrono::steady_clock::now() < end) {
      const auto frame = client_.frame(time_limit_s);
      if (!frame) break;
      if (wanted(*frame)) return;
    }
    on_nothing();
  }

  WebClient client_;
};

}  // namespace forerun::test
