/// cells SEED CYCLES: applies the same random bits to idioms.sv as RTL and as netlist, and compares the outputs in
/// every cycle; only ram36_met_o must differ, where its value is undefined. Exit 0: all as expected; 1: otherwise,
/// after naming the outputs that differed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>

#include "Vbuilt.h"
#include "Vrtl.h"
#include "verilated.h"

namespace {

template <class Port>
bool same(const Port& a, const Port& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("cells SEED CYCLES\n", stderr), 2;
  std::mt19937 random(static_cast<unsigned>(std::atoi(argv[1])));
  const long cycles = std::atol(argv[2]);
  VerilatedContext context;
  context.randReset(2);  // an x of the netlist becomes a random bit
  context.randSeed(std::atoi(argv[1]) + 1);
  Vrtl rtl(&context);
  Vbuilt built(&context);
  std::set<std::string> wrong;
  bool undefined = false;
  for (long cycle = -2; cycle < cycles; ++cycle) {  // two cycles of reset: all bits 0
    for (unsigned word = 0; word < 8; ++word)
      rtl.in_i[word] = built.in_i[word] = cycle < 0 ? 0 : static_cast<std::uint32_t>(random());
    rtl.clk_i = built.clk_i = 0;
    rtl.eval();
    built.eval();
#define WEFT_SAME(name)                                                        \
  if (cycle >= 0 && !same(rtl.name, built.name) && wrong.insert(#name).second) \
  std::printf("not the same: %s in cycle %ld\n", #name, cycle)
    WEFT_SAME(ram36_o);
    WEFT_SAME(ram36_reset_o);
    WEFT_SAME(ram18_o);
    WEFT_SAME(ram18_bytes_o);
    WEFT_SAME(ram9_o);
    WEFT_SAME(ram4_o);
    WEFT_SAME(ram4_reset_o);
    WEFT_SAME(rom_o);
    WEFT_SAME(rom9_o);
    WEFT_SAME(rom9_other_o);
    WEFT_SAME(product_o);
    WEFT_SAME(signed_o);
    WEFT_SAME(mixed_o);
    WEFT_SAME(squares_o);
    WEFT_SAME(lutram_o);
    WEFT_SAME(sum_o);
    WEFT_SAME(difference_o);
    WEFT_SAME(odd_o);
    WEFT_SAME(less_o);
    WEFT_SAME(ff_o);
#undef WEFT_SAME
    undefined |= !same(rtl.ram36_met_o, built.ram36_met_o);
    rtl.clk_i = built.clk_i = 1;
    rtl.eval();
    built.eval();
  }
  if (!undefined) wrong.insert("ram36_met_o"), std::puts("not the same: nothing that is not defined has shown");
  std::printf("cells: seed %s, %ld cycles, 20 outputs, %zu not the same\n", argv[1], cycles, wrong.size());
  return wrong.empty() ? 0 : 1;
}
