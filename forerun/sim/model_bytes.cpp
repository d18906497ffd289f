#include "forerun/sim/model_bytes.hpp"

#include <algorithm>
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
constexpr std::string_view kPartsMagic = "FRMODEL3";

void write_part(FieldWriter& out, Bytes part) {
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
  return join_model(world::to_bytes(world), robot::to_bytes(robot));
}

std::vector<std::uint8_t> join_model(Bytes world, Bytes robot) {
  FieldWriter out;
  for (const char c : kMagic) out.u8(static_cast<std::uint8_t>(c));
  write_part(out, world);
  write_part(out, robot);
  return out.take();
}

std::vector<std::uint8_t> pack_parts(const ModelParts& parts) {
  FieldWriter out;
  for (const char c : kPartsMagic) out.u8(static_cast<std::uint8_t>(c));
  for (const PartName& part : {parts.world, parts.robot}) {
    out.u32(part.size);
    out.bytes(part.digest);
  }
  return out.take();
}

std::optional<ModelParts> unpack_parts(Bytes bytes) {
  FieldReader in(bytes, "the list of the model's parts");
  const Bytes magic = in.bytes(kPartsMagic.size());
  if (!std::equal(magic.begin(), magic.end(), kPartsMagic.begin(), kPartsMagic.end())) return std::nullopt;
  ModelParts parts;
  for (PartName* part : {&parts.world, &parts.robot}) {
    part->size = in.u32();
    const Bytes digest = in.bytes(part->digest.size());
    if (digest.size() == part->digest.size()) std::copy(digest.begin(), digest.end(), part->digest.begin());
  }
  const bool fits = parts.world.size > 0 && parts.world.size <= kLargestWorld && parts.robot.size > 0 &&
                    parts.robot.size <= kLargestRobot;
  return in.finish() && fits ? std::optional(parts) : std::nullopt;
}

Result<ModelBytes> split_model(Bytes bundle) {
  FieldReader in(bundle, "the model bundle");
  if (auto ours = check_magic(in.bytes(kMagic.size())); !ours) return ours.error();
  ModelBytes parts;
  parts.world = in.bytes(in.u32());
  parts.robot = in.bytes(in.u32());
  if (auto whole = in.finish(); !whole) return whole.error();
  return parts;
}

Result<ModelBundle> unpack_model(Bytes bytes) {
  const auto parts = split_model(bytes);
  if (!parts) return parts.error();
  auto world = world::world_from_bytes(parts->world);
  if (!world) return world.error();
  auto robot = robot::description_from_bytes(parts->robot);
  if (!robot) return robot.error();
  if (auto known = navigate::check_names(*robot); !known) return known.error();
  return ModelBundle{std::move(*world), std::move(*robot)};
}

}  // namespace forerun::sim
