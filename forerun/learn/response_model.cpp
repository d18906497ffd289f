#include "forerun/learn/response_model.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/mission/mission_text.hpp"
#include "forerun/respond/frames.hpp"

namespace forerun::learn {
namespace {

using Json = nlohmann::ordered_json;
using respond::kOutputs;

constexpr const char* kMark = "forerun_response_model";
constexpr int kVersion = 1;
constexpr std::size_t kLargest = std::size_t{16} << 20;  // [bytes]
constexpr double kLargestWeight = 1e6;
constexpr int kMostKeys = 1000;                // of all objects together
constexpr std::size_t kMostWeights = 100'000;  // in one list

Json to_json(const respond::AxisResponse& axis) {
  return {{"delay_s", axis.delay}, {"lag_s", axis.lag}, {"gain", axis.gain}, {"acceleration", axis.acceleration}};
}
Json to_json(const respond::Response& response) {
  return {{"forward", to_json(response.forward)},
          {"sideways", to_json(response.sideways)},
          {"turn", to_json(response.turn)}};
}

Json to_json(const respond::HorizonModel& horizon, const PaperModels& papers) {
  Json residual = Json::array(), in = Json::array(), out = Json::array(), squares = Json::array();
  for (const auto& row : horizon.residual) residual.push_back(row);
  for (const auto& row : horizon.network.in) in.push_back(row);
  for (const auto& row : horizon.network.out) out.push_back(row);
  for (const respond::Squares& one : horizon.squares) squares.push_back({one.place, one.heading});
  return {
      {"horizon_s", horizon.horizon},
      {"best", {{"residual", residual}, {"in", in}, {"out", out}, {"squares", squares}}},
      {"linear", papers.linear.weights},
      {"network",
       {{"hidden", papers.network.hidden}, {"in", papers.network.in_weights}, {"out", papers.network.out_weights}}}};
}

// Reads a document piece by piece; the first thing that is wrong is kept, and the rest has no effect.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  const Json& member(const Json& from, const char* key) {
    static const Json kNone;
    if (!problem_.empty()) return kNone;
    if (from.is_object() && from.contains(key)) return from[key];
    return fail(key, "must be there"), kNone;
  }
  double number(const Json& from, const char* key) {
    const Json& value = member(from, key);
    if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
    return fail(key, "must be a finite number"), 0;
  }
  std::size_t count(const Json& from, const char* key, std::size_t most) {
    const double value = number(from, key);
    if (value >= 1 && value <= static_cast<double>(most) && value == std::floor(value))
      return static_cast<std::size_t>(value);
    return fail(key, "must be a whole number from 1 to " + std::to_string(most)), 0;
  }
  std::vector<double> numbers(const Json& list, const char* key, std::size_t size) {
    std::vector<double> values;
    if (!problem_.empty()) return values;
    const bool fits = list.is_array() && list.size() == size && size <= kMostWeights;
    if (!fits) return fail(key, "must be a list of " + std::to_string(size) + " numbers"), values;
    for (const Json& one : list) {
      const bool good = one.is_number() && std::fabs(one.get<double>()) <= kLargestWeight;
      if (!good) return fail(key, "must hold numbers of at most a million"), values;
      values.push_back(one.get<double>());
    }
    return values;
  }
  void fail(const std::string& key, const std::string& wanted) {
    if (problem_.empty()) problem_ = file_ + ": " + key + " " + wanted;
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string file_, problem_;
};

respond::AxisResponse read_axis(Reader& reader, const Json& from) {
  return {reader.number(from, "delay_s"), reader.number(from, "lag_s"), reader.number(from, "gain"),
          reader.number(from, "acceleration")};
}
respond::Response read_response(Reader& reader, const Json& from) {
  return {read_axis(reader, reader.member(from, "forward")), read_axis(reader, reader.member(from, "sideways")),
          read_axis(reader, reader.member(from, "turn"))};
}

template <class Rows>
void read_rows(Reader& reader, const Json& from, const char* key, Rows& rows) {
  const Json& list = reader.member(from, key);
  if (!list.is_array() || list.size() != rows.size()) {
    return reader.fail(key, "must have " + std::to_string(rows.size()) + " rows");
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = reader.numbers(list[k], key, rows[k].size());
    std::copy(row.begin(), row.end(), rows[k].begin());
  }
}

respond::HorizonModel read_best(Reader& reader, const Json& from) {
  respond::HorizonModel horizon;
  horizon.horizon = reader.number(from, "horizon_s");
  const Json& best = reader.member(from, "best");
  read_rows(reader, best, "residual", horizon.residual);
  read_rows(reader, best, "in", horizon.network.in);
  read_rows(reader, best, "out", horizon.network.out);
  std::array<std::array<double, 2>, respond::kWays> squares{};
  read_rows(reader, best, "squares", squares);
  for (std::size_t way = 0; way < respond::kWays; ++way) horizon.squares[way] = {squares[way][0], squares[way][1]};
  return horizon;
}

PaperModels read_papers(Reader& reader, const Json& from, std::size_t n_inputs) {
  PaperModels papers;
  papers.linear = {n_inputs, reader.numbers(reader.member(from, "linear"), "linear", kOutputs * (n_inputs + 1))};
  const Json& network = reader.member(from, "network");
  const std::size_t hidden = reader.count(network, "hidden", respond::kMostHidden);
  papers.network = {n_inputs, hidden, reader.numbers(reader.member(network, "in"), "in", hidden * (n_inputs + 1)),
                    reader.numbers(reader.member(network, "out"), "out", kOutputs * (hidden + 1))};
  return papers;
}

Result<LearnedModel> read_content(const Json& content, const std::string& file) {
  Reader reader(file);
  LearnedModel model;
  const Json& robot = reader.member(content, "robot");
  if (!robot.is_string()) reader.fail("robot", "must be a text");
  if (robot.is_string()) model.robot = io::one_line(robot.get<std::string>());
  const Json& fingerprint = reader.member(content, "fingerprint");
  const auto digits = fingerprint.is_string() ? from_hex(fingerprint.get<std::string>()) : std::nullopt;
  if (!digits) reader.fail("fingerprint", "must be 16 hexadecimal digits");
  model.fingerprint = digits.value_or(0);
  model.best.period = reader.number(content, "period_s");
  const Json& sideways = reader.member(content, "sideways");
  if (!sideways.is_boolean()) reader.fail("sideways", "must be true or false");
  model.best.sideways = sideways == Json(true);
  model.frames = reader.count(content, "frames", respond::kMostFrames);
  model.best.response = read_response(reader, reader.member(content, "response"));
  model.best.delays = read_response(reader, reader.member(content, "delays"));
  model.n_samples = reader.count(content, "samples", 1'000'000'000);
  model.duration_s = reader.number(content, "duration_s");
  const Json& horizons = reader.member(content, "horizons");
  if (!horizons.is_array() || horizons.size() > respond::kMostHorizons)
    reader.fail("horizons", "must be a list of 1 to 6");
  if (!reader.problem().empty()) return Error{reader.problem()};
  for (const Json& one : horizons) {
    model.best.horizons.push_back(read_best(reader, one));
    model.papers.push_back(read_papers(reader, one, respond::kPerFrame * model.frames));
  }
  if (!reader.problem().empty()) return Error{reader.problem()};
  if (auto checked = respond::check_model(model.best); !checked) return Error{file + ": " + checked.error().message};
  return model;
}

}  // namespace

double shortest_delay(const respond::Response& response) noexcept {
  return std::min(response.forward.delay, response.turn.delay);
}

std::string write_model(const LearnedModel& model) {
  Json horizons = Json::array();
  for (std::size_t h = 0; h < model.papers.size(); ++h)
    horizons.push_back(to_json(model.best.horizons[h], model.papers[h]));
  const Json content = {{"robot", model.robot},
                        {"fingerprint", to_hex(model.fingerprint)},
                        {"period_s", model.best.period},
                        {"sideways", model.best.sideways},
                        {"frames", model.frames},
                        {"samples", model.n_samples},
                        {"duration_s", model.duration_s},
                        {"response", to_json(model.best.response)},
                        {"delays", to_json(model.best.delays)},
                        {"horizons", horizons}};
  const Json document = {{kMark, kVersion}, {"checksum", mission::checksum_of(content.dump())}, {"model", content}};
  return document.dump(1) + "\n";
}

Result<LearnedModel> parse_model(std::string_view text, const std::string& file) {
  constexpr int kDeepest = 8;
  // keys in order are looked up one by one: many of them would take for ever
  int n_keys = 0;
  bool too_deep = false;
  const auto shallow = [&](int depth, Json::parse_event_t event, Json&) {
    if (event == Json::parse_event_t::key) ++n_keys;
    too_deep = too_deep || depth > kDeepest || n_keys > kMostKeys;
    return !too_deep;
  };
  const Json document = Json::parse(text, shallow, false);
  if (too_deep || !document.is_object() || !document.contains(kMark)) {
    return Error{file + " is no learned model: it must be JSON with " + io::quote(kMark)};
  }
  if (document[kMark] != kVersion) {
    return Error{file + ": " + kMark + " is " + io::quote(document[kMark].dump()) +
                 ", but this program reads version " + std::to_string(kVersion)};
  }
  if (!document.contains("model") || !document["model"].is_object()) return Error{file + ": model must be an object"};
  const std::string right =
      mission::checksum_of(document["model"].dump(-1, ' ', false, Json::error_handler_t::replace));
  if (document.value("checksum", Json()) != Json(right)) {
    return Error{file + ": the checksum must be " + right + ": the model has been changed or is damaged"};
  }
  return read_content(document["model"], file);
}

Result<LearnedModel> load_model(const std::string& path) {
  const auto text = io::read_file(path, kLargest);
  if (!text) return text.error();
  return parse_model(*text, path);
}

}  // namespace forerun::learn
