/// Number of reads by a kernel's beats from one half of memory, which reads one operand per cycle
/// (docs/explanation/memory.md).
#include <gtest/gtest.h>

#include <string>

#include "host/planning/estimate/kernels/beats.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::planning {
namespace {

VectorCall two_vectors(std::uint16_t a, std::uint16_t b) {
  isa::Instr in{};
  in.op = isa::Opcode::Vf, in.asel = isa::ASel::MM, in.bsel = isa::BSel::MS;
  return {.in = in, .ra = a, .rb = b, .vl = 8};
}

TEST(Memory, TwoVectorsInOneHalfAreTwoReadsABeat) {
  const machine::WaferShape wafer;
  const auto upper = static_cast<std::uint16_t>(upper_half(wafer));
  Beats apart(wafer), together(wafer);
  apart.vf(two_vectors(64, upper), 0);
  together.vf(two_vectors(64, 512), 0);
  EXPECT_EQ(apart.count(), 8U);
  EXPECT_EQ(apart.reads(), 8U);
  EXPECT_EQ(together.count(), 8U);
  EXPECT_EQ(together.reads(), 16U);
  EXPECT_EQ(apart.fetches(), 0U);
  EXPECT_EQ(together.fetches(), 8U);
  EXPECT_GE(together.issued(), apart.issued() + 8);
}

std::string bound_of(const compiler::ModelShape& model, const machine::WaferShape& wafer, const std::string& phase) {
  for (const Phase& p : estimate_phases(compiler::compile(model, wafer)))
    if (p.name == phase) return std::string(p.bound());
  return "none";
}

/// Backward, four of six beats have both operands in the same half of memory; forward, two have. The RTL takes 639
/// cycles forward and 767 backward, with equally many beats (docs/explanation/memory.md).
TEST(Memory, BoundsRotaryPositionsBackward) {
  compiler::ModelShape model{
      .vocab = 96, .hidden = 32, .layers = 1, .heads = 4, .filter = 128, .seq = 64, .tied = false, .micro_batch = 4};
  model.network = "gptj", model.rotary_dim = 4;
  const machine::WaferShape wafer{.sram_kib = 128};
  EXPECT_EQ(bound_of(model, wafer, "h.*.attn.rotary.dx"), "memory");
  EXPECT_EQ(bound_of(model, wafer, "h.*.attn.rotary"), "latency");
  EXPECT_EQ(bound_of(model, wafer, "h.*.attn"), "multiply-adds");
}

}  // namespace
}  // namespace weft::planning
