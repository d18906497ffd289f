#include "forerun/io/scan_log_writer.hpp"

#include <array>
#include <cstdio>

#include "forerun/io/text.hpp"

namespace forerun::io {
namespace {

std::string words(const char* format, auto... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

ScanLogWriter::ScanLogWriter(PendingFile file, const robot::Laser& laser, std::size_t sensor)
    : file_(std::move(file)), laser_(laser), sensor_(sensor) {}

Result<ScanLogWriter> ScanLogWriter::open(const std::string& path, const robot::Description& robot) {
  for (std::size_t i = 0; i < robot.sensors.size(); ++i) {
    const auto* laser = std::get_if<robot::Laser>(&robot.sensors[i]);
    if (laser == nullptr || laser->beams < 2 || !(laser->field_of_view > 0)) continue;
    Result<PendingFile> file = PendingFile::open(path);
    if (!file) return file.error();
    return ScanLogWriter(std::move(*file), *laser, i);
  }
  return Error{path + " cannot be written: the robot " + quote(robot.name) +
               " has no laser with beams side by side, but a scan log needs one"};
}

void ScanLogWriter::take(const sense::Readings& readings) {
  const sense::Reading& scan = readings.sensors[sensor_];
  if (any_ && scan.time == newest_) return;
  any_ = true;
  newest_ = scan.time;
  const double time = to_seconds(scan.time), step = laser_.field_of_view / (laser_.beams - 1);
  std::string line = words("ROBOTLASER1 0 %.12g %.12g %.12g %.12g %.6g 0 %zu", -laser_.field_of_view / 2,
                           laser_.field_of_view, step, laser_.max_range, laser_.noise, scan.values.size());
  for (const float range : scan.values)
    line += words(" %.4f", static_cast<double>(std::min<float>(range, static_cast<float>(laser_.max_range))));
  const Pose2 robot = scan.odometry, laser = robot * laser_.mount;
  line += words(" 0 %.6f %.6f %.9f %.6f %.6f %.9f 0 0 0 0 0 %.6f sim %.6f\n", laser.x, laser.y, laser.theta, robot.x,
                robot.y, robot.theta, time, time);
  file_.write(line);
}

}  // namespace forerun::io
