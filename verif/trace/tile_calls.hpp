/// Tracks the kernel that a tile runs, with its arguments, from the messages that its PE takes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "sw/asm/assembler.hpp"
#include "verif/sim/tile_view.hpp"

namespace weft::trace {

class TileCalls {
 public:
  /// `program` may be null: a kernel is then shown as the address of its first instruction.
  TileCalls(const assembler::Program* program, sim::TilePlace place) : program_(program), place_(place) {}

  /// Must be called for each message that the PE takes: records calls and their arguments.
  void observe(std::uint64_t message);
  /// Must be called when the PE leaves rest: the first pending call begins.
  void begins();
  void rests() { running_ = "-"; }

  /// "gemm_out n=8 first=0x1a0", or "-" at rest.
  const std::string& running() const { return running_; }

 private:
  const assembler::Program* program_;
  sim::TilePlace place_;
  bool selected_ = true;
  std::array<std::uint16_t, 16> registers_{};
  std::deque<std::string> called_;  // calls taken but not begun
  std::string running_ = "-";
};

}  // namespace weft::trace
