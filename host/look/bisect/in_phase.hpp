/// The first difference within a phase of a micro-batch, of which it is known that there is one.
#pragma once

#include <iosfwd>

#include "host/look/bisect/bisect.hpp"

namespace weft::bisect {

/// Each function fills `found`, which names step, micro-batch and phase, and returns true.
class InPhase {
 public:
  /// All must outlive this.
  InPhase(Side& a, Side& b, Finding& found) : a_(a), b_(b), found_(found) {}

  /// Commands differ, and need not matter: the first one becomes a note, if there is none yet.
  void note();
  /// A message into the wafer.
  bool stream();
  /// A word that comes back.
  bool returned();
  /// Where another memory came from: a tile that differs before it has taken a message that differs. One that only sent
  /// something else has no other memory; then it is in the column or the row of one that has.
  bool memory(const PhaseSums& x, const PhaseSums& y, int cols, std::ostream& progress);
  bool flags(const PhaseSums& x, const PhaseSums& y, int cols);
  bool routes(const PhaseSums& x, const PhaseSums& y, int cols);

 private:
  Phase of(Side& side, int row, int col) const;
  /// What one tile does first that differs; no place if nothing does.
  Finding tile_event(int row, int col) const;
  void place(int tile, int cols);

  Side &a_, &b_;
  Finding& found_;
};

}  // namespace weft::bisect
