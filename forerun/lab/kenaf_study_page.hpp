// The page of `forerun study kenaf`.
#pragma once

#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/bridge/square_trial.hpp"
#include "forerun/mobility/comparison.hpp"
#include "forerun/mobility/course_drive.hpp"
#include "forerun/robot/crawler.hpp"

namespace forerun::lab {

struct KenafFigures {
  std::vector<mobility::Comparison> runs;
  bridge::SquareTrial square;
  mobility::CourseScore course;
};

[[nodiscard]] Result<std::string> kenaf_study_page(const KenafFigures& figures, const robot::Crawler& robot);

}  // namespace forerun::lab
