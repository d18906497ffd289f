// A recording under way: what was seen and done, written to an MCAP file as it happens (docs/recording.md).
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "forerun/app/recording_messages.hpp"
#include "forerun/base/result.hpp"
#include "forerun/io/mcap_writer.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

// `--record FILE.mcap`, bound to `path`.
void add_record_option(CLI::App& app, std::string& path);
// One sentence where the option names no file.
[[nodiscard]] Result<void> check_record_option(const CLI::App& app, const std::string& path);

// May be used from several threads. When the file cannot be written any more this is said once, and the rest goes on.
class Recording {
 public:
  // Null for an empty path. Takes the place of a file that is there.
  [[nodiscard]] static Result<std::unique_ptr<Recording>> open(const std::string& path);

  // `log_time`: operator's clock; `publish_time`: the robot's, where a message has one.
  template <class Message>
  void write(Recorded kind, std::int64_t log_time_ns, std::int64_t publish_time_ns, const Message& message) {
    put(kind, log_time_ns, publish_time_ns, write_recorded(message));
  }
  // Adds the summary. An error that was said already is not said again: the sentence is empty then.
  [[nodiscard]] Result<void> close();

 private:
  explicit Recording(io::McapWriter writer) : writer_(std::move(writer)) {}
  void put(Recorded kind, std::int64_t log_time_ns, std::int64_t publish_time_ns, const std::string& text);

  std::mutex mutex_;
  io::McapWriter writer_;
  bool complained_ = false;
};

// Closes it where there is one; gives `code`, or what a failed recording makes of it.
[[nodiscard]] int finish_recording(Recording* recording, int code);

// The model with its number, as the link numbers it.
[[nodiscard]] RecordedModel make_recorded_model(const net::RobotCard& card, std::vector<std::uint8_t> bundle);

}  // namespace forerun::app
