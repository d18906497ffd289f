#include "forerun/record/mcap_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace forerun::record {
namespace {

constexpr std::uint16_t id_of(std::size_t channel) { return static_cast<std::uint16_t>(channel + 1); }

// What stands there already and is nothing that a recording can be written to; empty where all is well.
std::string wrong_kind(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return "";
  if (S_ISDIR(about.st_mode)) return "a folder";
  return S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) ? "a pipe" : "";
}

// A part of the summary and where it begins in it.
struct Group {
  McapOpcode opcode;
  std::uint64_t begin, end;
};

}  // namespace

std::uint32_t mcap_crc(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Result<McapWriter> McapWriter::open(const std::string& path, const std::string& library,
                                    const std::vector<McapChannel>& channels) {
  if (const std::string kind = wrong_kind(path); !kind.empty()) {
    return Error{path + " is " + kind + ", but must be a file"};
  }
  // a file that may grow no more is a failed write like any other, not the end of the program
  std::signal(SIGXFSZ, SIG_IGN);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return Error{path + " cannot be written: " + std::strerror(errno)};
  McapWriter writer(path, file);
  for (const McapChannel& channel : channels) writer.channels_.push_back({channel, 0, {}});
  McapBytes out;
  out.raw(kMcapMagic);
  out.record(McapOpcode::header, [&] {
    out.text("");
    out.text(library);
  });
  writer.write_schemas(out);
  writer.write_channels(out);
  writer.put(out.bytes());
  if (writer.problem_) return *writer.problem_;
  return writer;
}

McapWriter::McapWriter(McapWriter&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      at_(other.at_),
      crc_(other.crc_),
      channels_(std::move(other.channels_)),
      chunk_(std::move(other.chunk_)),
      chunk_first_(other.chunk_first_),
      first_(other.first_),
      last_(other.last_),
      chunks_(std::move(other.chunks_)),
      problem_(std::move(other.problem_)) {}

McapWriter::~McapWriter() {
  if (file_ < 0) return;
  flush();
  ::close(file_);
}

void McapWriter::put(std::string_view bytes) {
  crc_ = mcap_crc(bytes, crc_);
  while (!bytes.empty() && !problem_) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      problem_ = Error{path_ + " cannot be written: " + std::strerror(errno)};
      return;
    }
    at_ += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void McapWriter::write_schemas(McapBytes& out) const {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    out.record(McapOpcode::schema, [&] {
      out.u16(id_of(i));
      out.text(channels_[i].about.schema_name);
      out.text("jsonschema");
      out.text(channels_[i].about.schema);
    });
  }
}

void McapWriter::write_channels(McapBytes& out) const {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    out.record(McapOpcode::channel, [&] {
      out.u16(id_of(i));
      out.u16(id_of(i));
      out.text(channels_[i].about.topic);
      out.text("json");
      out.u32(0);
    });
  }
}

void McapWriter::write(std::size_t channel, std::int64_t log_time_ns, std::int64_t publish_time_ns,
                       std::string_view data) {
  if (problem_ || file_ < 0) return;
  const std::int64_t time = std::max({std::int64_t{0}, log_time_ns, last_});
  const bool begun = chunk_.size() > 0;
  if (begun && (time - chunk_first_ >= kChunkSpan.ns || chunk_.size() + data.size() > kChunkBytes)) flush();
  if (chunk_.size() == 0) chunk_first_ = time;
  if (!first_) first_ = time;
  last_ = time;
  Channel& to = channels_.at(channel);
  to.in_chunk.push_back({time, chunk_.size()});
  chunk_.record(McapOpcode::message, [&] {
    chunk_.u16(id_of(channel));
    chunk_.u32(to.n_messages++);
    chunk_.u64(static_cast<std::uint64_t>(time));
    chunk_.u64(static_cast<std::uint64_t>(std::max(std::int64_t{0}, publish_time_ns)));
    chunk_.raw(data);
  });
}

void McapWriter::flush() {
  if (chunk_.size() == 0 || problem_) return;
  ChunkIndex index{.first = chunk_first_, .last = last_, .offset = at_, .records_length = chunk_.size()};
  McapBytes out;
  out.record(McapOpcode::chunk, [&] {
    out.u64(static_cast<std::uint64_t>(index.first));
    out.u64(static_cast<std::uint64_t>(index.last));
    out.u64(chunk_.size());
    out.u32(mcap_crc(chunk_.bytes()));
    out.text("");  // not compressed
    out.u64(chunk_.size());
    out.raw(chunk_.bytes());
  });
  index.length = out.size();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    auto& entries = channels_[i].in_chunk;
    if (entries.empty()) continue;
    index.index_offsets.emplace_back(id_of(i), at_ + out.size());
    out.record(McapOpcode::message_index, [&] {
      out.u16(id_of(i));
      out.counted<4>([&] {
        for (const Entry& entry : entries) {
          out.u64(static_cast<std::uint64_t>(entry.time));
          out.u64(entry.offset);
        }
      });
    });
    entries.clear();
  }
  index.index_length = out.size() - index.length;
  put(out.bytes());
  chunks_.push_back(std::move(index));
  chunk_.clear();
}

void McapWriter::write_chunk_indexes(McapBytes& out) const {
  for (const ChunkIndex& chunk : chunks_) {
    out.record(McapOpcode::chunk_index, [&] {
      out.u64(static_cast<std::uint64_t>(chunk.first));
      out.u64(static_cast<std::uint64_t>(chunk.last));
      out.u64(chunk.offset);
      out.u64(chunk.length);
      out.counted<4>([&] {
        for (const auto& [channel, offset] : chunk.index_offsets) {
          out.u16(channel);
          out.u64(offset);
        }
      });
      out.u64(chunk.index_length);
      out.text("");
      out.u64(chunk.records_length);
      out.u64(chunk.records_length);
    });
  }
}

void McapWriter::write_statistics(McapBytes& out) const {
  std::uint64_t n_messages = 0;
  for (const Channel& channel : channels_) n_messages += channel.n_messages;
  out.record(McapOpcode::statistics, [&] {
    out.u64(n_messages);
    out.u16(static_cast<std::uint16_t>(channels_.size()));
    out.u32(static_cast<std::uint32_t>(channels_.size()));
    out.u32(0);  // attachments
    out.u32(0);  // metadata
    out.u32(static_cast<std::uint32_t>(chunks_.size()));
    out.u64(static_cast<std::uint64_t>(first_.value_or(0)));
    out.u64(static_cast<std::uint64_t>(last_));
    out.counted<4>([&] {
      for (std::size_t i = 0; i < channels_.size(); ++i) {
        if (channels_[i].n_messages == 0) continue;
        out.u16(id_of(i));
        out.u64(channels_[i].n_messages);
      }
    });
  });
}

// Summary, summary offsets and footer, which begin where the file ends now.
std::string McapWriter::make_summary() const {
  McapBytes out;
  std::vector<Group> groups;
  const auto add = [&](McapOpcode opcode, void (McapWriter::*write_group)(McapBytes&) const) {
    const std::uint64_t begin = at_ + out.size();
    (this->*write_group)(out);
    if (at_ + out.size() > begin) groups.push_back({opcode, begin, at_ + out.size()});
  };
  add(McapOpcode::schema, &McapWriter::write_schemas);
  add(McapOpcode::channel, &McapWriter::write_channels);
  add(McapOpcode::statistics, &McapWriter::write_statistics);
  add(McapOpcode::chunk_index, &McapWriter::write_chunk_indexes);
  const std::uint64_t offsets = at_ + out.size();
  for (const Group& group : groups) {
    out.record(McapOpcode::summary_offset, [&] {
      out.u8(static_cast<std::uint8_t>(group.opcode));
      out.u64(group.begin);
      out.u64(group.end - group.begin);
    });
  }
  constexpr std::uint64_t kFooterSize = 8 + 8 + 4;
  out.u8(static_cast<std::uint8_t>(McapOpcode::footer));
  out.u64(kFooterSize);
  out.u64(at_);
  out.u64(offsets);
  out.u32(mcap_crc(out.bytes()));
  out.raw(kMcapMagic);
  return out.bytes();
}

Result<void> McapWriter::close() {
  if (file_ < 0) return Error{path_ + " is already closed"};
  flush();
  McapBytes end;
  const std::uint32_t crc = crc_;
  end.record(McapOpcode::data_end, [&] { end.u32(crc); });
  put(end.bytes());
  put(make_summary());
  const bool closed = ::close(std::exchange(file_, -1)) == 0;
  if (!closed && !problem_) problem_ = Error{path_ + " cannot be written: " + std::strerror(errno)};
  if (problem_) return Error{problem_->message, ErrorKind::impossible};
  return {};
}

}  // namespace forerun::record
