// Tells a clock that was set from a path that changed.
#pragma once

#include "forerun/clocks/envelope.hpp"

namespace forerun::clocks {

// A path that gets shorter makes one direction faster and leaves the other alone. A clock that is set makes one
// direction faster and the other slower, by as much. So a direction that is suddenly faster than it ever was opens a
// suspicion, and the next datagrams of the other one decide.
class StepDetector {
 public:
  // What is usual, as of the crossing that is judged.
  struct Usual {
    double least_out = 0;   // [ns]
    double least_home = 0;  // [ns]
    double queue_out = 0;   // mean time in queues [ns]
    double queue_home = 0;
    double spread_out = 0;     // of the least within `spread_s` [ns]
    double spread_home = 0;    // [ns]
    double spread_s = 0;       // [s]
    double tolerance_out = 0;  // a direction may become faster by this without suspicion [ns]
    double tolerance_home = 0;
    double doubt = 0;  // about the offset [ns]
  };
  // Since when, and the fastest crossings since then.
  struct Step {
    double since = 0;  // local time [s]
    Crossing out{};
    Crossing home{};
    bool has_out = false;
    bool has_home = false;
    bool slow = false;  // it took many seconds to be sure
  };

  // `out` may be null. True when a clock was set; `step` then tells the rest and the next suspicion is a new one.
  [[nodiscard]] bool judge(const Crossing* out, const Crossing& home, const Usual& usual) noexcept;

  [[nodiscard]] bool suspicious() const noexcept { return open_; }
  // The offset has changed by about this, if that was a step [ns].
  [[nodiscard]] double gain() const noexcept { return gain_; }
  [[nodiscard]] const Step& step() const noexcept { return step_; }
  void dismiss() noexcept { open_ = false; }

 private:
  void open(const Crossing* out, const Crossing& home, const Usual& usual, bool outward) noexcept;
  void observe(const Crossing* out, const Crossing& home) noexcept;
  [[nodiscard]] bool decided(const Usual& usual, double now) noexcept;

  Step step_;
  double least_out_ = 0;   // before [ns]
  double least_home_ = 0;  // before [ns]
  double gain_ = 0;        // by how much one direction became faster [ns]
  double loss_ = 0;        // by how much the other became slower, at least [ns]
  double spread_ = 0;      // of the other direction's least, before [ns]
  double in_flight_ = 0;   // so long datagrams may be under way [s]
  double counted_at_ = 0;  // local time [s]
  int n_others_ = 0;       // datagrams of the other direction since
  bool open_ = false;
  bool outward_ = false;  // the faster direction
};

// A step that was too small among the queues to be seen at once, found by looking back.
struct OldStep {
  double since = 0;     // local time [s]
  double by = 0;        // remote minus local clock grew by this [ns]
  double evidence = 0;  // queues alone show as much with a chance of about e to the minus this
};

// The time in the memory of both directions at which, most likely, a clock was set: since then one direction has been
// faster than ever before, and the other never again as fast. `slope` is that of `out` [ns/s].
[[nodiscard]] OldStep look_back(const Envelope& out, const Envelope& home, double slope) noexcept;

}  // namespace forerun::clocks
