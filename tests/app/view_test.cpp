// `forerun view`, run as a user would: whatever standard input is, the link goes on and a stop gets through.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "forerun/io/key_file.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/serve/robot_service.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/link_programs.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::test {
namespace {

// A viewer whose standard input is what the shell makes of `input`, such as "< /dev/zero".
void view_with(Link& link, const std::string& before, const std::string& input) {
  const std::string view = before + " \"$0\" view --headless --connect " + link.server_address + " --server-key " +
                           link.robot_key + " --keys " + link.folder.file("desk") + " --for-s 8 " + input;
  std::vector<std::string> command = {"/bin/sh", "-c", view};
  command.push_back(forerun_command({}).front());
  link.viewer = std::make_unique<Background>(command);
}

TEST(ViewCommand, AStopWithoutALineBreakStopsTheRobotThoughTheInputEndsAtOnce) {
  Link link;
  link.serve();
  link.view(link.server_address);
  ASSERT_FALSE(link.await_open().is_null());
  link.viewer->write_line(R"({"command":"goal","x_m":3.0,"y_m":1.25})");
  ASSERT_FALSE(link.await([](const json& l) { return l["state"]["task"] == "driving"; }, 20).is_null()) << link.last;
  link.viewer.reset();

  link.view(link.server_address);
  link.viewer->write_text(R"({"command":"stop"})");
  link.viewer->close_input();
  const json stopped =
      link.await([](const json& l) { return !l["commands"].empty() && l["commands"][0]["state"] == "executed"; }, 20);
  ASSERT_FALSE(stopped.is_null()) << link.last;
  const json still = link.await([](const json& l) { return l["state"]["motors"] == "stopped"; }, 20);
  ASSERT_FALSE(still.is_null()) << link.last;
  EXPECT_LT(still["state"]["x_m"].get<double>(), 2.7) << "it should not have reached its goal";
}

TEST(ViewCommand, InputThatNeverEndsDoesNotStarveTheLink) {
  Link link;
  link.serve();
  view_with(link, "exec", "< /dev/zero");
  EXPECT_FALSE(link.await_open().is_null()) << link.last;
}

TEST(ViewCommand, ATorrentOfCommandsDoesNotStarveTheLink) {
  Link link;
  link.serve();
  view_with(link, R"(yes '{"command":"drive","v_mps":0.1,"w_radps":0}' |)", "2> /dev/null");
  EXPECT_FALSE(link.await_open().is_null()) << link.last;
  link.viewer->finish();
}

TEST(ViewCommand, AnInputThatCannotBeReadIsClosedAndSaidOnce) {
  const Outcome outcome = run_process({"/bin/sh", "-c",
                                       "exec \"$0\" view --headless --connect 127.0.0.1:9 --server-key "
                                       "KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk= --for-s 1 < /",
                                       forerun_command({}).front()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "forerun: commands cannot be read: Is a directory\n");
}

// A robot whose reports say that they are old, on a thread of its own.
class LateRobot final : public serve::ServedRobot {
 public:
  LateRobot(const std::string& key_folder, Duration late) : late_(late) {
    net::SodiumCipher cipher;
    serve::RobotService::Setup setup{.key_folder = key_folder};
    setup.link.listen = *net::resolve("127.0.0.1:0");
    setup.link.keys = *io::load_keys(key_folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
    setting_.robot.drive = robot::make_differential({});
    service_ = std::move(*serve::RobotService::open(setup, setting_, *this));
    thread_ = std::thread([this] {
      while (!quit_) service_->turn(0.02);
    });
  }
  ~LateRobot() override {
    quit_ = true;
    thread_.join();
  }
  LateRobot(const LateRobot&) = delete;
  LateRobot& operator=(const LateRobot&) = delete;

  [[nodiscard]] std::string address() const { return net::to_string(service_->server().local_address()); }
  [[nodiscard]] bool stopped() const { return stopped_; }

  std::optional<robot::Report> look(RobotTime now) override {
    robot::Report report;
    report.time = now - late_;
    report.state = {{1.5, 1.5, 0}, {0.3, 0, 0}};
    report.goal = report.target = Vec2{8, 4};
    report.task = robot::TaskState::driving;
    return report;
  }
  void listen(RobotTime) override {}
  std::span<const int> descriptors() override { return {}; }
  std::string describe() const override { return "late"; }
  robot::Reply execute(const robot::Command& command, const sync::CommandInfo&) noexcept override {
    if (command.kind == robot::CommandKind::stop) stopped_ = true;
    return robot::accept();
  }
  void end_hand_driving() noexcept override {}

 private:
  Duration late_;
  sim::Setting setting_{make_room({0, 0}, {12, 6}), {}, {}, sim::kExact};
  std::unique_ptr<serve::RobotService> service_;
  std::atomic<bool> stopped_{false}, quit_{false};
  std::thread thread_;
};

TEST(ViewCommand, AStopIsNotHeldUpByReportsFromLongAgo) {
  const Duration since_1970{net::RobotServer::clock().ns - 1'000'000'000};
  for (const Duration late : {from_seconds(86400), since_1970}) {
    Link link;
    LateRobot robot(link.folder.file("robot"), late);
    link.view(robot.address());
    // its own clock is known all the same: the robot is predicted as far as that is worth anything, and no farther
    const json line = link.await([](const json& l) { return l["prediction"].is_object(); }, 30);
    ASSERT_FALSE(line.is_null()) << link.last;
    EXPECT_EQ(line["prediction"]["status"], "stale");
    link.viewer->write_line(R"({"command":"stop"})");
    const json stopped =
        link.await([](const json& l) { return !l["commands"].empty() && l["commands"][0]["state"] == "executed"; }, 10);
    EXPECT_FALSE(stopped.is_null()) << link.last;
    EXPECT_TRUE(robot.stopped());
  }
}

TEST(ViewCommand, WhatIsGivenTooEarlyIsSaidToBeLost) {
  const Outcome outcome = run_process({"/bin/sh", "-c",
                                       "printf '{\"command\":\"cancel\"}' | \"$0\" view --headless --connect "
                                       "127.0.0.1:9 --server-key KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk= "
                                       "--for-s 1",
                                       forerun_command({}).front()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "forerun: cancel was not sent: there is no open session\n");
}

// A closed standard stream became the first socket, and strangers' datagrams commands under the operator's key.
TEST(ViewCommand, ClosedStandardStreamsNeverBecomeSockets) {
  Background viewer({"/bin/sh", "-c",
                     "exec \"$0\" view --headless --connect 127.0.0.1:9 --server-key "
                     "KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk= <&- 2>&-",
                     forerun_command({}).front()});
  ASSERT_NE(viewer.await_line([](const std::string&) { return true; }, 20), "") << "its sockets are open by now";
  for (const char* stream : {"0", "2"}) {
    const auto path = std::filesystem::path("/proc") / std::to_string(viewer.pid()) / "fd" / stream;
    EXPECT_EQ(std::filesystem::read_symlink(path), "/dev/null");
  }
}

TEST(ViewCommand, RefusesWhatCouldNeverAnswer) {
  const std::string key = "KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk=";
  const auto view = [](const std::string& to, const std::string& server_key) {
    return run_forerun({"view", "--headless", "--connect", to, "--server-key", server_key, "--for-s", "1"});
  };
  for (const char* to : {"127.0.0.1:0", ":7420", "0.0.0.0:7420", "[::]:7420"}) {
    expect_bad_input(view(to, key), {to, "one host and its port"});
  }
  expect_bad_input(view("127.0.0.1:9", std::string(43, 'A') + "="), {"--server-key", "forerun serve"});
}

// A terminal whose foreground belongs to a process that does nothing; `command` runs in its background.
class BackgroundJob {
 public:
  explicit BackgroundJob(const std::vector<std::string>& command) {
    terminal_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal_ < 0 || grantpt(terminal_) != 0 || unlockpt(terminal_) != 0) return;
    const std::string name = ptsname(terminal_);
    shell_ = fork();
    if (shell_ != 0) return;
    setsid();
    const int side = open(name.c_str(), O_RDWR | O_CLOEXEC);
    ioctl(side, TIOCSCTTY, 0);
    const pid_t job = fork();
    setpgid(job, job);
    if (job == 0) {
      dup2(side, STDIN_FILENO);
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
      become(command, {});
    }
    int status = 0;
    waitpid(job, &status, WUNTRACED);
    if (WIFSTOPPED(status)) kill(job, SIGKILL);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSTOPPED(status) ? WSTOPSIG(status) : WTERMSIG(status)));
  }
  ~BackgroundJob() { close(terminal_); }
  BackgroundJob(const BackgroundJob&) = delete;
  BackgroundJob& operator=(const BackgroundJob&) = delete;

  void type(const std::string& text) const {
    EXPECT_EQ(write(terminal_, text.data(), text.size()), ssize_t(text.size()));
  }
  // How the job ended, or which signal stopped it, as a shell shows it.
  [[nodiscard]] int finish() const {
    int status = 0;
    return waitpid(shell_, &status, 0) == shell_ && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t shell_ = -1;
};

TEST(ViewCommand, IsNotStoppedInTheBackgroundOfATerminalThatIsTypedInto) {
  const BackgroundJob job(forerun_command({"view", "--headless", "--connect", "127.0.0.1:9", "--server-key",
                                           "KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk=", "--for-s", "2"}));
  job.type("{\"command\":\"stop\"}\n");
  EXPECT_EQ(job.finish(), 0);
}

}  // namespace
}  // namespace forerun::test
