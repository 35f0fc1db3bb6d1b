/// weft-icarus-record FILE program|fabric SEED CYCLES: runs a random case on rtl/weft_wafer.sv and writes every signal
/// in every cycle into FILE, a VCD.
///
/// The case is the first of the run SEED that fits the wafer built here, takes CYCLES to four times as many cycles, and
/// on which RTL and model agree. A time step is a cycle, the first one is a reset: the values are those just before the
/// clock edge.
#include <verilated_vcd_c.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "Vweft_wafer_record.h"
#include "verif/cosim/flat_wafer.hpp"
#include "verif/random/run.hpp"

namespace {

using namespace weft;

/// Checks that the case has shape WEFT_RECORD_ROWS x WEFT_RECORD_COLS and an SRAM whose halves are split as in the
/// wafer built here: the recorded form splits the SRAM by the case's size, the built form by its parameter
/// (docs/explanation/memory.md).
bool fits(const random::Case& c) {
  return c.shape.rows == WEFT_RECORD_ROWS && c.shape.cols == WEFT_RECORD_COLS && c.shape.lanes == 4 &&
         c.shape.valves == 1 && c.shape.sram_kib <= WEFT_RECORD_KIB &&
         std::bit_width(c.shape.sram_kib - 1u) == std::bit_width(WEFT_RECORD_KIB - 1u);
}

void play(const random::Case& c, const char* file) {
  cosim::FlatWafer<Vweft_wafer_record> wafer(c.shape);
  VerilatedVcdC vcd;
  wafer.top().contextp()->traceEverOn(true);
  wafer.top().trace(&vcd, 99);
  vcd.open(file);
  std::uint64_t cycle = 0;
  wafer.watch([&] { vcd.dump(cycle++); });
  wafer.reset();
  random::press(wafer, c);

  std::vector<machine::Message> waiting;
  const auto settle = [&] {
    wafer.feed(waiting);
    wafer.settle();
    waiting.clear();
  };
  using Kind = random::Item::Kind;
  for (const random::Item& item : c.items) {
    if (item.kind == Kind::Send) waiting.push_back(item.message);
    if (item.kind == Kind::Load)
      for (const machine::Message& m : random::load(c)) waiting.push_back(m);
    if (item.kind == Kind::Settle || item.kind == Kind::Reset) settle();
    if (item.kind == Kind::Reset) wafer.reset();
  }
  settle();
  std::printf("%s: seed %llu case %llu, %llu cycles\n", c.fabric ? "fabric" : "program",
              static_cast<unsigned long long>(c.seed), static_cast<unsigned long long>(c.number),
              static_cast<unsigned long long>(cycle));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 5 ? argv[2] : "";
  if (kind != "program" && kind != "fabric")
    return std::fputs("weft-icarus-record FILE program|fabric SEED CYCLES\n", stderr), 2;
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 0), cycles = std::strtoull(argv[4], nullptr, 0);
  for (std::uint64_t n = 0;; ++n) {
    const random::Case c =
        kind == "program" ? random::make_program_case(seed, n, {}) : random::make_fabric_case(seed, n, {});
    if (!fits(c)) continue;
    random::Coverage coverage;
    const bool same = random::run(c, &coverage).verdict == random::Verdict::Same;
    if (!same || coverage.cycles < cycles || coverage.cycles > 4 * cycles) continue;
    play(c, argv[1]);
    return 0;
  }
}
