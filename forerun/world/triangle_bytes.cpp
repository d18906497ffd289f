#include "forerun/world/triangle_bytes.hpp"

#include <cstring>
#include <unordered_map>

namespace forerun::world {
namespace {

constexpr std::size_t kMostTriangles = 4000000;  // as in files
constexpr std::size_t kTriangleSize = 3;         // the smallest, of three corners that have stood before [bytes]

// By exact bits, so that no two different ones become one.
struct CornerKey {
  std::uint64_t x, y, z;
  bool operator==(const CornerKey&) const noexcept = default;
};

template <class Key, class Value>
Key bits_of(const Value& value) noexcept {
  Key key;
  static_assert(sizeof key == sizeof value);
  std::memcpy(&key, &value, sizeof key);
  return key;
}

struct BitsHash {
  std::size_t operator()(std::uint64_t bits) const noexcept {
    const std::uint64_t h = (bits ^ (bits >> 32)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
  std::size_t operator()(const CornerKey& key) const noexcept {
    std::uint64_t h = key.x * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 32) ^ key.y) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ key.z) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

// What has stood before, numbered by first use.
template <class Key>
class Known {
 public:
  // 1 for the newest, 2 for the one before it, …; 0 for one that is new, and known from now on.
  std::uint32_t steps_back(const Key& key) {
    const auto n = static_cast<std::uint32_t>(number_of_.size());
    const auto [place, is_new] = number_of_.try_emplace(key, n);
    return is_new ? 0 : n - place->second;
  }

 private:
  std::unordered_map<Key, std::uint32_t, BitsHash> number_of_;
};

class Writer {
 public:
  explicit Writer(FieldWriter& out) : out_(out) {}

  void corner(const Vec3& corner) {
    const std::uint32_t back = corners_.steps_back(bits_of<CornerKey>(corner));
    out_.varint(back);
    if (back > 0) return;
    for (const double c : {corner.x, corner.y, corner.z}) coordinate(c);
  }

 private:
  void coordinate(double c) {
    const std::uint32_t back = coordinates_.steps_back(bits_of<std::uint64_t>(c));
    out_.varint(back);
    if (back == 0) out_.f64(c);
  }

  FieldWriter& out_;
  Known<CornerKey> corners_;
  Known<std::uint64_t> coordinates_;
};

// Memory grows only with bytes that were read: a new corner takes four of them, a new coordinate nine.
class Reader {
 public:
  explicit Reader(FieldReader& in) : in_(in) {}

  Vec3 corner() {
    const std::uint32_t back = in_.varint();
    if (back > 0) return recall("corner", corners_, back);
    Vec3 corner;
    for (double* c : {&corner.x, &corner.y, &corner.z}) *c = coordinate();
    if (!in_.failed()) corners_.push_back(corner);
    return corner;
  }

 private:
  double coordinate() {
    const std::uint32_t back = in_.varint();
    if (back > 0) return recall("coordinate", coordinates_, back);
    double c = 0;
    in_("corner", c, kPlace);
    if (!in_.failed()) coordinates_.push_back(c);
    return c;
  }

  template <class Value>
  Value recall(const char* what, const std::vector<Value>& known, std::uint32_t back) {
    if (back <= known.size()) return known[known.size() - back];
    in_.fail(what,
             std::to_string(back) + " back is named, but only " + std::to_string(known.size()) + " have stood before");
    return {};
  }

  FieldReader& in_;
  std::vector<Vec3> corners_;
  std::vector<double> coordinates_;
};

// How many triangles from this one on have its material.
std::size_t run_length(const std::vector<Triangle>& triangles, std::size_t first) noexcept {
  std::size_t end = first;
  while (end < triangles.size() && triangles[end].material == triangles[first].material) ++end;
  return end - first;
}

struct Run {
  std::int32_t material = 0;
  std::size_t length = 0;
};

// `n_here` triangles have been read, and `n_left` are still to come.
Run read_run(FieldReader& in, std::size_t n_materials, std::size_t n_here, std::size_t n_left) {
  const std::uint32_t material = in.varint();
  const std::uint32_t length = in.varint();
  const std::string which = "triangle " + std::to_string(n_here);
  if (material >= n_materials) {
    in.fail(which,
            "has the material " + std::to_string(material) + ", but there are only " + std::to_string(n_materials));
  } else if (length == 0 || length > n_left) {
    in.fail(which, "begins a run of " + std::to_string(length) + ", but 1 to " + std::to_string(n_left) +
                       " are still to come");
  }
  return in.failed() ? Run{} : Run{static_cast<std::int32_t>(material), length};
}

}  // namespace

void write_triangles(const std::vector<Triangle>& triangles, FieldWriter& out) {
  Writer writer(out);
  out.u32(static_cast<std::uint32_t>(triangles.size()));
  for (std::size_t i = 0, end = 0; i < triangles.size(); ++i) {
    if (i == end) {
      const std::size_t length = run_length(triangles, i);
      out.varint(static_cast<std::uint32_t>(triangles[i].material));
      out.varint(static_cast<std::uint32_t>(length));
      end = i + length;
    }
    for (const Vec3* corner : {&triangles[i].a, &triangles[i].b, &triangles[i].c}) writer.corner(*corner);
  }
}

std::vector<Triangle> read_triangles(FieldReader& in, std::size_t n_materials) {
  const std::size_t n = in.count("triangle", kMostTriangles, kTriangleSize);
  std::vector<Triangle> triangles;
  triangles.reserve(n);
  Reader reader(in);
  while (triangles.size() < n && !in.failed()) {
    const Run run = read_run(in, n_materials, triangles.size(), n - triangles.size());
    for (std::size_t i = 0; i < run.length && !in.failed(); ++i) {
      in.enter("triangle " + std::to_string(triangles.size()));
      Triangle t{.material = run.material};
      for (Vec3* corner : {&t.a, &t.b, &t.c}) *corner = reader.corner();
      triangles.push_back(t);
    }
    in.enter("");
  }
  return triangles;
}

}  // namespace forerun::world
