// Relations: how poses of a drive lie to each other in truth, to judge a map by (Kümmerle and others 2009).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::mapping {

struct Relation {
  double from = 0;  // stamps of two scans [s]
  double to = 0;
  Pose2 from_from_to;  // where the second was, in the frame of the first
};

// A line each: two stamps, then dx, dy, dz [m], roll, pitch, yaw [rad]. May be packed with gzip.
[[nodiscard]] Result<std::vector<Relation>> load_relations(const std::string& path);
[[nodiscard]] Result<std::vector<Relation>> parse_relations(std::string_view text, const std::string& file);

// A relation between scans of a log, by their places in it.
struct ScanRelation {
  std::size_t from = 0;
  std::size_t to = 0;
  Pose2 from_from_to;
};

// The scan with this stamp, to the millisecond, among rising stamps; none where there is none.
[[nodiscard]] std::optional<std::size_t> find_stamp(const std::vector<double>& stamps, double stamp);

// Those between scans of the log, whose stamps come in its order, rising or not. A stamp more than a second before or
// after all of them is an error, and so is a file without a relation between scans of the log.
[[nodiscard]] Result<std::vector<ScanRelation>> match_relations(const std::vector<Relation>& relations,
                                                                const std::string& file,
                                                                const std::vector<double>& stamps);

struct RelationScore {
  double error = 0;       // mean distance between where the second pose is and where it should be [m]
  double turn_error = 0;  // mean difference of headings, without sign [rad]
};

// `pose_of` says where a scan is.
[[nodiscard]] RelationScore score_relations(const std::vector<ScanRelation>& relations,
                                            const std::function<Pose2(std::size_t)>& pose_of);

}  // namespace forerun::mapping
