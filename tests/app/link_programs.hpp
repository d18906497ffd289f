// The programs of a link, with real sockets: serve, impair and view, and what the viewer says.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/background.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {

using nlohmann::json;

inline std::string after(const std::string& line, const std::string& word) {
  const auto at = line.find(word);
  if (at == std::string::npos) return "";
  const auto begin = at + word.size();
  return line.substr(begin, line.find_first_of(" ,", begin) - begin);
}

// A robot, and somebody who may operate it.
struct Link {
  Link() {
    for (const char* who : {"robot", "desk"}) {
      const Outcome made = run_forerun({"keys", "new", "--keys", folder.file(who)});
      (std::string(who) == "robot" ? robot_key : desk_key) = made.out.substr(0, 44);
    }
    EXPECT_EQ(run_forerun({"keys", "allow", desk_key, "--role", "operate", "--keys", folder.file("robot")}).exit_code,
              0);
  }

  void serve(const std::string& listen = "127.0.0.1:0", std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"serve",     "--keys", folder.file("robot"), "--listen", listen,
                                       "--reality", "exact"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    server = std::make_unique<Background>(forerun_command(arguments));
    const auto line = server->await_line([](const std::string& l) { return l.find("listening on") != l.npos; }, 30);
    server_address = after(line, "listening on ");
    ASSERT_FALSE(server_address.empty());
  }

  void impair(const std::string& profile, const std::string& listen = "127.0.0.1:0") {
    relay = std::make_unique<Background>(
        forerun_command({"impair", "--listen", listen, "--to", server_address, "--profile", profile}));
    const auto line = relay->await_line([](const std::string& l) { return l.find("listening on") != l.npos; }, 30);
    relay_address = after(line, "listening on ");
    ASSERT_FALSE(relay_address.empty());
  }

  void view(const std::string& address, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"view",         "--headless", "--connect", address,
                                       "--server-key", robot_key,    "--keys",    folder.file("desk")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    viewer = std::make_unique<Background>(forerun_command(arguments));
  }

  // The first line that satisfies; null when none comes in time.
  json await(const std::function<bool(const json&)>& wanted, double time_limit_s) {
    const auto line = viewer->await_line(
        [&](const std::string& text) {
          last = json::parse(text, nullptr, false);
          return last.is_object() && wanted(last);
        },
        time_limit_s);
    return line.empty() ? json(nullptr) : json::parse(line);
  }
  json await_open(double time_limit_s = 30) {
    return await(
        [](const json& l) {
          return l["link"] == "open" && l["state"].is_object() && l["gap_s"].is_number() && l["gap_s"] < 1;
        },
        time_limit_s);
  }
  bool warns(const json& line, const std::string& word) {
    for (const auto& warning : line["warnings"]) {
      if (warning.get<std::string>().rfind(word, 0) == 0) return true;
    }
    return false;
  }

  TempFolder folder;
  std::string robot_key, desk_key, server_address, relay_address;
  std::unique_ptr<Background> server, relay, viewer;
  json last;
};

}  // namespace forerun::test
