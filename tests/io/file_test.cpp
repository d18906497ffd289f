#include "forerun/io/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/io/temporary_folder.hpp"

namespace forerun::io {
namespace {

TEST(File, WhatIsWrittenReadsBack) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(write_file(path, std::string_view("one\0two", 7)));
  EXPECT_EQ(*read_file(path, 100), std::string("one\0two", 7));
}

TEST(File, AMissingFileIsNamed) {
  EXPECT_EQ(read_file("no/such/file", 100).error().message, "no/such/file does not exist");
}

TEST(File, AFolderIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.path(""), 100).error().message, folder.path("") + " is a folder, but must be a file");
  EXPECT_FALSE(write_file(folder.path(""), "x"));
}

TEST(File, ALargeFileIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.add("big", std::string(101, 'x'));
  EXPECT_EQ(read_file(path, 100).error().message, path + " has more than 100 bytes, the most allowed");
  EXPECT_TRUE(read_file(path, 101));
}

TEST(File, NothingIsLeftBehindWithoutCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.add("kept", "old");
  {
    Result<PendingFile> file = PendingFile::open(path);
    ASSERT_TRUE(file);
    file->write("half of the new con");
  }
  EXPECT_EQ(*read_file(path, 100), "old");
  EXPECT_EQ(folder.n_files(), 1u);
}

TEST(File, CommitReplacesTheOldContentAtOnce) {
  const TemporaryFolder folder;
  const std::string path = folder.add("kept", "old");
  Result<PendingFile> file = PendingFile::open(path);
  file->write("new");
  EXPECT_EQ(*read_file(path, 100), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(*read_file(path, 100), "new");
  EXPECT_FALSE(file->commit());
  EXPECT_EQ(folder.n_files(), 1u);
}

TEST(File, AMovedPendingFileStillCommits) {
  const TemporaryFolder folder;
  Result<PendingFile> first = PendingFile::open(folder.path("a"));
  PendingFile second = std::move(*first);
  second.write("x");
  EXPECT_TRUE(second.commit());
  EXPECT_EQ(*read_file(folder.path("a"), 10), "x");
}

TEST(File, ALinkStaysALink) {
  const TemporaryFolder folder;
  const std::string target = folder.add("target", "old");
  std::filesystem::create_symlink(target, folder.path("link"));
  ASSERT_TRUE(write_file(folder.path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
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
  const TemporaryFolder folder;
  const std::string scenario = folder.add("scenarios/tour.yaml", "");
  const std::string robot = folder.add("robots/duck.yaml", "");
  const std::string world = folder.add("scenarios/pond.world.yaml", "");
  EXPECT_EQ(*find_file(FileKind::robot, "duck", scenario), robot);
  EXPECT_EQ(*find_file(FileKind::world, "pond", scenario), world);
  EXPECT_EQ(*find_file(FileKind::robot, "../robots/duck.yaml", scenario), robot);
  EXPECT_EQ(*find_file(FileKind::robot, robot), robot);
}

TEST(FindFile, TheSourceTreeIsAlwaysKnown) {
  EXPECT_TRUE(find_file(FileKind::world, "bonn-office"));
  EXPECT_TRUE(find_file(FileKind::robot, "turtle"));
  EXPECT_TRUE(find_file(FileKind::scenario, "office-delivery"));
}

TEST(FindFile, TheDataFolderOfTheEnvironmentIsKnown) {
  const TemporaryFolder folder;
  const std::string robot = folder.add("robots/goose.yaml", "");
  EXPECT_FALSE(find_file(FileKind::robot, "goose"));
  ::setenv("FORERUN_DATA", folder.path("").c_str(), 1);
  EXPECT_EQ(*find_file(FileKind::robot, "goose"), robot);
  ::unsetenv("FORERUN_DATA");
}

TEST(FindFile, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(find_file(FileKind::robot, "turtel").error().message,
            "\"turtel\" is neither a file nor the name of a robot; the nearest known name is \"turtle\"");
  EXPECT_EQ(find_file(FileKind::robot, "/no/such.yaml").error().message, "/no/such.yaml does not exist");
  EXPECT_EQ(find_file(FileKind::robot, "").error().message, "the name of the robot is empty");
}

}  // namespace
}  // namespace forerun::io
