#include "forerun/sim/model_bytes.hpp"

#include <string>
#include <string_view>

#include "forerun/base/field_bytes.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/robot/description_bytes.hpp"
#include "forerun/world/world_bytes.hpp"

namespace forerun::sim {
namespace {

// The last character is the version.
constexpr std::string_view kMagic = "FRMODEL2";

void write_part(FieldWriter& out, const std::vector<std::uint8_t>& part) {
  out.u32(static_cast<std::uint32_t>(part.size()));
  out.bytes(part);
}

Result<void> check_magic(Bytes read) {
  const std::string_view text(reinterpret_cast<const char*>(read.data()), read.size());
  if (text == kMagic) return {};
  const std::size_t n_letters = kMagic.size() - 1;
  const bool other_version = text.size() == kMagic.size() && text.substr(0, n_letters) == kMagic.substr(0, n_letters) &&
                             text.back() >= '0' && text.back() <= '9';
  if (!other_version) return Error{"the model bundle does not begin with " + std::string(kMagic)};
  return Error{std::string("the model bundle is of version ") + text.back() + ", but must be of version " +
               kMagic.back() + ": another version of forerun wrote it"};
}

}  // namespace

std::vector<std::uint8_t> pack_model(const world::World& world, const robot::Description& robot) {
  FieldWriter out;
  for (const char c : kMagic) out.u8(static_cast<std::uint8_t>(c));
  write_part(out, world::to_bytes(world));
  write_part(out, robot::to_bytes(robot));
  return out.take();
}

Result<ModelBundle> unpack_model(Bytes bytes) {
  FieldReader in(bytes, "the model bundle");
  if (auto ours = check_magic(in.bytes(kMagic.size())); !ours) return ours.error();
  const Bytes world_bytes = in.bytes(in.u32());
  const Bytes robot_bytes = in.bytes(in.u32());
  if (auto whole = in.finish(); !whole) return whole.error();
  auto world = world::world_from_bytes(world_bytes);
  if (!world) return world.error();
  auto robot = robot::description_from_bytes(robot_bytes);
  if (!robot) return robot.error();
  if (auto known = navigate::check_names(*robot); !known) return known.error();
  return ModelBundle{std::move(*world), std::move(*robot)};
}

}  // namespace forerun::sim
