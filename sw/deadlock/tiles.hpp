/// Traces of all tiles of a wafer, phase by phase.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sw/deadlock/network.hpp"
#include "sw/deadlock/phase.hpp"

namespace weft::deadlock {

/// Reads all tiles, or with `by_row` each row at once (if its columns behave equally).
class Tiles {
 public:
  /// `input` must outlive it.
  Tiles(const Input& input, bool by_row);

  /// Registers and control registers of all tiles have any values from here on.
  void forget_registers();
  /// Reads a phase's messages; `known` as in Phase. Throws Finding, and ColumnsDiffer.
  void read(std::span<const machine::Message> messages, bool known);
  /// The network of the phase that was read last, given its messages; valid until the next read().
  Network network(std::span<const machine::Message> messages) const;
  /// `row 1 main at gemm_output, sw/kernels/gemm.s:24 `vaxs ...`: ...`
  std::string name(const Finding& f) const;

 private:
  /// Throws Finding if a phase that sets routes also sends words: no message may be in flight when routes change.
  void check_routes(const std::vector<Routes>& before, bool turned) const;
  /// True if W's routes are set exactly as turn_messages sets them: every tile then ends in the same state as if it had
  /// received all commands (docs/reference/message.md).
  bool turns_w(std::span<const machine::Message> messages) const;

  const Input& input_;
  const bool by_row_;
  std::vector<Reader> readers_;  ///< [tile], or [row]
  std::vector<Trace> traces_;    ///< the same
};

}  // namespace weft::deadlock
