// Reads MCAP recordings, ours and others', whole or cut off. Nothing in them is believed: lengths are checked before
// memory is taken, and at most one chunk is held at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"

namespace forerun::record {

struct McapMessage {
  std::uint16_t channel = 0;
  std::int64_t log_time_ns = 0;
  std::int64_t publish_time_ns = 0;
  std::string_view data;
};

struct McapTopic {
  std::string topic;
  std::string schema_name;  // empty: none
  std::string encoding;     // of the messages
  bool operator==(const McapTopic&) const = default;
};

// Where the bytes are: a file, or memory.
class McapSource {
 public:
  virtual ~McapSource() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // False when they cannot be read. All lie within the size.
  [[nodiscard]] virtual bool read(std::uint64_t offset, MutableBytes bytes) const = 0;
};

class McapReader {
 public:
  static constexpr std::uint64_t kLargestRecord = std::uint64_t{96} << 20;  // a model of 64 MiB in base64 [bytes]
  static constexpr std::size_t kMostChunks = 4'000'000;                     // half a year of ours

  // Messages that lie together: a chunk, or one message outside of any.
  struct Chunk {
    std::uint64_t offset = 0;  // of its records
    std::uint64_t length = 0;
    std::int64_t last = 0;       // latest log time up to its end, from the file's beginning on
    std::uint64_t channels = 0;  // bit (channel % 64): may hold messages of it
  };

  // Goes through the whole file once: all records are checked, and all CRCs. `name` stands in the sentences.
  [[nodiscard]] static Result<McapReader> open(const std::string& path);
  [[nodiscard]] static Result<McapReader> open(std::unique_ptr<McapSource> source, const std::string& name);
  // The same of a file that was read already.
  [[nodiscard]] static Result<McapReader> parse(std::string bytes, const std::string& name);

  [[nodiscard]] const std::map<std::uint16_t, McapTopic>& channels() const noexcept { return channels_; }
  // The one with JSON messages under this topic.
  [[nodiscard]] std::optional<std::uint16_t> find(std::string_view topic) const;
  [[nodiscard]] const std::vector<Chunk>& chunks() const noexcept { return chunks_; }
  // Views hold until the next call. What open() has seen and cannot be read any more is an error.
  [[nodiscard]] Result<std::vector<McapMessage>> read(std::size_t chunk);

  [[nodiscard]] std::uint64_t n_messages() const noexcept { return n_messages_; }
  [[nodiscard]] std::int64_t first_time_ns() const noexcept { return first_; }
  [[nodiscard]] std::int64_t last_time_ns() const noexcept { return last_; }
  // The file ends before its end: what is whole can be read.
  [[nodiscard]] bool cut_off() const noexcept { return cut_off_; }

 private:
  struct Head {
    std::uint8_t opcode = 0;
    std::uint64_t length = 0;
  };

  McapReader(std::unique_ptr<McapSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {}
  [[nodiscard]] Error complain(std::uint64_t offset, const std::string& what) const;
  [[nodiscard]] Result<void> scan();
  // False where the file ends before the record does.
  [[nodiscard]] Result<bool> take_next();
  // The file ends in so many zeros, and they begin here or before.
  [[nodiscard]] bool only_zeros_follow(std::uint64_t at_least) const;
  // The next record's content into `buffer_`; nothing where the file ends.
  [[nodiscard]] Result<std::optional<Head>> next_record();
  [[nodiscard]] Result<void> take_record(Head head, std::uint64_t offset);
  [[nodiscard]] Result<void> take_declaration(std::uint8_t opcode, Bytes content, std::uint64_t offset);
  [[nodiscard]] Result<void> take_chunk(std::uint64_t offset);
  [[nodiscard]] Result<void> take_footer(std::uint64_t offset);
  [[nodiscard]] Result<void> add(Chunk chunk, Bytes records);

  std::unique_ptr<McapSource> source_;
  std::string name_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t at_ = 0;
  std::uint32_t crc_ = 0;  // of the data so far
  std::map<std::uint16_t, std::string> schemas_;
  std::map<std::uint16_t, McapTopic> channels_;
  std::vector<Chunk> chunks_;
  std::uint64_t n_messages_ = 0;
  std::int64_t first_ = 0, last_ = 0;
  bool in_data_ = true;  // not yet at its end
  bool finished_ = false;
  bool cut_off_ = false;
};

}  // namespace forerun::record
