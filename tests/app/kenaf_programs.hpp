// Kenaf's programs beside a test: the simulator and the intermediate process, on ports that are free.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tests/support/background.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {

// One of the examples that were built beside the `forerun` program.
inline std::string example_program(const std::string& name) {
  return (std::filesystem::path(forerun_command({}).front()).parent_path() / name).string();
}

class KenafPrograms {
 public:
  explicit KenafPrograms(const std::string& world = "kenaf-course")
      : serve_(forerun_command(
            {"kenaf", "serve", "--world", world, "--listen", "127.0.0.1:0", "--images", "127.0.0.1:0"})),
        simulator_(word_after(serve_, "USARSim at ")),
        bridge_(forerun_command({"kenaf", "bridge", "--simulator", simulator_, "--listen", "127.0.0.1:0", "--json",
                                 folder_.file("bridge.json")})),
        controllers_(word_after(bridge_, "controllers at ")) {}

  // As a command that finds the robot.
  [[nodiscard]] std::vector<std::string> controller(const std::string& example) const {
    return {"env", "HRT_KENAF_ADDRESS=" + controllers_, example_program(example)};
  }
  [[nodiscard]] const std::string& simulator() const { return simulator_; }
  Background& serve() { return serve_; }

  // Ends the intermediate process and gives what it wrote.
  [[nodiscard]] nlohmann::json finish_bridge() {
    bridge_.signal(SIGINT);
    EXPECT_EQ(bridge_.finish(), 130);
    return nlohmann::json::parse(folder_.read("bridge.json"), nullptr, false);
  }

 private:
  static std::string word_after(Background& program, const std::string& words) {
    const std::string line = program.await_line([&](const std::string& l) { return l.rfind(words, 0) == 0; }, 20);
    EXPECT_NE(line, "");
    if (line.empty()) return "127.0.0.1:1";
    return line.substr(words.size(), line.find_first_of(", ", words.size()) - words.size());
  }

  TempFolder folder_;
  Background serve_;
  std::string simulator_;
  Background bridge_;
  std::string controllers_;
};

}  // namespace forerun::test
