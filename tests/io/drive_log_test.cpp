#include "forerun/io/drive_log.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>

#include "forerun/io/gzip.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

std::string complaint(const std::string& text) {
  const auto log = parse_drive_log(text, "d.csv");
  return log ? "none" : log.error().message;
}

std::string pack(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(DriveLog, WhatIsWrittenReadsBack) {
  const test::TempFolder folder;
  const std::string path = folder.file("d.csv");
  auto writer = DriveLogWriter::open(path, {DriveColumn::t_s, DriveColumn::x_m, DriveColumn::goal_x_m});
  ASSERT_TRUE(writer) << writer.error().message;
  DriveRow row;
  row[DriveColumn::t_s] = 0.05;
  row[DriveColumn::x_m] = -1.25;
  writer->add(row);
  row[DriveColumn::t_s] = 0.1;
  row[DriveColumn::goal_x_m] = 11.3;
  writer->add(row);
  EXPECT_FALSE(std::filesystem::exists(path)) << "appears only when it is complete";
  ASSERT_TRUE(writer->close());
  EXPECT_EQ(*read_file(path, 1000), "t_s,x_m,goal_x_m\n0.05,-1.25,\n0.1,-1.25,11.3\n");

  const auto log = load_drive_log(path);
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->columns, (std::vector<DriveColumn>{DriveColumn::t_s, DriveColumn::x_m, DriveColumn::goal_x_m}));
  ASSERT_EQ(log->rows.size(), 2u);
  EXPECT_FALSE(log->rows[0].has(DriveColumn::goal_x_m));
  EXPECT_EQ(log->rows[1][DriveColumn::goal_x_m], 11.3);
  EXPECT_FALSE(log->rows[1].has(DriveColumn::ticks_left));
}

TEST(DriveLog, AnUnfinishedLogLeavesNothing) {
  const test::TempFolder folder;
  {
    auto writer = DriveLogWriter::open(folder.file("d.csv"), {DriveColumn::t_s});
    ASSERT_TRUE(writer);
    writer->add({});
  }
  EXPECT_EQ(folder.names().size(), 0u);
}

TEST(DriveLog, OtherColumnsAreIgnored) {
  const auto log = parse_drive_log("\xef\xbb\xbfstatus,t_s, v_mps ,note\r\nwait,1,2,\"a, b\"\r\n\r\n,3,,\r\n", "d.csv");
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->rows.size(), 2u);
  EXPECT_EQ(log->rows[0][DriveColumn::v_mps], 2);
  EXPECT_EQ(log->rows[1][DriveColumn::t_s], 3);
  EXPECT_FALSE(log->rows[1].has(DriveColumn::v_mps));
}

TEST(DriveLog, BadInputIsNamed) {
  EXPECT_EQ(complaint(""), "d.csv is empty, but must begin with a header");
  EXPECT_EQ(complaint("a,b\n1,2"),
            "d.csv:1: the header is \"a,b\", but must name columns of a drive log such as t_s, x_m");
  EXPECT_EQ(complaint("t_s,t_s\n"), "d.csv:1: the column \"t_s\" stands there twice, but must stand there once");
  EXPECT_EQ(complaint("t_s,x_m\n1\n"), "d.csv:2: the line has 1 fields, but the header has 2");
  EXPECT_EQ(complaint("t_s,x_m\n1,2\n1,nan\n"), "d.csv:3: x_m is \"nan\", but must be a finite number or empty");
  EXPECT_EQ(complaint("t_s,x_m\n1,far\n"), "d.csv:2: x_m is \"far\", but must be a finite number or empty");
}

TEST(DriveLog, MayBePacked) {
  const test::TempFolder folder;
  const auto log = load_drive_log(folder.write("d.csv.gz", pack("t_s\n1\n") + pack("2\n")));
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(log->rows.size(), 2u);
}

TEST(Gzip, DamagedAndHugeFilesAreRefused) {
  const std::string packed = pack(std::string(100000, 'x'));
  EXPECT_EQ(unpack_gzip(packed, "d.gz", 1000).error().message, "d.gz unpacks to more than 1000 bytes");
  EXPECT_EQ(unpack_gzip(packed.substr(0, packed.size() / 2), "d.gz", 1u << 20).error().message,
            "d.gz is not a whole gzip file");
  EXPECT_EQ(unpack_gzip("\x1f\x8b nonsense", "d.gz", 1000).error().message, "d.gz is not a whole gzip file");
  EXPECT_EQ(unpack_gzip(packed, "d.gz", 1u << 20)->size(), 100000u);
}

TEST(DriveLog, TheRealDrivesLoad) {
  const std::filesystem::path path =
      std::filesystem::path(test::source_path()) / "../shared/data/rosnav/levine_a.csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  const auto log = load_drive_log(path.string());
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_GT(log->rows.size(), 1000u);
  EXPECT_EQ(log->columns.size(), 13u);
  for (const DriveRow& row : log->rows) ASSERT_TRUE(row.has(DriveColumn::x_m));
}

}  // namespace
}  // namespace forerun::io
