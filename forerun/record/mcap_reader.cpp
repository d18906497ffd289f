#include "forerun/record/mcap_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "forerun/io/text.hpp"
#include "forerun/record/mcap_format.hpp"

namespace forerun::record {
namespace {

constexpr std::size_t kLongestName = 1000;
constexpr std::size_t kMostChannels = 1000;
constexpr std::uint64_t kZerosOfPowerLoss = 32;  // more than any record of a sound file ends with
constexpr std::size_t kMessageHead = 2 + 4 + 8 + 8;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
std::string_view read_text(ByteReader& in) { return text_of(in.bytes(in.u32())); }

class FileSource final : public McapSource {
 public:
  explicit FileSource(int file, std::uint64_t size) : file_(file), size_(size) {}
  ~FileSource() override { ::close(file_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, MutableBytes bytes) const override {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int file_;
  std::uint64_t size_;
};

class MemorySource final : public McapSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, MutableBytes bytes) const override {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset) return false;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
    return true;
  }

 private:
  std::string bytes_;
};

// One record after the other; `visit(opcode, content)` gives an error or goes on. False: the last one is not whole.
template <class Visit>
Result<bool> for_each_record(Bytes records, Visit&& visit) {
  ByteReader in(records);
  while (in.remaining() > 0) {
    const std::uint8_t opcode = in.u8();
    const std::uint64_t length = in.u64();
    if (!in.ok() || length > in.remaining()) return false;
    if (auto taken = visit(opcode, in.bytes(static_cast<std::size_t>(length))); !taken) return taken.error();
  }
  return true;
}

std::optional<McapMessage> read_message(Bytes content) {
  if (content.size() < kMessageHead) return std::nullopt;
  ByteReader in(content);
  McapMessage message;
  message.channel = in.u16();
  in.u32();
  const std::uint64_t log = in.u64(), publish = in.u64();
  constexpr auto kLatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (log > kLatest || publish > kLatest) return std::nullopt;
  message.log_time_ns = static_cast<std::int64_t>(log);
  message.publish_time_ns = static_cast<std::int64_t>(publish);
  message.data = text_of(content.subspan(kMessageHead));
  return message;
}

}  // namespace

Result<McapReader> McapReader::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return Error{errno == ENOENT ? path + " does not exist" : path + " cannot be opened: " + std::strerror(errno)};
  }
  struct stat about {};
  const bool ordinary = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  auto source = std::make_unique<FileSource>(file, static_cast<std::uint64_t>(about.st_size));
  if (!ordinary) return Error{path + " is not an ordinary file"};
  return open(std::move(source), path);
}

Result<McapReader> McapReader::open(std::unique_ptr<McapSource> source, const std::string& name) {
  McapReader reader(std::move(source), name);
  if (auto done = reader.scan(); !done) return done.error();
  return reader;
}

Result<McapReader> McapReader::parse(std::string bytes, const std::string& name) {
  return open(std::make_unique<MemorySource>(std::move(bytes)), name);
}

std::optional<std::uint16_t> McapReader::find(std::string_view topic) const {
  for (const auto& [id, about] : channels_) {
    if (about.topic == topic && about.encoding == "json") return id;
  }
  return std::nullopt;
}

Error McapReader::complain(std::uint64_t offset, const std::string& what) const {
  return Error{name_ + " is damaged at byte " + std::to_string(offset) + ": " + what};
}

Result<void> McapReader::scan() {
  std::array<std::uint8_t, kMcapMagic.size()> magic{};
  const bool begins = source_->size() >= magic.size() && source_->read(0, magic) && text_of(magic) == kMcapMagic;
  if (!begins) return Error{name_ + " is no MCAP recording: it does not begin like one"};
  crc_ = mcap_crc(kMcapMagic);
  at_ = magic.size();
  while (!finished_) {
    const auto whole = take_next();
    // after a power loss the system may have made room for what it never wrote: zeros, from anywhere in a record on
    cut_off_ = whole ? !*whole || cut_off_ : only_zeros_follow(kZerosOfPowerLoss);
    if (!whole && !cut_off_) return whole.error();
    if (cut_off_) break;
  }
  buffer_ = {};
  if (n_messages_ == 0)
    return Error{name_ + " holds no messages" + (cut_off_ ? ": it was cut off before the first" : "")};
  return {};
}

Result<bool> McapReader::take_next() {
  const std::uint64_t offset = at_;
  const auto head = next_record();
  if (!head) return head.error();
  if (!head->has_value()) return false;
  if (auto taken = take_record(**head, offset); !taken) return taken.error();
  return true;
}

bool McapReader::only_zeros_follow(std::uint64_t at_least) const {
  std::vector<std::uint8_t> block(65536);
  std::uint64_t end = source_->size();
  while (end > 0) {
    const MutableBytes bytes = MutableBytes(block).first(std::min<std::uint64_t>(block.size(), end));
    if (!source_->read(end - bytes.size(), bytes)) return false;
    const auto last = std::find_if(bytes.rbegin(), bytes.rend(), [](std::uint8_t byte) { return byte != 0; });
    end -= static_cast<std::uint64_t>(last - bytes.rbegin());
    if (last != bytes.rend()) break;
  }
  return end <= at_ && source_->size() - end >= at_least;
}

Result<std::optional<McapReader::Head>> McapReader::next_record() {
  const std::uint64_t left = source_->size() - at_;
  if (left < kMcapRecordHead) return std::optional<Head>();
  std::array<std::uint8_t, kMcapRecordHead> bytes{};
  if (!source_->read(at_, bytes)) return Error{name_ + " cannot be read"};
  ByteReader in(bytes);
  Head head;
  head.opcode = in.u8();
  head.length = in.u64();
  if (head.opcode == 0) {
    if (only_zeros_follow(1)) return std::optional<Head>();
    return complain(at_, "a record of kind 0");
  }
  if (head.length > kLargestRecord) {
    return complain(at_, "a record of " + std::to_string(head.length) + " bytes, more than the " +
                             std::to_string(kLargestRecord) + " allowed");
  }
  if (head.length > left - kMcapRecordHead) return std::optional<Head>();
  buffer_.resize(static_cast<std::size_t>(head.length));
  if (!source_->read(at_ + kMcapRecordHead, buffer_)) return Error{name_ + " cannot be read"};
  at_ += kMcapRecordHead + head.length;
  if (in_data_ && head.opcode != static_cast<std::uint8_t>(McapOpcode::data_end)) {
    crc_ = mcap_crc(text_of(buffer_), mcap_crc(text_of(bytes), crc_));
  }
  return std::optional<Head>(head);
}

Result<void> McapReader::take_record(Head head, std::uint64_t offset) {
  if (offset == kMcapMagic.size() && head.opcode != static_cast<std::uint8_t>(McapOpcode::header)) {
    return complain(offset, "it must begin with a header");
  }
  switch (static_cast<McapOpcode>(head.opcode)) {
    case McapOpcode::schema:
    case McapOpcode::channel:
      return take_declaration(head.opcode, buffer_, offset);
    case McapOpcode::message: {
      if (!in_data_) return complain(offset, "a message after the end of the data");
      std::vector<std::uint8_t> record(kMcapRecordHead);
      ByteWriter out(record);
      out.u8(head.opcode);
      out.u64(head.length);
      record.insert(record.end(), buffer_.begin(), buffer_.end());
      return add({.offset = offset, .length = record.size()}, record);
    }
    case McapOpcode::chunk:
      if (!in_data_) return complain(offset, "a chunk after the end of the data");
      return take_chunk(offset);
    case McapOpcode::data_end: {
      in_data_ = false;
      ByteReader in(buffer_);
      const std::uint32_t crc = in.u32();
      if (!in.ok()) return complain(offset, "its data has no proper end");
      if (crc != 0 && crc != crc_) return complain(offset, "the data's CRC does not match");
      return {};
    }
    case McapOpcode::footer:
      return take_footer(offset);
    default:
      return {};  // indexes, statistics, attachments and what newer writers add: nothing that is needed here
  }
}

Result<void> McapReader::take_declaration(std::uint8_t opcode, Bytes content, std::uint64_t offset) {
  const bool is_schema = opcode == static_cast<std::uint8_t>(McapOpcode::schema);
  ByteReader in(content);
  const std::uint16_t id = in.u16();
  const std::uint16_t schema = is_schema ? std::uint16_t{0} : in.u16();
  const std::string_view name = read_text(in), encoding = read_text(in);
  if (!in.ok()) return complain(offset, is_schema ? "a schema that is not whole" : "a channel that is not whole");
  if (name.size() > kLongestName || encoding.size() > kLongestName) return complain(offset, "a name that is too long");
  if (schemas_.size() + channels_.size() > 2 * kMostChannels) return complain(offset, "too many channels");
  if (is_schema) {
    const auto [place, fresh] = schemas_.try_emplace(id, name);
    if (!fresh && place->second != name) return complain(offset, "two schemas under one number");
    return {};
  }
  const auto known = schemas_.find(schema);
  if (schema != 0 && known == schemas_.end()) return complain(offset, "a channel whose schema was not declared");
  const McapTopic topic{std::string(name), schema == 0 ? std::string() : known->second, std::string(encoding)};
  const auto [place, fresh] = channels_.try_emplace(id, topic);
  if (!fresh && place->second != topic) return complain(offset, "two channels under one number");
  return {};
}

Result<void> McapReader::take_chunk(std::uint64_t offset) {
  ByteReader in(buffer_);
  in.u64();  // first and last time: the messages know better
  in.u64();
  const std::uint64_t size = in.u64();
  const std::uint32_t crc = in.u32();
  const std::string_view compression = read_text(in);
  const std::uint64_t length = in.u64();
  if (!in.ok() || length != in.remaining()) return complain(offset, "a chunk whose lengths do not match");
  if (!compression.empty()) {
    return Error{name_ + " is compressed with " + io::quote(compression) +
                 ", and only uncompressed recordings are read"};
  }
  if (size != length) return complain(offset, "a chunk whose lengths do not match");
  const std::uint64_t begin = offset + kMcapRecordHead + buffer_.size() - length;
  const Bytes records = in.bytes(static_cast<std::size_t>(length));
  if (crc != 0 && crc != mcap_crc(text_of(records))) return complain(offset, "a chunk's CRC does not match");
  return add({.offset = begin, .length = length}, records);
}

Result<void> McapReader::add(Chunk chunk, Bytes records) {
  const std::uint64_t before = n_messages_;
  const auto whole = for_each_record(records, [&](std::uint8_t opcode, Bytes content) -> Result<void> {
    const auto kind = static_cast<McapOpcode>(opcode);
    if (kind == McapOpcode::schema || kind == McapOpcode::channel) {
      return take_declaration(opcode, content, chunk.offset);
    }
    if (kind != McapOpcode::message) return {};
    const auto message = read_message(content);
    if (!message) return complain(chunk.offset, "a message that is not whole");
    if (!channels_.contains(message->channel)) {
      return complain(chunk.offset, "a message of channel " + std::to_string(message->channel) + ", which is unknown");
    }
    first_ = n_messages_ == 0 ? message->log_time_ns : std::min(first_, message->log_time_ns);
    last_ = n_messages_ == 0 ? message->log_time_ns : std::max(last_, message->log_time_ns);
    ++n_messages_;
    chunk.channels |= std::uint64_t{1} << (message->channel % 64);
    return {};
  });
  if (!whole) return whole.error();
  if (!*whole) return complain(chunk.offset, "a record that is longer than its chunk");
  if (n_messages_ == before) return {};
  chunk.last = last_;
  chunks_.push_back(chunk);
  if (chunks_.size() > kMostChunks) return Error{name_ + " has too many chunks"};
  return {};
}

Result<void> McapReader::take_footer(std::uint64_t offset) {
  finished_ = true;
  cut_off_ = only_zeros_follow(1);
  if (cut_off_) return {};
  const std::uint64_t left = source_->size() - at_;
  std::array<std::uint8_t, kMcapMagic.size()> magic{};
  const MutableBytes end = MutableBytes(magic).first(std::min<std::size_t>(magic.size(), left));
  if (!source_->read(at_, end)) return Error{name_ + " cannot be read"};
  if (left > magic.size() || !kMcapMagic.starts_with(text_of(end))) {
    return complain(offset, "something else stands after the footer");
  }
  cut_off_ = left < magic.size();
  return {};
}

Result<std::vector<McapMessage>> McapReader::read(std::size_t chunk) {
  const Chunk& place = chunks_.at(chunk);
  buffer_.resize(static_cast<std::size_t>(place.length));
  if (!source_->read(place.offset, buffer_)) return Error{name_ + " cannot be read any more"};
  std::vector<McapMessage> messages;
  const auto whole = for_each_record(buffer_, [&](std::uint8_t opcode, Bytes content) -> Result<void> {
    if (static_cast<McapOpcode>(opcode) != McapOpcode::message) return {};
    const auto message = read_message(content);
    if (!message || !channels_.contains(message->channel)) return Error{name_ + " has changed while it was read"};
    messages.push_back(*message);
    return {};
  });
  if (!whole) return whole.error();
  if (!*whole) return Error{name_ + " has changed while it was read"};
  return messages;
}

}  // namespace forerun::record
