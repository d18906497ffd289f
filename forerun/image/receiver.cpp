#include "forerun/image/receiver.hpp"

#include <algorithm>
#include <span>

#include "forerun/image/erasure.hpp"

namespace forerun::image {
namespace {

bool is_newer(std::uint32_t number, std::uint32_t than) noexcept {
  return static_cast<std::int32_t>(number - than) > 0;
}

// The same in all parts of one image.
bool is_same(const Info& a, const Info& b) noexcept {
  return a.taken == b.taken && a.place == b.place && a.attitude == b.attitude && a.field_of_view == b.field_of_view &&
         a.width == b.width && a.height == b.height && a.encoding == b.encoding && a.camera == b.camera &&
         a.size == b.size;
}

}  // namespace

void Receiver::forget() noexcept {
  for (Assembly& assembly : assemblies_) assembly.info.reset();
  for (auto& newest : newest_) newest.reset();
}

// The image's own place, or that of the older one; nothing when it is older than both.
Receiver::Assembly* Receiver::assembly_for(const Info& info) {
  for (Assembly& a : assemblies_) {
    if (a.info && a.info->number == info.number) return &a;
  }
  Assembly* oldest = &assemblies_[0];
  for (Assembly& a : assemblies_) {
    if (!a.info || (oldest->info && is_newer(oldest->info->number, a.info->number))) oldest = &a;
  }
  if (oldest->info && !is_newer(info.number, oldest->info->number)) return nullptr;
  oldest->info = info;
  oldest->parts.clear();
  oldest->came.reset();
  oldest->n = 0;
  ++n_begun_;
  return oldest;
}

bool Receiver::on_part(const Part& part) {
  const auto& newest = newest_[part.info.camera];
  if (newest && !is_newer(part.info.number, newest->info.number)) return true;
  Assembly* assembly = assembly_for(part.info);
  if (assembly == nullptr) return true;
  if (!is_same(*assembly->info, part.info)) return false;
  const std::size_t n = n_parts(part.info.size);
  if (assembly->came[part.index] || assembly->n == n) return true;
  assembly->came.set(part.index);
  assembly->index[assembly->n++] = part.index;
  assembly->parts.insert(assembly->parts.end(), part.bytes.begin(), part.bytes.end());
  if (assembly->n == n) finish(*assembly);
  return true;
}

void Receiver::finish(Assembly& assembly) {
  recover_parts(assembly.parts, std::span(assembly.index).first(assembly.n));
  assembly.parts.resize(assembly.info->size);
  newest_[assembly.info->camera] = Received{*assembly.info, assembly.parts};
  ++n_whole_;
}

}  // namespace forerun::image
