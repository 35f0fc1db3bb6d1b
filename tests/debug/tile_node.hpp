/// rtl/debug/weft_tile_debug.sv alone at the end of a chain, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "Vweft_tile_debug.h"
#include "tests/clock.hpp"

namespace weft::test {

struct NodeCommand {
  bool halt = false, give_up = false, run = false, psum = false;
  unsigned index = 0;
  unsigned word = 0;
};

struct TileNode {
  TileNode() { reset(dut); }
  /// Runs one transaction of this node alone; returns the 40 bits that come out.
  std::uint64_t send(const NodeCommand& c) {
    const std::uint64_t bits = std::uint64_t{c.halt} << 39 | std::uint64_t{c.give_up} << 38 |
                               std::uint64_t{c.run} << 37 | std::uint64_t{c.psum} << 36 | std::uint64_t{c.index} << 32 |
                               c.word;
    std::uint64_t came = 0;
    for (int i = 0; i <= 40; ++i) {
      shift(true, i > 0 && (bits >> (i - 1) & 1) != 0);
      if (i > 0) came |= std::uint64_t{out() & 1u} << (i - 1);  // a cycle after the first
    }
    updates.clear();
    for (int i = 0; i < 4; ++i) shift(false, true);
    return came;
  }
  /// chain_i is {shift, data}.
  void shift(bool on, bool data) {
    dut.chain_i = static_cast<CData>(on << 1 | data);
    dut.eval();
    updates.push_back(control());
    clock(dut);
  }
  unsigned out() const { return dut.chain_o; }
  /// {halt, give_up, run_main, run_psum, count}
  unsigned control() const { return static_cast<unsigned>(std::uint64_t{dut.control_o} >> 32); }
  /// All pulses of the last command.
  unsigned pulses() const {
    unsigned sum = 0;
    for (const unsigned u : updates) sum += u & 15;
    return sum;
  }

  struct OneThread : VerilatedContext {
    OneThread() { threads(1); }  // otherwise it starts a pool of threads, which run while the next context is made
  } context;
  Vweft_tile_debug dut{&context};
  std::vector<unsigned> updates;
};

}  // namespace weft::test
