#include "forerun/io/link_profile_file.hpp"

#include <filesystem>

#include "forerun/io/file.hpp"
#include "forerun/io/rtt_trace.hpp"
#include "forerun/io/text.hpp"
#include "forerun/io/yaml_reader.hpp"

namespace forerun::io {

namespace {

constexpr double kSlowestRate = 100;  // [bit/s]: slower ones would keep a datagram for months

// What the ranges of single fields cannot say.
void check_path(YamlMap& yaml, const impair::LinkPath& path) {
  if ((path.burst_good > 0) != (path.burst_bad > 0)) {
    yaml.fail("", "has a burst_good_s of " + show(path.burst_good) + " and a burst_bad_s of " + show(path.burst_bad) +
                      ", but both must be 0 or neither");
  }
  if (path.max_delay > 0 && path.max_delay < path.delay) {
    yaml.fail("max_delay_s", "is " + show(path.max_delay) + ", but must be 0 or at least delay_s, " + show(path.delay));
  }
  if (path.rate > 0 && path.rate < kSlowestRate) {
    yaml.fail("rate_bps", "is " + show(path.rate) + ", but must be 0 or at least " + show(kSlowestRate));
  }
}

void read_path(YamlMap& yaml, impair::LinkPath& path) {
  yaml.read_fields(path);
  check_path(yaml, path);
}

void read_blackout(YamlMap& yaml, impair::LinkProfile& profile) {
  impair::Blackout blackout;
  const bool begins = yaml.has("at_s");
  const bool repeats = yaml.has("every_s");
  yaml.require("for_s");
  yaml.read_fields(blackout);
  if (!begins && !repeats) yaml.fail("", "has neither at_s nor every_s, but must have one of them");
  if (repeats && blackout.every <= blackout.length) {
    yaml.fail("every_s", "is " + show(blackout.every) + ", but must exceed for_s, " + show(blackout.length));
  }
  if (!begins) blackout.at = blackout.every;
  profile.blackouts.push_back(blackout);
}

void read_profile(YamlMap& yaml, impair::LinkProfile& profile) {
  yaml.read_fields(profile);
  // a direction says only where it departs from `both`
  yaml.with("both", [&](YamlMap& both) { read_path(both, profile.up); });
  profile.down = profile.up;
  yaml.with("up", [&](YamlMap& up) { read_path(up, profile.up); });
  yaml.with("down", [&](YamlMap& down) { read_path(down, profile.down); });
  yaml.each("blackouts", [&](YamlMap& blackout) { read_blackout(blackout, profile); });
  if (profile.blackouts.size() > impair::kMaxBlackouts) {
    yaml.fail("blackouts", "has " + std::to_string(profile.blackouts.size()) + " elements, but must have at most " +
                               std::to_string(impair::kMaxBlackouts));
  }
}

bool names_recording(const std::string& path) {
  std::string_view bare = path;
  if (bare.ends_with(".gz")) bare.remove_suffix(3);
  return bare.ends_with(".csv") || bare.ends_with(".txt");
}

Result<void> load_trace(impair::LinkProfile& profile) {
  Result<RttTrace> trace = load_rtt_trace(profile.trace_file, profile.trace_rate_hz);
  if (!trace) return trace.error();
  profile.trace = std::move(trace->samples);
  profile.trace_length = trace->length;
  return {};
}

}  // namespace

Result<impair::LinkProfile> parse_link_profile(std::string_view text, const std::string& file) {
  impair::LinkProfile profile;
  profile.name = bare_name(file);
  const Result<void> read = read_yaml(text, file, [&](YamlMap& yaml) { read_profile(yaml, profile); });
  if (!read) return read.error();
  return profile;
}

Result<impair::LinkProfile> load_link_profile(const std::string& name_or_file) {
  const Result<std::string> path = find_file(FileKind::profile, name_or_file);
  if (!path) return path.error();
  impair::LinkProfile profile;
  if (names_recording(*path)) {
    profile.name = bare_name(*path);
    profile.trace_file = *path;
  } else {
    const Result<std::string> text = read_file(*path, kLargestText);
    if (!text) return text.error();
    Result<impair::LinkProfile> parsed = parse_link_profile(*text, *path);
    if (!parsed) return parsed;
    profile = std::move(*parsed);
    // an absolute name stays as it is
    const auto folder = std::filesystem::path(*path).parent_path();
    if (!profile.trace_file.empty()) profile.trace_file = (folder / profile.trace_file).lexically_normal().string();
  }
  if (profile.trace_file.empty()) return profile;
  if (const Result<void> loaded = load_trace(profile); !loaded) return loaded.error();
  return profile;
}

}  // namespace forerun::io
