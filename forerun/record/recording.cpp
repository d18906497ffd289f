#include "forerun/record/recording.hpp"

#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/bulk_wire.hpp"

namespace forerun::record {

Result<std::unique_ptr<Recording>> Recording::open(const std::string& path, net::OnComplaint on_complaint) {
  if (path.empty()) return std::unique_ptr<Recording>();
  auto writer = record::McapWriter::open(path, std::string("forerun ") + FORERUN_VERSION, recorded_channels());
  if (!writer) return writer.error();
  return std::unique_ptr<Recording>(new Recording(std::move(*writer), std::move(on_complaint)));
}

void Recording::put(Recorded kind, std::int64_t log_time_ns, std::int64_t publish_time_ns, const std::string& text) {
  const std::lock_guard lock(mutex_);
  writer_.write(static_cast<std::size_t>(kind), log_time_ns, publish_time_ns, text);
  if (complained_ || !writer_.problem()) return;
  complained_ = true;
  on_complaint_(writer_.problem()->message + "; the recording ends here, all else goes on");
}

Result<void> Recording::close() {
  const std::lock_guard lock(mutex_);
  const auto closed = writer_.close();
  if (closed || !complained_) return closed;
  return Error{"", ErrorKind::impossible};
}

namespace {

// As the link numbers it: by the list that names world and robot. 0 for what is no bundle.
std::uint64_t number_on_link(Bytes bundle) {
  const auto bytes = sim::split_model(bundle);
  if (!bytes) return 0;
  const auto name = [](Bytes part) {
    return sim::PartName{static_cast<std::uint32_t>(part.size()), net::SodiumCipher().hash(part)};
  };
  const auto list = sim::pack_parts({name(bytes->world), name(bytes->robot)});
  return sync::object_of(net::SodiumCipher().hash(list));
}

}  // namespace

bool is_numbered_right(const RecordedModel& model) { return model.card.model == number_on_link(model.bundle); }

RecordedModel make_recorded_model(const web::RobotCard& card, std::vector<std::uint8_t> bundle) {
  RecordedModel model{.robot = 1, .card = card, .bundle = std::move(bundle)};
  model.card.model = number_on_link(model.bundle);
  return model;
}

}  // namespace forerun::record
