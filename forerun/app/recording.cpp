#include "forerun/app/recording.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "forerun/app/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/bulk_wire.hpp"

namespace forerun::app {

void add_record_option(CLI::App& app, std::string& path) {
  app.add_option("--record", path, "record everything into this file (MCAP); forerun view --replay plays it");
}

Result<void> check_record_option(const CLI::App& app, const std::string& path) {
  if (app.count("--record") == 0 || (!path.empty() && path != "-")) return {};
  return Error{"--record is " + io::quote(path) + ", but must be the name of a file"};
}

Result<std::unique_ptr<Recording>> Recording::open(const std::string& path) {
  if (path.empty()) return std::unique_ptr<Recording>();
  auto writer = io::McapWriter::open(path, std::string("forerun ") + FORERUN_VERSION, recorded_channels());
  if (!writer) return writer.error();
  return std::unique_ptr<Recording>(new Recording(std::move(*writer)));
}

void Recording::put(Recorded kind, std::int64_t log_time_ns, std::int64_t publish_time_ns, const std::string& text) {
  const std::lock_guard lock(mutex_);
  writer_.write(static_cast<std::size_t>(kind), log_time_ns, publish_time_ns, text);
  if (complained_ || !writer_.problem()) return;
  complained_ = true;
  std::fprintf(stderr, "forerun: %s; the recording ends here, all else goes on\n", writer_.problem()->message.c_str());
}

Result<void> Recording::close() {
  const std::lock_guard lock(mutex_);
  const auto closed = writer_.close();
  if (closed || !complained_) return closed;
  return Error{"", ErrorKind::impossible};
}

int finish_recording(Recording* recording, int code) {
  if (recording == nullptr) return code;
  const auto closed = recording->close();
  if (closed) return code;
  return closed.error().message.empty() ? kCannot : report(closed.error());
}

RecordedModel make_recorded_model(const net::RobotCard& card, std::vector<std::uint8_t> bundle) {
  RecordedModel model{.card = card, .bundle = std::move(bundle)};
  model.card.model = sync::object_of(net::SodiumCipher().hash(model.bundle));
  return model;
}

}  // namespace forerun::app
