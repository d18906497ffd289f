#include "forerun/respond/model_bytes.hpp"

#include <bit>

#include "forerun/base/field_bytes.hpp"

namespace forerun::respond {
namespace {

constexpr std::uint16_t kVersion = 1;

struct Writer {
  FieldWriter out;

  void operator()(double value) { out.u32(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
};

struct Reader {
  FieldReader in;

  void operator()(double& value) { value = static_cast<double>(std::bit_cast<float>(in.u32())); }
};

// The one order of all numbers, for writing and for reading.
template <class Axis, class Visit>
void visit_axis(Axis& axis, Visit& visit) {
  visit(axis.delay);
  visit(axis.lag);
  visit(axis.gain);
  visit(axis.acceleration);
}
template <class Any, class Visit>
void visit_head(Any& model, Visit& visit) {
  visit(model.period);
  for (auto* response : {&model.response, &model.delays}) {
    for (auto* axis : {&response->forward, &response->sideways, &response->turn}) visit_axis(*axis, visit);
  }
}
template <class Any, class Visit>
void visit_horizon(Any& horizon, Visit& visit) {
  visit(horizon.horizon);
  for (auto& row : horizon.residual) {
    for (auto& weight : row) visit(weight);
  }
  for (auto& row : horizon.network.in) {
    for (auto& weight : row) visit(weight);
  }
  for (auto& row : horizon.network.out) {
    for (auto& weight : row) visit(weight);
  }
  for (auto& squares : horizon.squares) {
    visit(squares.place);
    visit(squares.heading);
  }
}

}  // namespace

std::vector<std::uint8_t> to_bytes(const Model& model) {
  Writer writer;
  writer.out.u16(kVersion);
  writer.out.u8(model.sideways ? 1 : 0);
  writer.out.u8(static_cast<std::uint8_t>(model.horizons.size()));
  visit_head(model, writer);
  for (const HorizonModel& horizon : model.horizons) visit_horizon(horizon, writer);
  return writer.out.take();
}

Result<Model> model_from_bytes(Bytes bytes) {
  Reader reader{FieldReader(bytes, "the learned response")};
  Model model;
  reader.in.version(kVersion);
  model.sideways = reader.in.choice("sideways", 0, 1) == 1;
  const std::uint8_t n = reader.in.choice("horizon count", 1, kMostHorizons);
  visit_head(model, reader);
  for (std::uint8_t i = 0; i < n && !reader.in.failed(); ++i) {
    HorizonModel horizon;
    visit_horizon(horizon, reader);
    model.horizons.push_back(horizon);
  }
  if (auto whole = reader.in.finish(); !whole) return whole.error();
  if (auto checked = check_model(model); !checked)
    return Error{"the learned response cannot be: " + checked.error().message};
  return model;
}

}  // namespace forerun::respond
