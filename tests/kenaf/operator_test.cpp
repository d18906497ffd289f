// Driving by hand with the real programs: keys on a terminal, the controller on the real robot's library, and a robot
// of the test's on its bus.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/joystick.h>
#include <poll.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <utmp.h>

#include <csignal>

#include "tests/app/kenaf_programs.hpp"
#include "tests/kenaf/robot_on_a_bus.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::test {
namespace {

// A program at a terminal.
class AtATerminal {
 public:
  explicit AtATerminal(const std::vector<std::string>& command) {
    const winsize size{24, 200, 0, 0};
    EXPECT_EQ(openpty(&master_, &slave_, nullptr, nullptr, &size), 0);
    fcntl(master_, F_SETFL, O_NONBLOCK);
    tcgetattr(slave_, &before_);
    child_ = fork();
    if (child_ != 0) return;
    login_tty(slave_);
    become(command, {});
  }
  ~AtATerminal() {
    if (child_ > 0) finish(SIGKILL);
    close(master_);
    close(slave_);
  }
  AtATerminal(const AtATerminal&) = delete;
  AtATerminal& operator=(const AtATerminal&) = delete;

  void type(const std::string& keys) { EXPECT_EQ(write(master_, keys.data(), keys.size()), ssize_t(keys.size())); }
  // Whether it has shown this since it was last asked.
  [[nodiscard]] bool shows(const std::string& text) {
    std::array<char, 4096> buffer;
    for (ssize_t n = 0; (n = read(master_, buffer.data(), buffer.size())) > 0;)
      shown_.append(buffer.data(), std::size_t(n));
    const bool found = shown_.find(text) != std::string::npos;
    if (found) shown_.clear();
    return found;
  }
  // The words with a number from one to the other.
  [[nodiscard]] bool shows_one_of(const std::string& words, int from, int to) {
    for (int number = from; number <= to; ++number) {
      if (shows(words + std::to_string(number))) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_as_before() const {
    termios now{};
    return tcgetattr(slave_, &now) == 0 && now.c_lflag == before_.c_lflag;
  }
  // As a shell would show it.
  int finish(int signal = 0) {
    if (signal != 0) kill(child_, signal);
    int status = 0;
    const bool ended = wait_until([&] {
      static_cast<void>(shows(""));
      return waitpid(child_, &status, WNOHANG) == child_;
    });
    EXPECT_TRUE(ended);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  int master_ = -1, slave_ = -1;
  pid_t child_ = -1;
  termios before_{};
  std::string shown_;
};

class ByHand : public testing::Test {
 protected:
  ByHand()
      : robot_(folder_.file("bus")),
        controller_({"env", "HRT_KENAF_CAN=unix:" + folder_.file("bus"), example_program("kenaf_controller_can"),
                     "--listen", "127.0.0.1:0"}) {
    const std::string words = "orders at port ";
    const std::string line = controller_.await_line([&](const std::string& l) { return l.rfind(words, 0) == 0; }, 20);
    EXPECT_NE(line, "");
    address_ = "127.0.0.1:" + (line.empty() ? "1" : line.substr(words.size()));
  }
  [[nodiscard]] std::vector<std::string> console(const std::string& gamepad = "/nonexistent/js") const {
    return {example_program("kenaf_operator"), "--controller", address_, "--gamepad", gamepad};
  }

  TempFolder folder_;
  RobotOnABus robot_;
  Background controller_;
  std::string address_;
};

TEST_F(ByHand, KeysDriveWhileTheyAreHeld) {
  AtATerminal terminal(console());
  EXPECT_TRUE(wait_until([&] { return terminal.shows("battery 600 s"); }));
  EXPECT_TRUE(wait_until([&] {
    terminal.type("w");
    return robot_.x > 0.02;
  }));
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 0; })) << "the key was let go";
  terminal.type("\x1b[D");  // an arrow
  EXPECT_TRUE(wait_until([&] { return robot_.yaw_deg > 2; }));
  terminal.type("rr");
  EXPECT_TRUE(wait_until([&] { return robot_.front_left_deg == 10; }));
  terminal.type("x");
  EXPECT_EQ(terminal.finish(), 0);
  EXPECT_TRUE(terminal.is_as_before());
}

TEST_F(ByHand, AnInterruptLeavesTheTerminalAsItWas) {
  AtATerminal terminal(console());
  EXPECT_TRUE(wait_until([&] { return terminal.shows("battery"); }));
  EXPECT_FALSE(terminal.is_as_before());
  EXPECT_EQ(terminal.finish(SIGTERM), 0);
  EXPECT_TRUE(terminal.is_as_before());
}

TEST_F(ByHand, TheRobotStopsWhenTheOperatorsProgramDies) {
  AtATerminal terminal(console());
  EXPECT_TRUE(wait_until([&] {
    terminal.type("w");
    return robot_.left_mm > 0;
  }));
  EXPECT_EQ(terminal.finish(SIGKILL), 128 + SIGKILL);
  EXPECT_NE(controller_.await_line([](const std::string& l) { return l == "no orders: the robot stands"; }, 20), "");
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 0; }));
}

TEST_F(ByHand, SaysWhenNobodyAnswers) {
  AtATerminal terminal(console());
  EXPECT_TRUE(wait_until([&] { return terminal.shows("battery"); }));
  robot_.silent = true;
  EXPECT_TRUE(wait_until([&] { return terminal.shows("ROBOT SILENT"); }));
  controller_.signal(SIGINT);
  EXPECT_EQ(controller_.finish(), 0);
  EXPECT_TRUE(wait_until([&] { return terminal.shows("NO ANSWER"); }));
}

TEST_F(ByHand, AGamepadDrivesUntilItsStickIsLetGo) {
  const std::string device = folder_.file("js0");
  ASSERT_EQ(mkfifo(device.c_str(), 0600), 0);
  AtATerminal terminal(console(device));
  EXPECT_TRUE(wait_until([&] { return terminal.shows("battery"); }));
  const int gamepad = open(device.c_str(), O_WRONLY);
  ASSERT_GE(gamepad, 0);
  const auto push = [&](std::int16_t value) {
    const js_event event{0, value, JS_EVENT_AXIS, 1};
    EXPECT_EQ(write(gamepad, &event, sizeof event), ssize_t(sizeof event));
  };
  push(-32767);
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 150 && robot_.right_mm == 150; }));
  push(0);
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 0; }));
  push(32767);
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == -150; }));
  close(gamepad);
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 0; })) << "it was unplugged";
}

TEST(KenafOperatorProgram, HelpsAndRefuses) {
  const Outcome help = run_process({example_program("kenaf_operator"), "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("space      stop"), std::string::npos);
  EXPECT_EQ(run_process({example_program("kenaf_operator"), "--fly"}).exit_code, 2);
  EXPECT_NE(run_process({example_program("kenaf_operator"), "--controller", "nowhere"}).err.find("nowhere"),
            std::string::npos);
  EXPECT_NE(run_process({example_program("kenaf_operator"), "--gamepad", "/nonexistent/js"}).err.find("neither"),
            std::string::npos);
  EXPECT_EQ(run_process({example_program("kenaf_controller_sim"), "--help"}).exit_code, 0);
  EXPECT_EQ(run_process({example_program("kenaf_controller_sim"), "--listen", "nowhere"}).exit_code, 2);
}

// An unchanged operation program drives the simulated robot (KEN-4).
TEST(KenafOperatorProgram, DrivesTheSimulatedRobot) {
  KenafPrograms programs;
  auto command = programs.controller("kenaf_controller_sim");
  command.insert(command.end(), {"--listen", "127.0.0.1:0"});
  Background controller(command);
  const std::string words = "orders at port ";
  const std::string line = controller.await_line([&](const std::string& l) { return l.rfind(words, 0) == 0; }, 20);
  ASSERT_NE(line, "");
  AtATerminal terminal({example_program("kenaf_operator"), "--controller", "127.0.0.1:" + line.substr(words.size())});
  EXPECT_TRUE(wait_until([&] { return terminal.shows("battery"); }));
  EXPECT_TRUE(wait_until([&] {
    terminal.type("a");
    return terminal.shows_one_of("yaw +", 20, 60);
  }));
  terminal.type("x");
  EXPECT_EQ(terminal.finish(), 0);
  EXPECT_GT(programs.finish_bridge()["robot"]["turned_by_deg"], 15);
}

}  // namespace
}  // namespace forerun::test
