#include "forerun/io/carmen_log.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "forerun/io/lines.hpp"
#include "forerun/io/scan_ranges.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {
namespace {

constexpr double kSmallestStep = 1e-4;  // between beams [rad]
constexpr double kLargestStep = 1;
constexpr double kSameMount = 1e-3;  // laser and robot poses as near as this are the same, or the same mount [m, rad]

// The blank-separated words of a line, one after the other, with the sentence of what was wrong first.
class Words {
 public:
  Words(std::string_view line, std::string where) : rest_(line), where_(std::move(where)) {}

  std::string_view word() {
    const std::size_t first = rest_.find_first_not_of(" \t");
    rest_ = first == std::string_view::npos ? std::string_view() : rest_.substr(first);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }
  void skip(int n) {
    for (int i = 0; i < n; ++i) word();
  }
  // NaN and infinities pass only where they mean something.
  double any_number(const char* what) {
    const std::string_view text = word();
    const std::optional<double> number = parse_number(text);
    if (!number) complain(text, what, "must be a number");
    return number.value_or(0);
  }
  double number(const char* what, double least, double largest) {
    const std::string_view text = word();
    const std::optional<double> number = parse_number(text);
    if (number && *number >= least && *number <= largest) return *number;
    complain(text, what, "must be a number from " + show(least) + " to " + show(largest));
    return 0;
  }
  Pose2 pose(const char* what) {
    const double x = number(what, -kFarthestPose, kFarthestPose);
    const double y = number(what, -kFarthestPose, kFarthestPose);
    return {x, y, normalize_angle(number(what, -kLargestHeading, kLargestHeading))};
  }
  std::size_t count(const char* what, std::size_t largest) {
    const double n = number(what, 0, static_cast<double>(largest));
    if (n != std::floor(n) && !error_) error_ = Error{where_ + ": the " + what + " must be a whole number"};
    return static_cast<std::size_t>(n);
  }
  std::vector<float> ranges() {
    const std::size_t n = count("number of ranges", kMostBeams);
    if (n < kFewestBeams && !error_) error_ = wrong_number_of_beams(where_, std::to_string(n));
    std::vector<float> ranges;
    for (std::size_t i = 0; i < n && !error_; ++i) ranges.push_back(as_range(any_number("range")));
    return ranges;
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  void complain(std::string_view text, const char* what, const std::string& allowed) {
    if (error_) return;
    const std::string found = text.empty() ? "missing" : quote(text);
    error_ = Error{where_ + ": the " + what + " is " + found + ", but " + allowed};
  }

  std::string_view rest_;
  std::string where_;
  std::optional<Error> error_;
};

struct Message {
  LoggedScan scan;
  Pose2 laser;  // in the frame of the poses
  Fan fan;
  std::optional<double> max_range;
};

// FLASER n r… x y θ odom_x odom_y odom_θ stamp host logger_stamp
Message read_flaser(Words& words) {
  Message message;
  message.scan.ranges = words.ranges();
  message.laser = words.pose("pose of the laser");
  message.scan.odometry = words.pose("odometry");
  message.scan.stamp = words.number("stamp", -kLatestStamp, kLatestStamp);
  message.fan = guess_fan(std::max(message.scan.ranges.size(), kFewestBeams));
  return message;
}

// ROBOTLASER1 type start fov step max accuracy remissions n r… n_remissions … laser's pose, robot's pose, tv rv forward
// side turn_axis stamp host logger_stamp
Message read_robotlaser(Words& words) {
  Message message;
  words.skip(1);
  message.fan.first_angle = words.number("start angle", -7, 7);
  words.skip(1);
  message.fan.step = words.number("angular resolution", kSmallestStep, kLargestStep);
  message.max_range = words.number("maximum range", 0.01, 1e4);
  words.skip(2);
  message.scan.ranges = words.ranges();
  words.skip(static_cast<int>(words.count("number of remissions", kMostBeams)));
  message.laser = words.pose("pose of the laser");
  message.scan.odometry = words.pose("pose of the robot");
  words.skip(5);
  message.scan.stamp = words.number("stamp", -kLatestStamp, kLatestStamp);
  return message;
}

bool is_same_mount(const Pose2& a, const Pose2& b) {
  return distance(a.position(), b.position()) <= kSameMount &&
         std::fabs(normalize_angle(a.theta - b.theta)) <= kSameMount;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Result<ScanLog> read(std::string_view text) {
    Lines lines(text);
    for (std::string_view line; lines.next(line);) {
      if (auto taken = take(line, lines.number()); !taken) return taken.error();
    }
    if (log_.scans.empty()) {
      return Error{file_ +
                   " holds no scan, but must be a CARMEN log with FLASER or ROBOTLASER1, or JSON of a Radish pair"};
    }
    finish();
    return std::move(log_);
  }

 private:
  Result<void> take(std::string_view line, int number) {
    Words words(line, file_ + ":" + std::to_string(number));
    const std::string_view kind = words.word();
    if (kind == "PARAM") return take_param(words);
    if (kind == "ODOM") return take_odometry(words);
    if (kind != "FLASER" && kind != "ROBOTLASER1") return {};
    // many logs hold each scan in both forms
    if (kind_.empty()) kind_ = kind;
    if (kind != kind_) return {};
    Message message = kind == "FLASER" ? read_flaser(words) : read_robotlaser(words);
    if (words.error()) return *words.error();
    return take_scan(std::move(message), words.where());
  }

  Result<void> take_param(Words& words) {
    if (words.word() != "robot_front_laser_max") return {};
    const double limit = words.any_number("limit");
    if (!words.error() && limit > 0 && limit <= 1e4) limit_ = limit;
    return {};
  }

  // Loggers leave zeros and worse in the stamps of some of these lines: such lines count for nothing.
  Result<void> take_odometry(Words& words) {
    const Pose2 pose = words.pose("odometry");
    words.skip(3);
    if (words.error()) return *words.error();
    const double time = words.any_number("stamp");
    if (words.error()) return *words.error();
    const bool rises = log_.odometry.empty() || time > log_.odometry.back().time;
    if (rises && time > 0 && time <= kLatestStamp) log_.odometry.push_back({time, pose});
    return {};
  }

  Result<void> take_scan(Message message, const std::string& where) {
    message.scan.time = message.scan.stamp;
    if (log_.scans.empty()) {
      log_.first_angle = message.fan.first_angle;
      log_.step = message.fan.step;
      if (message.max_range) limit_ = *message.max_range;
    } else if (auto fits = check(message, where); !fits) {
      return fits;
    }
    lasers_.push_back(message.laser);
    log_.scans.push_back(std::move(message.scan));
    return {};
  }

  Result<void> check(Message& message, const std::string& where) {
    const LoggedScan &before = log_.scans.back(), &first = log_.scans.front();
    LoggedScan& scan = message.scan;
    if (scan.ranges.size() != first.ranges.size()) {
      return wrong_length(where, scan.ranges.size(), first.ranges.size());
    }
    if (message.fan.first_angle != log_.first_angle || message.fan.step != log_.step) {
      return Error{where + ": the scan begins at " + show(message.fan.first_angle) + " rad in steps of " +
                   show(message.fan.step) + ", but must be as the first, " + show(log_.first_angle) + " and " +
                   show(log_.step)};
    }
    if (log_.scans.size() == kMostScans) {
      return Error{where + ": the log goes on, but must have at most " + std::to_string(kMostScans) + " scans"};
    }
    if (scan.time < before.time - kStampSlack) {
      return Error{where + ": the stamp falls from " + show(before.time) + " to " + show(scan.time) +
                   ", but must not go back by more than " + show(kStampSlack) + " s"};
    }
    // The order of the file is the order of the drive, even where the clock says otherwise: robots that turn about do
    // so evenly in that order, and would jerk back and forth in the order of the stamps.
    if (scan.time < before.time) ++log_.n_stamps_raised;
    scan.time = std::max(scan.time, before.time);
    return {};
  }

  // The laser's pose is the robot's moved by the mount, or a better pose than odometry's.
  void finish() {
    const Pose2 mount = inverse(log_.scans.front().odometry) * lasers_.front();
    bool mounted = true;
    for (std::size_t i = 0; i < lasers_.size() && mounted; ++i) {
      mounted = is_same_mount(inverse(log_.scans[i].odometry) * lasers_[i], mount);
    }
    if (mounted && !is_same_mount(mount, {})) log_.robot_from_laser = mount;
    for (std::size_t i = 0; i < lasers_.size() && !mounted; ++i) log_.scans[i].corrected = lasers_[i];
    log_.max_range = limit_ ? std::min(*limit_, find_max_range(log_.scans)) : find_max_range(log_.scans);
    drop_far_echoes(log_);
  }

  const std::string& file_;
  std::string_view kind_;  // of the scans
  std::optional<double> limit_;
  std::vector<Pose2> lasers_;
  ScanLog log_;
};

}  // namespace

Result<ScanLog> parse_carmen_log(std::string_view text, const std::string& file) { return Reader(file).read(text); }

}  // namespace forerun::io
