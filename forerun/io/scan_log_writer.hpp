// Writes what a simulated robot's laser sees as a scan log (CARMEN, ROBOTLASER1).
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/io/file.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::io {

class ScanLogWriter {
 public:
  // Of the robot's first laser; an error where there is none, or where its beams do not lie side by side.
  static Result<ScanLogWriter> open(const std::string& path, const robot::Description& robot);

  // A line for each scan that was not there before.
  void take(const sense::Readings& readings);
  // The log appears under its name.
  [[nodiscard]] Result<void> close() { return file_.commit(); }

 private:
  ScanLogWriter(PendingFile file, const robot::Laser& laser, std::size_t sensor);

  PendingFile file_;
  robot::Laser laser_;
  std::size_t sensor_ = 0;  // in the robot's list
  bool any_ = false;
  RobotTime newest_;
};

}  // namespace forerun::io
