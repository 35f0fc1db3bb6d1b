/// A pass in pieces: what is sent down, and the slots that are sent up for it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "host/planning/swarm_model/work.hpp"

namespace weft::swarm_model {

struct Pieces {
  struct Piece {
    std::size_t op = 0;
    double bytes = 0;
    double messages = 0;
    bool last = false;  ///< of its op
  };
  std::vector<Piece> down;         ///< followed by the end of the pass, which has no bytes
  std::vector<double> slots;       ///< bytes of each; the last is the stats
  std::vector<std::size_t> first;  ///< [op] its first slot; [ops]: the last slot of all

  Pieces(const Work& work, double most) {
    for (std::size_t op = 0; op < work.size(); ++op) {
      const double pieces = std::max(1.0, std::ceil(work[op].down / most));
      for (double k = 1; k <= pieces; ++k)
        down.push_back({op, work[op].down / pieces, work[op].messages / pieces, k == pieces});
      first.push_back(slots.size());
      const double parts = std::ceil(work[op].up / std::max(most, kFrameUp));
      for (double k = 0; k < parts; ++k) slots.push_back(work[op].up / parts);
    }
    first.push_back(slots.size());
    slots.push_back(0);
  }
  double bytes(std::size_t piece) const { return piece < down.size() ? down[piece].bytes : 0; }
  double messages(std::size_t piece) const { return piece < down.size() ? down[piece].messages : 0; }
};

}  // namespace weft::swarm_model
