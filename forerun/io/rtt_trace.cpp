#include "forerun/io/rtt_trace.hpp"

#include <algorithm>
#include <optional>

#include "forerun/io/file.hpp"
#include "forerun/io/gzip.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {

namespace {

constexpr std::size_t kLargestTrace = std::size_t{64} << 20;  // unpacked [bytes]
constexpr std::size_t kMostSamples = 4'000'000;               // four days at ten a second
constexpr double kLongestRoundTrip = 1e10;                    // [ms]: four months
constexpr double kLatestStamp = 1e13;                         // [ms]: the year 2286, counted from 1970
constexpr double kLongestRecording = 1e10;                    // [ms]: four months
constexpr std::string_view kBlanks = " \t,;";

// Takes the next word off the line; empty when there is none.
std::string_view take_word(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return line = {};
  line.remove_prefix(first);
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

// Which words of a line are the time and the round trip.
struct Columns {
  std::optional<std::size_t> time, delay;
};

Columns read_header(std::string_view line) {
  Columns columns;
  for (std::size_t i = 0;; ++i) {
    const std::string_view word = take_word(line);
    if (word.empty()) return columns;
    if (word.starts_with("pub_time") && !columns.time) columns.time = i;
    if (word.starts_with("delay") && !columns.delay) columns.delay = i;
  }
}

std::string_view word_at(std::string_view line, std::size_t place) {
  for (std::size_t i = 0; i < place; ++i) take_word(line);
  return take_word(line);
}

Result<double> read_number(std::string_view word, double largest, const std::string& where, const char* what) {
  const std::optional<double> number = parse_number(word);
  // written so that NaN fails too
  if (number && *number >= 0 && *number <= largest) return *number;
  return Error{where + ": the " + what + " is " + quote(word) + ", but must be a number of milliseconds from 0 to " +
               show(largest)};
}

class Reader {
 public:
  Reader(const std::string& file, double rate_hz) : file_(file), rate_hz_(rate_hz) {}

  Result<RttTrace> read(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    Lines lines(text);
    for (std::string_view line; lines.next(line);) {
      if (line.find_first_not_of(kBlanks) == std::string_view::npos) continue;
      const std::string where = file_ + ":" + std::to_string(lines.number());
      if (auto taken = take(line, where); !taken) return taken.error();
    }
    if (trace_.samples.empty()) return Error{file_ + " holds no round trip, but must hold at least one"};
    finish();
    return std::move(trace_);
  }

 private:
  Result<void> take(std::string_view line, const std::string& where) {
    if (!begun_) {
      begun_ = true;
      if (begin(line)) return {};
    }
    if (trace_.samples.size() == kMostSamples) {
      return Error{where + ": the recording goes on, but must have at most " + std::to_string(kMostSamples) +
                   " round trips"};
    }
    return trace_.timed ? take_timed(line, where) : take_plain(line, where);
  }

  // Whether the first line is a header.
  bool begin(std::string_view line) {
    columns_ = read_header(line);
    trace_.timed = columns_.time && columns_.delay;
    return trace_.timed;
  }

  Result<void> take_plain(std::string_view line, const std::string& where) {
    const Result<double> ms = read_number(take_word(line), kLongestRoundTrip, where, "round trip");
    if (!ms) return ms.error();
    if (const std::string_view more = take_word(line); !more.empty()) {
      return Error{where + ": " + quote(more) + " follows the round trip, but a line must hold one number"};
    }
    trace_.samples.push_back({static_cast<double>(trace_.samples.size()) / rate_hz_, *ms * 1e-3});
    return {};
  }

  Result<void> take_timed(std::string_view line, const std::string& where) {
    const Result<double> stamp = read_number(word_at(line, *columns_.time), kLatestStamp, where, "pub_time");
    if (!stamp) return stamp.error();
    const Result<double> ms = read_number(word_at(line, *columns_.delay), kLongestRoundTrip, where, "delay");
    if (!ms) return ms.error();
    if (trace_.samples.empty()) first_ = *stamp;
    const double since_first = *stamp - first_;
    if (since_first < -kLongestRecording || since_first > kLongestRecording) {
      return Error{where + ": the pub_time is " + show(*stamp) + ", but must lie within four months of the first, " +
                   show(first_)};
    }
    trace_.samples.push_back({since_first * 1e-3, *ms * 1e-3});
    return {};
  }

  void finish() {
    // several senders' lines may be mixed
    std::vector<impair::TraceSample>& samples = trace_.samples;
    std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    const double begin = samples.front().at;
    for (impair::TraceSample& sample : samples) sample.at -= begin;
    const double last = samples.back().at;
    const auto n_gaps = static_cast<double>(samples.size() - 1);
    trace_.length = last + (trace_.timed && last > 0 ? last / n_gaps : 1 / rate_hz_);
  }

  const std::string& file_;
  double rate_hz_;
  bool begun_ = false;
  Columns columns_;
  double first_ = 0;  // time stamp [ms]
  RttTrace trace_;
};

}  // namespace

Result<RttTrace> parse_rtt_trace(std::string_view text, const std::string& file, double rate_hz) {
  return Reader(file, rate_hz).read(text);
}

Result<RttTrace> load_rtt_trace(const std::string& path, double rate_hz) {
  const Result<std::string> text = read_unpacked(path, kLargestTrace);
  if (!text) return text.error();
  return parse_rtt_trace(*text, path, rate_hz);
}

}  // namespace forerun::io
