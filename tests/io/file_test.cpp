#include "forerun/io/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "forerun/io/data_folders.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

TEST(File, WhatIsWrittenReadsBack) {
  const test::TempFolder folder;
  const std::string path = folder.file("a");
  ASSERT_TRUE(write_file(path, std::string_view("one\0two", 7)));
  EXPECT_EQ(*read_file(path, 100), std::string("one\0two", 7));
}

TEST(File, AMissingFileIsNamed) {
  EXPECT_EQ(read_file("no/such/file", 100).error().message, "no/such/file does not exist");
}

TEST(File, AFolderIsNoFile) {
  const test::TempFolder folder;
  EXPECT_EQ(read_file(folder.file(""), 100).error().message, folder.file("") + " is a folder, but must be a file");
  EXPECT_FALSE(write_file(folder.file(""), "x"));
}

TEST(File, ALargeFileIsRefused) {
  const test::TempFolder folder;
  const std::string path = folder.write("big", std::string(101, 'x'));
  EXPECT_EQ(read_file(path, 100).error().message, path + " has more than 100 bytes, the most allowed");
  EXPECT_TRUE(read_file(path, 101));
}

TEST(File, NothingIsLeftBehindWithoutCommit) {
  const test::TempFolder folder;
  const std::string path = folder.write("kept", "old");
  {
    Result<PendingFile> file = PendingFile::open(path);
    ASSERT_TRUE(file);
    file->write("half of the new con");
  }
  EXPECT_EQ(*read_file(path, 100), "old");
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST(File, CommitReplacesTheOldContentAtOnce) {
  const test::TempFolder folder;
  const std::string path = folder.write("kept", "old");
  Result<PendingFile> file = PendingFile::open(path);
  file->write("new");
  EXPECT_EQ(*read_file(path, 100), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(*read_file(path, 100), "new");
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST(File, AMovedPendingFileStillCommits) {
  const test::TempFolder folder;
  Result<PendingFile> first = PendingFile::open(folder.file("a"));
  PendingFile second = std::move(*first);
  second.write("x");
  EXPECT_TRUE(second.commit());
  EXPECT_EQ(*read_file(folder.file("a"), 10), "x");
}

TEST(File, ALinkStaysALink) {
  const test::TempFolder folder;
  const std::string target = folder.write("target", "old");
  std::filesystem::create_symlink(target, folder.file("link"));
  ASSERT_TRUE(write_file(folder.file("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(*read_file(target, 10), "new");
}

TEST(File, ADeviceIsWrittenToAndNotReplaced) {
  ASSERT_TRUE(write_file("/dev/null", "gone"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(File, AnUnwritablePlaceIsAnError) {
  EXPECT_EQ(write_file("no/such/folder/file", "x").error().message,
            "no/such/folder/file cannot be written: No such file or directory");
}

TEST(FindFile, ABareNameIsLookedUpBesideTheReferringFile) {
  const test::TempFolder folder;
  const std::string scenario = folder.write("scenarios/tour.yaml", "");
  const std::string robot = folder.write("robots/duck.yaml", "");
  const std::string world = folder.write("scenarios/pond.world.yaml", "");
  EXPECT_EQ(*find_file(FileKind::robot, "duck", scenario), robot);
  EXPECT_EQ(*find_file(FileKind::world, "pond", scenario), world);
  EXPECT_EQ(*find_file(FileKind::robot, "../robots/duck.yaml", scenario), robot);
  EXPECT_EQ(*find_file(FileKind::robot, robot), robot);
}

TEST(DataFolders, LieBesideTheProgramThenInTheSystem) {
  const auto folders = data_folders("/opt/robot/bin/forerun", "/usr/local/share:relative::/usr/share/");
  const std::vector<std::filesystem::path> expected = {"/opt/robot/bin/share/forerun", "/opt/robot/share/forerun",
                                                       "/usr/local/share/forerun", "/usr/share/forerun"};
  EXPECT_EQ(folders, expected);
  EXPECT_TRUE(data_folders("", "").empty());
}

TEST(FindFile, WhatCameWithTheProgramIsAlwaysKnown) {
  EXPECT_TRUE(find_file(FileKind::world, "bonn-office"));
  EXPECT_TRUE(find_file(FileKind::robot, "turtle"));
  EXPECT_TRUE(find_file(FileKind::scenario, "office-delivery"));
}

TEST(FindFile, TheDataFolderOfTheEnvironmentIsKnown) {
  const test::TempFolder folder;
  const std::string robot = folder.write("robots/goose.yaml", "");
  EXPECT_FALSE(find_file(FileKind::robot, "goose"));
  ::setenv("FORERUN_DATA", folder.file("").c_str(), 1);
  EXPECT_EQ(*find_file(FileKind::robot, "goose"), robot);
  ::unsetenv("FORERUN_DATA");
}

// A link that leads to itself, as a stand-in for a folder that may not be read: this test may run as root.
TEST(FindFile, WhatMayNotBeSeenIsNotSaidToBeMissing) {
  const test::TempFolder folder;
  const std::string path = folder.file("loop") + "/x.yaml";
  std::filesystem::create_symlink("loop", folder.file("loop"));
  const std::string expected = path + " cannot be opened: Too many levels of symbolic links";
  EXPECT_EQ(read_file(path, 100).error().message, expected);
  EXPECT_EQ(find_file(FileKind::robot, path).error().message, expected);
  const std::string relative = std::filesystem::path(path).lexically_relative(std::filesystem::current_path());
  EXPECT_EQ(find_file(FileKind::robot, relative).error().message,
            relative + " cannot be opened: Too many levels of symbolic links");
}

TEST(FindFile, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(find_file(FileKind::robot, "turtel").error().message,
            "\"turtel\" is neither a file nor the name of a robot; the nearest known name is \"turtle\"");
  EXPECT_EQ(find_file(FileKind::robot, "/no/such.yaml").error().message, "/no/such.yaml does not exist");
  EXPECT_EQ(find_file(FileKind::robot, "").error().message, "the name of the robot is empty");
}

}  // namespace
}  // namespace forerun::io
