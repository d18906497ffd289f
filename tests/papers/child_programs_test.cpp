// Programs that run side by side.
#include "forerun/papers/child_programs.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "tests/support/temp_folder.hpp"

namespace forerun::papers {
namespace {

ChildProgram shell(const std::string& script) { return {.command = {"/bin/sh", "-c", script}}; }

bool go_on(std::span<const ChildProgram>) { return true; }

TEST(ChildPrograms, SayHowTheyEndedAndWhatTheyComplainedAbout) {
  ChildProgram children[] = {
      shell("echo lost; exit 0"), shell("echo why >&2; exit 3"), shell("kill -9 $$"), {.command = {"/nowhere/at/all"}}};
  ASSERT_TRUE(run_children(children, 2, go_on));
  EXPECT_EQ(children[0].exit_code, 0);
  EXPECT_EQ(children[0].complaints, "");
  EXPECT_EQ(children[1].exit_code, 3);
  EXPECT_EQ(children[1].complaints, "why\n");
  EXPECT_EQ(children[2].exit_code, 128 + 9);
  EXPECT_EQ(children[3].exit_code, 127);
  for (const ChildProgram& child : children) EXPECT_EQ(child.state, ChildState::ended);
}

TEST(ChildPrograms, RunSoManyAtOnce) {
  // the first ends only when the second has begun
  const test::TempFolder folder;
  const std::string mark = folder.file("begun");
  ChildProgram children[] = {shell("while [ ! -e " + mark + " ]; do sleep 0.01; done"), shell("touch " + mark),
                             shell("true")};
  std::ptrdiff_t most = 0;
  const auto count = [&](std::span<const ChildProgram> all) {
    const auto running = [](const ChildProgram& child) { return child.state == ChildState::running; };
    most = std::max(most, std::count_if(all.begin(), all.end(), running));
    return true;
  };
  ASSERT_TRUE(run_children(children, 2, count));
  EXPECT_LE(most, 2);
  for (const ChildProgram& child : children) EXPECT_EQ(child.exit_code, 0);
}

TEST(ChildPrograms, NoneOutlivesTheCallWhenItIsEnded) {
  const test::TempFolder folder;
  ChildProgram children[] = {shell("echo $$ > " + folder.file("pid") + "; exec sleep 100"), shell("sleep 100")};
  std::string pid;
  EXPECT_FALSE(run_children(children, 1, [&](std::span<const ChildProgram>) {
    const auto names = folder.names();
    if (names.empty()) return true;
    pid = folder.read("pid");
    return pid.empty() || pid.back() != '\n';
  }));
  ASSERT_NE(pid, "");
  EXPECT_EQ(kill(std::stoi(pid), 0), -1) << "still there";
  EXPECT_EQ(children[0].exit_code, 128 + SIGTERM);
  EXPECT_EQ(children[1].state, ChildState::waiting);
}

}  // namespace
}  // namespace forerun::papers
