/// Finds the first difference within a phase of a micro-batch that is known to differ.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>

#include "host/inspect/bisect/finding.hpp"
#include "host/inspect/bisect/side.hpp"

namespace weft::inspect::bisect {

/// Each public function but note() fills `found`, which already names step, micro-batch and phase, and returns true.
class InPhase {
 public:
  /// One side, and its name of the phase.
  struct Named {
    Side& side;
    std::string phase;
  };
  /// Both sides and `found` must outlive this object.
  InPhase(Named a, Named b, Finding& found) : a_(std::move(a)), b_(std::move(b)), found_(found) {}

  /// Records the first difference between commands as a note, since it need not matter. Does nothing if there is a note
  /// already.
  void note();
  /// Finds the differing message into the wafer.
  bool stream();
  /// Finds the differing word that was returned.
  bool returned();
  /// Finds the origin of different memories: a tile whose events differ before it takes a differing message. A tile
  /// that only sends a different message has equal memory itself, so the column and row of a tile with different memory
  /// are searched too.
  bool memory(const PhaseSums& x, const PhaseSums& y, int cols, std::ostream& progress);
  bool flags(const PhaseSums& x, const PhaseSums& y, int cols);
  bool routes(const PhaseSums& x, const PhaseSums& y, int cols);

 private:
  Phase of(const Named& named, int row, int col) const;
  /// First event of a tile that differs; its place is empty if there is none.
  Finding tile_event(int row, int col) const;
  void place(int tile, int cols);

  Named a_, b_;
  Finding& found_;
};

}  // namespace weft::inspect::bisect
