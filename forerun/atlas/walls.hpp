// Walls in the plan view: laid over each other, joined at corners, cut by doorways and windows, then raised.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

struct Wall {
  Vec2 a{}, b{};            // centre line
  double thickness = 0.15;  // [m]
  double height = 2.8;      // [m]
  std::int32_t material = 0;
};

struct Opening {
  Vec2 at{};               // middle, on the wall's centre line or within its thickness
  double width = 1.0;      // [m]
  double sill = 0;         // lower edge [m]
  double height = 2.1;     // of the opening itself [m]
  std::int32_t pane = -1;  // material of a pane in it; −1: none
};

// An opening after it was cut.
struct Cut {
  Vec2 start, end;       // where it begins and ends on the wall's centre line
  double thickness = 0;  // of the wall [m]
};

class WallPlan {
 public:
  // Where walls overlap, the one that was added first counts. No openings yet.
  void add(const Wall& wall);
  // Cuts the nearest wall. The error is the end of a sentence: "lies on no wall".
  [[nodiscard]] Result<Cut> cut(const Opening& opening);
  // Adds the solids to the world.
  void raise(world::World& world) const;

  [[nodiscard]] std::size_t size() const { return pieces_.size(); }

 private:
  struct Hole {
    double from = 0, to = 0;  // along the wall [m]
    double low = 0, high = 0;
    std::int32_t pane = -1;
  };
  struct Piece {
    Wall wall;
    std::vector<Hole> holes;
  };

  void add_free_part(Wall wall);
  [[nodiscard]] double extension(const Piece& piece, Vec2 end) const;
  void raise(world::World& world, const Piece& piece) const;

  std::vector<Piece> pieces_;
};

}  // namespace forerun::atlas
