/// Which kernel a tile runs, and with what arguments: as the messages that its PE takes say.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "sw/asm/assembler.hpp"
#include "verif/sim/tile_view.hpp"

namespace weft {

class TileCalls {
 public:
  /// `program` may be null: a kernel is the number of its first instruction then.
  TileCalls(const Program* program, TilePlace place) : program_(program), place_(place) {}

  /// A message that the PE takes: what a command will call, with the arguments that came before.
  void hear(std::uint64_t message);
  /// The PE was at rest and is not any more: it runs what was called first of what has not begun.
  void begins();
  void rests() { running_ = "-"; }

  /// "gemm_out n=8 first=0x1a0"; "-": nothing.
  const std::string& running() const { return running_; }

 private:
  const Program* program_;
  TilePlace place_;
  bool selected_ = true;
  std::array<std::uint16_t, 16> registers_{};
  std::deque<std::string> called_;  // taken, but not begun
  std::string running_ = "-";
};

}  // namespace weft
