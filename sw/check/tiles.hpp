/// All tiles of a wafer, read phase by phase.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sw/check/check.hpp"

namespace weft::check {

/// Reads all tiles, or a row at once where its columns do the same.
class Tiles {
 public:
  /// `input` must outlive it.
  Tiles(const Input& input, bool by_row);

  /// A phase's messages; `known` as in Phase. Throws Finding, and ColumnsDiffer.
  void read(std::span<const Message> messages, bool known);
  /// Of the phase that was read last, which these are the messages of; valid until the next.
  Network network(std::span<const Message> messages) const;
  /// `row 1 main at gemm_output, sw/kernels/gemm.s:24 `vaxs ...`: ...`
  std::string name(const Finding& f) const;

 private:
  /// A phase that sets routes sends nothing along them: then nothing is under way when they change.
  void check_routes(const std::vector<Routes>& before, bool turned) const;
  /// W's routes are set just as turn_messages sets them: then every tile is as if it had got all commands
  /// (docs/message.md).
  bool turns_w(std::span<const Message> messages) const;

  const Input& input_;
  const bool by_row_;
  std::vector<Reader> readers_;  ///< [tile], or [row]
  std::vector<Trace> traces_;    ///< the same
};

}  // namespace weft::check
