/// The model's state copied to the RTL: from there on both behave the same.
#include "host/inspect/snapshot_to_rtl.hpp"

#include <gtest/gtest.h>

#include "sw/base/refusal.hpp"
#include "tests/inspect/phases.hpp"

namespace weft::inspect {
namespace {

/// The value that the messages set a kernel's parameter to.
std::uint16_t argument(const compiler::Plan& plan, std::span<const machine::Message> messages, const char* kernel,
                       std::string_view name) {
  for (const assembler::Parameter& parameter : plan.program.kernel(kernel)->parameters)
    for (const machine::Message& m : messages)
      if (parameter.name == name && m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::Setreg) &&
          (m.data >> 16 & 255) == static_cast<unsigned>(parameter.reg))
        return static_cast<std::uint16_t>(m.data);
  throw std::invalid_argument("no such parameter");
}

TEST(SnapshotToRtl, EveryPhaseOfAMicroBatchEndsAsOnTheModel) {
  Phases tiny("gpt_tiny.yaml");
  for (const compiler::Op& op : tiny.plan.ops) {
    if (op.name.find("h.1.") != std::string::npos) continue;  // same as h.0
    SnapshotToRtl travel = tiny.travel(op.name);
    const SnapshotToRtl::Result result = travel.run();
    EXPECT_EQ(result.difference, "") << op.name;
    EXPECT_GT(result.cycles, 0u) << op.name;
    std::uint64_t words = 0;
    for (const std::uint32_t n : op.returned) words += n;
    EXPECT_EQ(result.returned, words) << op.name;
  }
}

TEST(SnapshotToRtl, TheTripChangesNoCycleOfAPhase) {
  Phases tiny("gpt_tiny.yaml");
  const auto rtl = sim::make_clocked_wafer(tiny.plan.wafer);
  rtl->feed(tiny.plan.load);
  rtl->feed(tiny.tokens);
  rtl->settle();
  std::vector<machine::Message> messages;
  for (std::size_t n = 0; n < 6; ++n) {
    SnapshotToRtl travel = tiny.travel(tiny.plan.ops[n].name);
    const std::uint64_t from = rtl->cycle_number();
    compiler::expand(tiny.plan.ops[n], tiny.memoryx.store().weights(), messages);
    rtl->feed(messages);
    rtl->settle();
    EXPECT_EQ(travel.run().cycles, rtl->cycle_number() - from) << tiny.plan.ops[n].name;
  }
}

TEST(SnapshotToRtl, AnotherStateIsFound) {
  Phases tiny("gpt_tiny.yaml");
  SnapshotToRtl travel = tiny.travel("h.0.attn.c_attn.q");
  machine::TileState state = travel.model().state(2, 1);
  const std::uint16_t x = argument(tiny.plan, travel.messages(), "gemm", "x");
  for (std::size_t i = x; i < x + 8u; ++i) state.memory[i] ^= 0x8000;
  travel.rtl().set_state(2, 1, state);
  const std::string difference = travel.run().difference;
  EXPECT_NE(difference.find("column"), 0u);
  EXPECT_NE(difference.find("M["), std::string::npos) << difference;
}

TEST(SnapshotToRtl, AnUnknownPhaseIsRefusedWithTheNearest) {
  Phases tiny("gpt_tiny.yaml");
  try {
    find_phase(tiny.plan, "h.0.atn.c_attn.q");
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean h.0.attn.c_attn.q?"), std::string::npos) << e.what();
  }
}

TEST(Travel, AFormerNameOfAPhaseIsFoundAndNoted) {
  compiler::Plan plan = Phases("gpt_tiny.yaml").plan;
  const std::size_t phase = find_phase(plan, "d.h.0.mlp.gelu");
  EXPECT_EQ(plan.ops[phase].name, "h.0.mlp.c_proj.dx");
  EXPECT_EQ(note_other_name(plan, phase, "d.h.0.mlp.gelu"),
            "note    phase d.h.0.mlp.gelu is called h.0.mlp.c_proj.dx here\n");
  EXPECT_EQ(note_other_name(plan, phase, "h.0.mlp.c_proj.dx"), "");
  plan.ops[phase].name = "d.h.0.mlp.gelu";  // as in a plan that an earlier version has saved
  EXPECT_EQ(find_phase(plan, "h.0.mlp.c_proj.dx"), phase);
  EXPECT_EQ(find_phase(plan, "d.h.0.mlp.gelu"), phase);
}

}  // namespace
}  // namespace weft::inspect
