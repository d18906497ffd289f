#include "forerun/cli/terminal.hpp"
#include "forerun/base/hex.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "forerun/cli/output.hpp"
#include "forerun/io/part_files.hpp"
#include "forerun/io/text.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::cli {
namespace {

using namespace std::chrono_literals;

// While it lives, standard error is a terminal of 40 columns.
class FakeTerminal {
 public:
  FakeTerminal() {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 40;
    EXPECT_EQ(openpty(&master_, &slave_, nullptr, nullptr, &size), 0);
    saved_ = dup(STDERR_FILENO);
    dup2(slave_, STDERR_FILENO);
    setenv("TERM", "xterm", 1);
  }
  ~FakeTerminal() {
    dup2(saved_, STDERR_FILENO);
    for (const int descriptor : {saved_, slave_, master_}) close(descriptor);
  }

  // What has been shown since the last call.
  std::string seen() {
    std::string text;
    pollfd watched{master_, POLLIN, 0};
    while (poll(&watched, 1, 50) > 0) {
      char buffer[4096];
      const ssize_t n = read(master_, buffer, sizeof buffer);
      if (n <= 0) break;
      text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
  }

 private:
  int master_ = -1;
  int slave_ = -1;
  int saved_ = -1;
};

TEST(Report, GivesTheExitCodeOfTheKind) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(complain(Error{"wrong"}), 2);
  EXPECT_EQ(complain(Error{"out of reach", ErrorKind::impossible}), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "forerun: wrong\nforerun: out of reach\n");
}

TEST(StatusLine, ShowsNothingWithoutATerminal) {
  testing::internal::CaptureStderr();
  {
    StatusLine line;
    EXPECT_FALSE(line.due());
    line.show("here");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(StatusLine, RewritesOneLineAndWipesItAtTheEnd) {
  FakeTerminal terminal;
  {
    StatusLine line;
    line.show("first");
    EXPECT_EQ(terminal.seen(), "\r\x1b[2Kfirst");
    line.show("too soon");
    EXPECT_EQ(terminal.seen(), "");
    ASSERT_TRUE(test::wait_until([&] { return line.due(); }));
    line.show("second");
    EXPECT_EQ(terminal.seen(), "\r\x1b[2Ksecond");
  }
  EXPECT_EQ(terminal.seen(), "\r\x1b[2K");
}

TEST(StatusLine, IsCutAtTheEdgeOfTheTerminalBetweenCharacters) {
  FakeTerminal terminal;
  StatusLine line;
  std::string umlauts;
  for (int i = 0; i < 60; ++i) umlauts += "ü";
  line.show(umlauts);
  EXPECT_EQ(terminal.seen(), "\r\x1b[2K" + umlauts.substr(0, 2 * 39));
}

TEST(Progress, AppearsOnlyAfterTwoSeconds) {
  FakeTerminal terminal;
  Progress progress("work");
  progress.update(0.2);
  EXPECT_EQ(terminal.seen(), "");
  const auto start = std::chrono::steady_clock::now();
  std::string seen;
  EXPECT_TRUE(test::wait_until([&] {
    progress.update(0.5);
    return !(seen = terminal.seen()).empty();
  }));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 1900ms);
  EXPECT_NE(seen.find("work "), std::string::npos);
}

TEST(Interrupts, TheFirstRaisesAFlag) {
  catch_interrupts();
  EXPECT_FALSE(interrupted());
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted());
}

TEST(InterruptsDeathTest, TwoAtOnceAreOne) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGINT);
        std::raise(SIGTERM);
        std::_Exit(interrupted() ? 7 : 8);
      },
      testing::ExitedWithCode(7), "");
}

TEST(InterruptsDeathTest, ALaterOneEndsTheProgramAndLeavesNothingHalfWritten) {
  const test::TempFolder folder;
  folder.write("half.part", "half");
  EXPECT_EXIT(
      {
        io::note_part_file(folder.file("half.part"));
        catch_interrupts();
        std::raise(SIGINT);
        const auto first = std::chrono::steady_clock::now();
        (void)test::wait_until([&] { return std::chrono::steady_clock::now() - first > 400ms; });
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
  EXPECT_TRUE(folder.names().empty());
}

TEST(ToHex, HasSixteenDigits) {
  EXPECT_EQ(to_hex(0), "0000000000000000");
  EXPECT_EQ(to_hex(0xdeadbeef12345678u), "deadbeef12345678");
}

}  // namespace
}  // namespace forerun::cli
