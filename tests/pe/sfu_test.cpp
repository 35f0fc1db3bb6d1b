/// The table unit against weft::sfu: all functions, all 65536 inputs, in every lane.
#include <gtest/gtest.h>
#include <verilated.h>

#include <memory>

#include "Vweft_sfu.h"
#include "verif/model/numbers/numbers.hpp"

namespace weft::test {
namespace {

TEST(Sfu, EveryResultIsTheModelsBitForBit) {
  const auto context = std::make_unique<VerilatedContext>();
  const auto top = std::make_unique<Vweft_sfu>(context.get());
  const auto tick = [&] {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  };
  for (unsigned f = 0; f < 4; ++f) {
    for (unsigned i = 0; i < 65536; ++i) {
      const auto input = [&](unsigned lane) { return static_cast<bf16>(i * 0x9e37 + lane * 0x4321); };  // a permutation
      std::uint64_t x = 0;
      for (unsigned lane = 0; lane < 4; ++lane) x |= static_cast<std::uint64_t>(input(lane)) << 16 * lane;
      top->valid_i = 1, top->fn_i = f, top->x_i = x;
      tick();
      const std::uint64_t y = top->y_o;
      if (i % 16 == 0) {  // a cycle without an input has no result
        top->valid_i = 0, top->x_i = ~x, top->fn_i = f ^ 1;
        tick();
        ASSERT_EQ(top->y_o, 0u);
      }
      for (unsigned lane = 0; lane < 4; ++lane)
        ASSERT_EQ(y >> 16 * lane & 0xffff, model::sfu(static_cast<model::Fn>(f), input(lane)))
            << "function " << f << " of " << std::hex << input(lane) << " in lane " << lane;
    }
  }
  top->final();
}

}  // namespace
}  // namespace weft::test
