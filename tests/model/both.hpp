/// Runs identical work on a wafer in lockstep rows and on one whose tiles run individually: all state must be equal.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/model/rig.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::model {

inline ModelWafer& model(Wafer& wafer) { return dynamic_cast<ModelWafer&>(wafer); }

/// All observable state of a wafer.
struct Snapshot {
  explicit Snapshot(Wafer& wafer) : cols(wafer.shape().cols), flags(wafer.flags()), counters(wafer.counters()) {
    for (int row = 0; row < wafer.shape().rows; ++row) {
      outlets.push_back(wafer.outlet(row));
      for (int col = 0; col < cols; ++col) tiles.push_back(wafer.state(row, col));
    }
  }

  void expect(const Snapshot& other) const {
    EXPECT_EQ(outlets, other.outlets);
    EXPECT_EQ(flags, other.flags);
    EXPECT_EQ(counters.beats, other.counters.beats);
    EXPECT_EQ(counters.fma_lanes, other.counters.fma_lanes);
    EXPECT_EQ(counters.edge_messages, other.counters.edge_messages);
    for (std::size_t i = 0; i < tiles.size(); ++i)
      EXPECT_EQ(machine::difference(tiles[i], other.tiles[i]), "")
          << "row " << i / static_cast<std::size_t>(cols) << " column " << i % static_cast<std::size_t>(cols);
  }

  int cols;
  std::vector<std::vector<std::uint32_t>> outlets;
  std::string flags;
  WaferCounters counters;
  std::vector<machine::TileState> tiles;
};

/// Does `work(rig)` on both wafers; the lockstep wafer must remain in lockstep.
template <class Work>
void in_both(const machine::WaferShape& shape, const Work& work) {
  Rig step(shape), apart(shape);
  {
    SCOPED_TRACE("in lockstep");
    work(step);
    EXPECT_TRUE(model(*step.wafer).in_lockstep());
  }
  SCOPED_TRACE("tile by tile");
  model(*apart.wafer).leave_lockstep();
  work(apart);
  EXPECT_FALSE(model(*apart.wafer).in_lockstep());
  Snapshot(*step.wafer).expect(Snapshot(*apart.wafer));
}

}  // namespace weft::model
