// Ray casting against Embree and against brute force, over the same free poses of an office.
#include <benchmark/benchmark.h>
#include <embree3/rtcore.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "bench/ratios.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/base/random.hpp"
#include "forerun/sense/sensors.hpp"
#include "forerun/world/face.hpp"
#include "forerun/world/fan.hpp"
#include "forerun/world/plan_grid.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::bench {
namespace {

using world::Fan;
using world::Hit;
using world::Ray;
using world::RayCaster;
using world::Slice;
using world::World;

constexpr std::size_t kBeams = 360;
constexpr std::size_t kPoses = 200;
constexpr std::size_t kBrutePoses = 4;  // brute force is slow enough to need no more
constexpr double kHeight = 0.4;         // of the laser [m]
constexpr double kMaxRange = 1e3;       // [m]
constexpr std::size_t kSonars = 24;     // of a ring, as RHINO has it
constexpr std::size_t kConeRays = 9;
constexpr double kConeAngle = 0.261799;  // [rad]
constexpr double kSonarHeight = 0.73;    // [m]
constexpr double kSonarRange = 5.0;      // [m]

// The same triangles in Embree. Its hits are completed from a table of unit normals, which is the least it can cost.
class EmbreeScene {
 public:
  explicit EmbreeScene(const World& world) : device_(rtcNewDevice(nullptr)), scene_(rtcNewScene(device_)) {
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    const std::size_t n = world.triangles.size();
    auto* vertex = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), 3 * n));
    auto* index = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), n));
    for (unsigned i = 0; i < 3 * n; ++i) index[i] = i;
    for (const world::Triangle& t : world.triangles) {
      for (const Vec3 p : {t.a, t.b, t.c})
        for (const double x : {p.x, p.y, p.z}) *vertex++ = static_cast<float>(x);
      faces_.push_back({0, world::unit_normal(t), t.material});
    }
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_NONE);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    rtcCommitScene(scene_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;
  ~EmbreeScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  [[nodiscard]] Hit cast(const RTCRay& ray) const {
    RTCRayHit query;
    query.ray = ray;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene_, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    const Hit& face = faces_[query.hit.primID];
    const Vec3 direction = {ray.dir_x, ray.dir_y, ray.dir_z};
    return {query.ray.tfar, world::turn_against(face.normal, direction), face.material};
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
  std::vector<Hit> faces_;  // what each triangle adds to a hit
};

RTCRay to_embree(const Ray& ray) {
  const auto f = [](double x) { return static_cast<float>(x); };
  return {f(ray.origin.x),
          f(ray.origin.y),
          f(ray.origin.z),
          0,
          f(ray.direction.x),
          f(ray.direction.y),
          f(ray.direction.z),
          0,
          f(ray.max_distance),
          ~0u,
          0,
          0};
}

World load_office() {
  auto world = atlas::load_world(FORERUN_SOURCE_DIR "/worlds/bonn-office.world.yaml");
  if (!world) {
    std::fprintf(stderr, "%s\n", world.error().message.c_str());
    std::exit(1);
  }
  return std::move(*world);
}

// Everything that is prepared before the clock runs.
struct Setup {
  World world = load_office();
  RayCaster caster{world};
  Slice slice{world, kHeight};
  EmbreeScene embree{world};
  std::vector<Fan> fans;
  std::vector<Ray> beams;  // of all fans, one after the other
  std::vector<RTCRay> embree_beams;
  std::vector<Ray> slanted;  // up to 7.5° up or down, as in a sonar's cone
  std::vector<RTCRay> embree_slanted;
  std::vector<Vec3> cone_origins;  // of a ring of sonars at each pose
  std::vector<Vec3> cones;         // their rays, one cone after the other
  std::vector<RTCRay> embree_cones;
  std::vector<Hit> hits = std::vector<Hit>(kBeams);

  Setup() {
    // where a robot of 0.3 m fits, anywhere within the cells
    const world::FreeGrid room = world::inflate(world::project(world, {}, {}), 0.3);
    const GridFrame& frame = room.frame();
    Random random(1);
    while (fans.size() < kPoses) {
      const std::size_t cell = random.below(room.size());
      if (!room[cell]) continue;
      const double half = frame.cell_size / 2;
      add_pose(frame.center(frame.cell_at(cell)) + Vec2{random.uniform(-half, half), random.uniform(-half, half)},
               random);
    }
    for (const Ray& ray : beams) embree_beams.push_back(to_embree(ray));
    for (const Ray& ray : slanted) embree_slanted.push_back(to_embree(ray));
    for (const Fan& fan : fans) add_cones(fan);
  }

 private:
  void add_pose(Vec2 position, Random& random) {
    fans.push_back({.origin = position,
                    .first_angle = random.uniform(0, kTwoPi),
                    .angle_step = kTwoPi / kBeams,
                    .max_distance = kMaxRange});
    std::vector<double> x(kBeams), y(kBeams);
    fan_directions(fans.back(), 0, x, y);
    const Vec3 origin = {position.x, position.y, slice.height()};
    for (std::size_t i = 0; i < kBeams; ++i) {
      beams.push_back({origin, {x[i], y[i], 0}, kMaxRange});
      const SinCos tilt = sincos(random.uniform(-0.13, 0.13));
      slanted.push_back({origin, {x[i] * tilt.cos, y[i] * tilt.cos, tilt.sin}, kMaxRange});
    }
  }

  void add_cones(const Fan& fan) {
    for (std::size_t i = 0; i < kSonars; ++i) {
      const SinCos turn = sincos(fan.first_angle + static_cast<double>(i) * kTwoPi / kSonars);
      const Vec3 origin{fan.origin.x + 0.26 * turn.cos, fan.origin.y + 0.26 * turn.sin, kSonarHeight};
      cone_origins.push_back(origin);
      for (const Vec3 d : sense::cone_directions(kConeAngle, kConeRays)) {
        cones.push_back({d.x * turn.cos - d.y * turn.sin, d.x * turn.sin + d.y * turn.cos, d.z});
        embree_cones.push_back(to_embree({origin, cones.back(), kSonarRange}));
      }
    }
  }
};

Setup& setup() {
  static Setup instance;
  return instance;
}

void add_to(double& sum, const std::vector<Hit>& hits) {
  for (const Hit& hit : hits) sum += hit.found() ? hit.distance : 0;
}

// Each returns the mean distance of all beams, so that a fast wrong answer shows. Embree's single precision lets its
// mean differ in the last digits.
double fans_by_slice(Setup& s) {
  double sum = 0;
  for (const Fan& fan : s.fans) {
    s.slice.cast_fan(fan, s.hits);
    add_to(sum, s.hits);
  }
  return sum / static_cast<double>(s.beams.size());
}

template <class Cast>
double ray_by_ray(Setup& s, std::size_t n_fans, Cast&& cast) {
  double sum = 0;
  for (std::size_t f = 0; f < n_fans; ++f) {
    for (std::size_t i = 0; i < kBeams; ++i) s.hits[i] = cast(f * kBeams + i);
    add_to(sum, s.hits);
  }
  return sum / static_cast<double>(n_fans * kBeams);
}

double fans_by_embree(Setup& s) {
  return ray_by_ray(s, kPoses, [&](std::size_t i) { return s.embree.cast(s.embree_beams[i]); });
}
double fans_by_single_beams(Setup& s) {
  return ray_by_ray(s, kPoses, [&](std::size_t i) {
    return s.slice.cast(plan_view(s.beams[i].origin), plan_view(s.beams[i].direction), kMaxRange);
  });
}
double fans_by_brute_force(Setup& s) {
  return ray_by_ray(s, kBrutePoses, [&](std::size_t i) { return cast_by_brute_force(s.world, s.beams[i]); });
}
double slanted_by_caster(Setup& s) {
  return ray_by_ray(s, kPoses, [&](std::size_t i) { return s.caster.cast(s.slanted[i]); });
}
double slanted_by_embree(Setup& s) {
  return ray_by_ray(s, kPoses, [&](std::size_t i) { return s.embree.cast(s.embree_slanted[i]); });
}
double slanted_by_brute_force(Setup& s) {
  return ray_by_ray(s, kBrutePoses, [&](std::size_t i) { return cast_by_brute_force(s.world, s.slanted[i]); });
}

// The cones of RHINO's sonars, each as one bundle.
double cones_by_caster(Setup& s) {
  double sum = 0;
  std::vector<Hit> hits(kConeRays);
  for (std::size_t i = 0; i < s.cone_origins.size(); ++i) {
    s.caster.cast_cone(s.cone_origins[i], {&s.cones[i * kConeRays], kConeRays}, kSonarRange, hits);
    add_to(sum, hits);
  }
  return sum / static_cast<double>(s.cones.size());
}
template <class Cast>
double cone_ray_by_ray(std::size_t n_rays, Cast&& cast) {
  double sum = 0;
  for (std::size_t i = 0; i < n_rays; ++i) {
    const Hit hit = cast(i);
    sum += hit.found() ? hit.distance : 0;
  }
  return sum / static_cast<double>(n_rays);
}
double cones_by_embree(Setup& s) {
  return cone_ray_by_ray(s.cones.size(), [&](std::size_t i) { return s.embree.cast(s.embree_cones[i]); });
}
double cones_by_brute_force(Setup& s) {
  return cone_ray_by_ray(kBrutePoses * kSonars * kConeRays, [&](std::size_t i) {
    return cast_by_brute_force(s.world, {s.cone_origins[i / kConeRays], s.cones[i], kSonarRange});
  });
}

using Run = double (*)(Setup&);

void run_benchmark(benchmark::State& state, Run run, std::size_t n_rays) {
  Setup& s = setup();
  double mean = 0;
  for (auto _ : state) benchmark::DoNotOptimize(mean = run(s));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * n_rays));
  state.counters["mean_distance_m"] = mean;
}

BENCHMARK_CAPTURE(run_benchmark, fans_slice, fans_by_slice, kPoses* kBeams)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, fans_single_beams, fans_by_single_beams, kPoses* kBeams)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, fans_embree, fans_by_embree, kPoses* kBeams)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, fans_brute_force, fans_by_brute_force, kBrutePoses* kBeams)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, slanted_caster, slanted_by_caster, kPoses* kBeams)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, slanted_embree, slanted_by_embree, kPoses* kBeams)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, cones_caster, cones_by_caster, kPoses* kSonars* kConeRays)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, cones_embree, cones_by_embree, kPoses* kSonars* kConeRays)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_benchmark, slanted_brute_force, slanted_by_brute_force, kBrutePoses* kBeams)
    ->Unit(benchmark::kMillisecond);

// The time that this thread has worked, whatever else the machine does [ns].
double worked() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Nanoseconds a ray, once.
double time_once(Setup& s, Run run, std::size_t n_rays) {
  const double begin = worked();
  double mean = run(s);
  benchmark::DoNotOptimize(mean);
  return (worked() - begin) / static_cast<double>(n_rays);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Times {
  double ours = 0, embree = 0, brute_force = 0;  // medians [ns a ray]
};

// In turns, so that a machine that slows down slows all of them.
Times time_in_turns(Run ours, Run embree, Run brute_force, std::size_t rays_a_pose = kBeams) {
  constexpr int kTurns = 31;
  Setup& s = setup();
  std::vector<double> a, b, c;
  for (int i = 0; i < kTurns; ++i) {
    a.push_back(time_once(s, ours, kPoses * rays_a_pose));
    b.push_back(time_once(s, embree, kPoses * rays_a_pose));
    c.push_back(time_once(s, brute_force, kBrutePoses * rays_a_pose));
  }
  return {median(a), median(b), median(c)};
}

void report(const char* what, const Times& t) {
  std::printf("%s: %.1fx Embree rtcIntersect1, %.0fx brute force (%.1f, %.1f, %.0f ns a ray)\n", what,
              t.embree / t.ours, t.brute_force / t.ours, t.ours, t.embree, t.brute_force);
}

}  // namespace

void report_ray_ratios() {
  const Setup& s = setup();
  std::printf("office of %zu triangles, %zu free poses\n", s.world.triangles.size(), s.fans.size());
  report("ray casting, 360-beam fans", time_in_turns(fans_by_slice, fans_by_embree, fans_by_brute_force));
  report("ray casting, single slanted rays",
         time_in_turns(slanted_by_caster, slanted_by_embree, slanted_by_brute_force));
  report("ray casting, sonar cones of 9 slanted rays",
         time_in_turns(cones_by_caster, cones_by_embree, cones_by_brute_force, kSonars * kConeRays));
}

}  // namespace forerun::bench
