// A recording under way: what was seen and done, written to an MCAP file as it happens (docs/recording.md).
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/net/complaint.hpp"
#include "forerun/record/mcap_writer.hpp"
#include "forerun/record/messages.hpp"

namespace forerun::record {

// May be used from several threads. When the file cannot be written any more this is said once, and the rest goes on.
class Recording {
 public:
  // Null for an empty path. Takes the place of a file that is there.
  [[nodiscard]] static Result<std::unique_ptr<Recording>> open(const std::string& path,
                                                               net::OnComplaint on_complaint = net::print_complaint);

  // `log_time`: operator's clock; `publish_time`: the robot's, where a message has one.
  template <class Message>
  void write(Recorded kind, std::int64_t log_time_ns, std::int64_t publish_time_ns, const Message& message) {
    put(kind, log_time_ns, publish_time_ns, write_recorded(message));
  }
  // Adds the summary. An error that was said already is not said again: the sentence is empty then.
  [[nodiscard]] Result<void> close();

 private:
  Recording(record::McapWriter writer, net::OnComplaint on_complaint)
      : writer_(std::move(writer)), on_complaint_(std::move(on_complaint)) {}
  void put(Recorded kind, std::int64_t log_time_ns, std::int64_t publish_time_ns, const std::string& text);

  std::mutex mutex_;
  record::McapWriter writer_;
  net::OnComplaint on_complaint_;
  bool complained_ = false;
};

// The model with its number, as the link numbers it.
[[nodiscard]] RecordedModel make_recorded_model(const web::RobotCard& card, std::vector<std::uint8_t> bundle);
// Whether the number belongs to the bytes.
[[nodiscard]] bool is_numbered_right(const RecordedModel& model);

}  // namespace forerun::record
