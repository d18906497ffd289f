// Recordings written and read again, cut off, damaged and forged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "forerun/base/random.hpp"
#include "forerun/io/file.hpp"
#include "forerun/record/mcap_reader.hpp"
#include "forerun/record/mcap_writer.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::record {
namespace {

Result<McapReader> read(const std::string& bytes) { return McapReader::parse(bytes, "r.mcap"); }

struct Seen {
  std::string topic;
  std::int64_t log = 0, publish = 0;
  std::string data;
  bool operator==(const Seen&) const = default;
};

std::vector<Seen> all_of(McapReader& reader) {
  std::vector<Seen> seen;
  for (std::size_t i = 0; i < reader.chunks().size(); ++i) {
    const auto messages = reader.read(i);
    EXPECT_TRUE(messages) << messages.error().message;
    if (!messages) break;
    for (const McapMessage& m : *messages) {
      seen.push_back({reader.channels().at(m.channel).topic, m.log_time_ns, m.publish_time_ns, std::string(m.data)});
    }
  }
  return seen;
}

constexpr std::int64_t kSecond = 1'000'000'000;

// Two channels, a message of each every 0.1 s, for `duration` seconds.
struct Sample {
  explicit Sample(double duration = 5) {
    const auto path = folder.file("r.mcap");
    auto writer = McapWriter::open(path, "test", {{"/a", "A", "{}"}, {"/b", "B", "{}"}});
    EXPECT_TRUE(writer);
    for (int i = 0; i < static_cast<int>(duration * 10); ++i) {
      add(*writer, 0, i);
      add(*writer, 1, i);
    }
    EXPECT_TRUE(writer->close());
    bytes = *io::read_file(path, 1 << 20);
  }
  void add(McapWriter& writer, std::size_t channel, int i) {
    const std::int64_t time = 100 * kSecond + i * kSecond / 10;
    const std::string data = "{\"i\":" + std::to_string(i) + "}";
    writer.write(channel, time, time - 5, data);
    written.push_back({channel == 0 ? "/a" : "/b", time, time - 5, data});
  }

  test::TempFolder folder;
  std::vector<Seen> written;
  std::string bytes;
};

// Where records of the outermost level begin, and the end.
std::vector<std::size_t> boundaries(const std::string& bytes) {
  std::vector<std::size_t> places{kMcapMagic.size()};
  while (places.back() + kMcapRecordHead <= bytes.size()) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + places.back() + 1, 8);
    if (length > bytes.size() - places.back() - kMcapRecordHead) break;
    places.push_back(places.back() + kMcapRecordHead + length);
  }
  return places;
}

TEST(Mcap, WhatIsWrittenIsRead) {
  const Sample sample;
  auto reader = read(sample.bytes);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(all_of(*reader), sample.written);
  EXPECT_FALSE(reader->cut_off());
  EXPECT_EQ(reader->n_messages(), sample.written.size());
  EXPECT_EQ(reader->first_time_ns(), 100 * kSecond);
  EXPECT_EQ(reader->last_time_ns(), 104'900'000'000);
  ASSERT_TRUE(reader->find("/b"));
  EXPECT_EQ(reader->channels().at(*reader->find("/b")).schema_name, "B");
  EXPECT_FALSE(reader->find("/c"));
}

TEST(Mcap, FilesAreReadAsMemoryIs) {
  const Sample sample;
  auto reader = McapReader::open(sample.folder.file("r.mcap"));
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(all_of(*reader), sample.written);
  EXPECT_NE(McapReader::open(sample.folder.file("no.mcap")).error().message.find("does not exist"), std::string::npos);
  EXPECT_NE(McapReader::open(sample.folder.path()).error().message.find("ordinary file"), std::string::npos);
}

TEST(Mcap, AChunkIsOnTheDiskWithinASecondOfMessages) {
  const test::TempFolder folder;
  auto writer = McapWriter::open(folder.file("r.mcap"), "test", {{"/a", "A", "{}"}});
  ASSERT_TRUE(writer);
  for (int i = 0; i < 100; ++i) {
    writer->write(0, i * kSecond / 10, 0, "{}");
    if (i < 10) continue;
    auto reader = McapReader::open(folder.file("r.mcap"));
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_TRUE(reader->cut_off());
    EXPECT_GE(reader->last_time_ns(), (i - 10) * kSecond / 10);
  }
}

TEST(Mcap, TimesNeverGoBack) {
  const test::TempFolder folder;
  auto writer = McapWriter::open(folder.file("r.mcap"), "test", {{"/a", "A", "{}"}});
  for (const std::int64_t time : {5, 3, 9}) writer->write(0, time, -7, "{}");
  ASSERT_TRUE(writer->close());
  auto reader = McapReader::open(folder.file("r.mcap"));
  ASSERT_TRUE(reader);
  const auto seen = all_of(*reader);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[1].log, 5);
  EXPECT_EQ(seen[2].log, 9);
  EXPECT_EQ(seen[0].publish, 0);
}

TEST(Mcap, ZerosAfterAPowerLossAreTheEnd) {
  const Sample sample;
  const std::vector<std::size_t> records = boundaries(sample.bytes);
  std::vector<std::size_t> cuts = records;
  Random random(1, 8);
  for (int i = 0; i < 300; ++i) cuts.push_back(random.below(sample.bytes.size()));
  for (const std::size_t cut : cuts) {
    if (cut < sample.bytes.size() / 4) continue;  // the first chunk is not whole
    const bool between_records = std::find(records.begin(), records.end(), cut) != records.end();
    for (const std::size_t n_zeros : {9u, 40u, 100u, 200'000u}) {
      if (n_zeros < 32 && !between_records) continue;  // as few may be anything
      auto cut_off = read(sample.bytes.substr(0, cut));
      auto reader = read(sample.bytes.substr(0, cut) + std::string(n_zeros, '\0'));
      ASSERT_TRUE(reader) << cut << ": " << reader.error().message;
      EXPECT_TRUE(reader->cut_off());
      EXPECT_GE(reader->n_messages(), cut_off->n_messages());
      EXPECT_EQ(all_of(*reader).size(), reader->n_messages());
    }
  }
  // zeros with something behind them are damage
  const std::string damaged = sample.bytes.substr(0, records[8]) + std::string(50, '\0') + "x";
  EXPECT_NE(read(damaged).error().message.find("a record of kind 0"), std::string::npos);
}

TEST(Mcap, ACutFileIsReadUpToItsLastWholeRecord) {
  const Sample sample;
  std::vector<std::size_t> cuts = boundaries(sample.bytes);
  Random random(1, 7);
  for (int i = 0; i < 300; ++i) cuts.push_back(random.below(sample.bytes.size()));
  for (const std::size_t cut : cuts) {
    auto reader = read(sample.bytes.substr(0, cut));
    if (!reader) {
      // cut before the first chunk was whole
      EXPECT_LT(cut, sample.bytes.size() / 4) << reader.error().message;
      continue;
    }
    EXPECT_EQ(reader->cut_off(), cut < sample.bytes.size()) << cut;
    const auto seen = all_of(*reader);
    ASSERT_LE(seen.size(), sample.written.size());
    EXPECT_TRUE(std::equal(seen.begin(), seen.end(), sample.written.begin())) << cut;
  }
}

TEST(Mcap, AllMessagesAreThereAsSoonAsTheLastChunkIs) {
  const Sample sample;
  const auto last = read(sample.bytes)->chunks().back();
  auto reader = read(sample.bytes.substr(0, last.offset + last.length));
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_TRUE(reader->cut_off());
  EXPECT_EQ(all_of(*reader), sample.written);
  auto shorter = read(sample.bytes.substr(0, last.offset + last.length - 1));
  ASSERT_TRUE(shorter);
  EXPECT_LT(shorter->n_messages(), sample.written.size());
}

TEST(Mcap, EveryChangedByteOfTheDataIsNoticed) {
  const Sample sample(2);
  auto whole = read(sample.bytes);
  const auto& chunk = whole->chunks().front();
  for (std::uint64_t at = chunk.offset; at < chunk.offset + chunk.length; at += 3) {
    std::string damaged = sample.bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    const auto reader = read(damaged);
    ASSERT_FALSE(reader) << at;
    EXPECT_NE(reader.error().message.find("CRC"), std::string::npos) << reader.error().message;
  }
}

std::string forged(const std::function<void(McapBytes&)>& fill) {
  McapBytes out;
  out.raw(kMcapMagic);
  out.record(McapOpcode::header, [&] {
    out.text("");
    out.text("forger");
  });
  fill(out);
  return out.bytes();
}

void add_channel(McapBytes& out, std::uint16_t id, std::uint16_t schema = 0) {
  out.record(McapOpcode::channel, [&] {
    out.u16(id);
    out.u16(schema);
    out.text("/a");
    out.text("json");
    out.u32(0);
  });
}

void add_message(McapBytes& out, std::uint16_t channel, std::uint64_t time) {
  out.record(McapOpcode::message, [&] {
    out.u16(channel);
    out.u32(0);
    out.u64(time);
    out.u64(time);
    out.raw("{}");
  });
}

void add_chunk(McapBytes& out, const std::string& records, const std::string& compression, std::uint64_t size) {
  out.record(McapOpcode::chunk, [&] {
    out.u64(0);
    out.u64(0);
    out.u64(size);
    out.u32(0);
    out.text(compression);
    out.u64(records.size());
    out.raw(records);
  });
}

void expect_refused(const std::string& bytes, const std::string& word) {
  const auto reader = read(bytes);
  ASSERT_FALSE(reader) << word;
  EXPECT_NE(reader.error().message.find(word), std::string::npos) << reader.error().message;
  EXPECT_EQ(reader.error().message.rfind("r.mcap", 0), 0u) << reader.error().message;
}

TEST(Mcap, ForgedFilesAreRefusedWithASentence) {
  expect_refused("", "no MCAP recording");
  expect_refused("hello, world", "no MCAP recording");
  expect_refused(std::string(kMcapMagic), "holds no messages");
  expect_refused(std::string(kMcapMagic) + "\x03" + std::string(8, '\0') + "rest", "header");
  expect_refused(forged([](McapBytes& out) {
                   out.u8(6);
                   out.u64(~std::uint64_t{0});
                 }),
                 "18446744073709551615 bytes");
  expect_refused(forged([](McapBytes& out) { out.raw(std::string(9, '\0') + "x"); }), "kind 0");
  expect_refused(forged([](McapBytes& out) { out.raw(std::string(9, '\0')); }), "cut off before the first");
  expect_refused(forged([](McapBytes& out) { add_message(out, 3, 0); }), "channel 3");
  expect_refused(forged([](McapBytes& out) { add_channel(out, 1, 9); }), "schema was not declared");
  expect_refused(forged([](McapBytes& out) { out.record(McapOpcode::channel, [&] { out.u16(1); }); }), "not whole");
  expect_refused(forged([](McapBytes& out) {
                   add_channel(out, 1);
                   add_message(out, 1, ~std::uint64_t{0});
                 }),
                 "not whole");
  expect_refused(forged([](McapBytes& out) { add_chunk(out, "xx", "zstd", 1 << 30); }), "zstd");
  expect_refused(forged([](McapBytes& out) { add_chunk(out, "xx", "", 1 << 30); }), "lengths do not match");
  expect_refused(forged([](McapBytes& out) { add_chunk(out, "\x05garbage", "", 8); }), "longer than its chunk");
  expect_refused(Sample().bytes + "more", "after the footer");
}

TEST(Mcap, MessagesOutsideOfChunksAreReadToo) {
  auto reader = read(forged([](McapBytes& out) {
    add_channel(out, 1);
    add_message(out, 1, 7);
    add_message(out, 1, 8);
  }));
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_TRUE(reader->cut_off());
  EXPECT_EQ(all_of(*reader), (std::vector<Seen>{{"/a", 7, 7, "{}"}, {"/a", 8, 8, "{}"}}));
}

TEST(Mcap, WhatCannotBeWrittenIsSaidAtOnce) {
  const test::TempFolder folder;
  const auto refusal = [&](const std::string& path) {
    const auto writer = McapWriter::open(path, "test", {});
    return writer ? std::string() : writer.error().message;
  };
  EXPECT_NE(refusal(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(refusal(folder.file("no/such.mcap")).find("cannot be written"), std::string::npos);
  EXPECT_NE(refusal("/dev/full").find("No space"), std::string::npos);
}

}  // namespace
}  // namespace forerun::record
