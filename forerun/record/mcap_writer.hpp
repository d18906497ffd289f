// Writes MCAP recordings as a stream: what was written a moment ago survives a program that is killed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/base/time.hpp"
#include "forerun/record/mcap_format.hpp"

namespace forerun::record {

// JSON messages of one kind.
struct McapChannel {
  std::string topic;
  std::string schema_name;
  std::string schema;  // JSON Schema
};

class McapWriter {
 public:
  // A chunk goes to the file when its messages span this time or have this size: by the messages' own times, so that
  // the same messages always give the same file.
  static constexpr Duration kChunkSpan = from_seconds(0.75);
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

  // Takes the place of a file that is there. `library` says which program wrote it.
  [[nodiscard]] static Result<McapWriter> open(const std::string& path, const std::string& library,
                                               const std::vector<McapChannel>& channels);
  McapWriter(McapWriter&& other) noexcept;
  McapWriter& operator=(McapWriter&&) = delete;
  ~McapWriter();  // without close() the file has no summary; what was written stays

  // `channel` counts the channels as they were given, from 0. A `log_time` before that of the message before counts as
  // the same time.
  void write(std::size_t channel, std::int64_t log_time_ns, std::int64_t publish_time_ns, std::string_view data);
  // Ends the chunk under way.
  void flush();
  // Adds the summary. The first failure of any write shows here.
  [[nodiscard]] Result<void> close();
  // From the first failure on nothing is written any more.
  [[nodiscard]] const std::optional<Error>& problem() const noexcept { return problem_; }

 private:
  struct ChunkIndex {
    std::int64_t first = 0, last = 0;
    std::uint64_t offset = 0, length = 0;
    std::uint64_t index_length = 0;
    std::uint64_t records_length = 0;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> index_offsets;  // by channel
  };
  struct Entry {
    std::int64_t time = 0;
    std::uint64_t offset = 0;  // within the chunk
  };
  struct Channel {
    McapChannel about;
    std::uint32_t n_messages = 0;
    std::vector<Entry> in_chunk;
  };

  McapWriter(std::string path, int file) : path_(std::move(path)), file_(file) {}
  void put(std::string_view bytes);
  void write_channels(McapBytes& out) const;
  void write_schemas(McapBytes& out) const;
  void write_chunk_indexes(McapBytes& out) const;
  void write_statistics(McapBytes& out) const;
  [[nodiscard]] std::string make_summary() const;

  std::string path_;
  int file_ = -1;
  std::uint64_t at_ = 0;   // bytes written
  std::uint32_t crc_ = 0;  // of them
  std::vector<Channel> channels_;
  McapBytes chunk_;
  std::int64_t chunk_first_ = 0;
  std::optional<std::int64_t> first_;
  std::int64_t last_ = 0;
  std::vector<ChunkIndex> chunks_;
  std::optional<Error> problem_;
};

}  // namespace forerun::record
