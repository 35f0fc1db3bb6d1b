/// Instructions that halt their thread, in lockstep and tile by tile.
#include "tests/model/contract.hpp"

namespace weft {
namespace {

/// Runs `source` as main and expects these flags.
void expect_flags(const std::string& source, const std::string& flags) {
  SCOPED_TRACE(source);
  in_both(kShape, [&](Rig& rig) {
    rig.load("main:\n" + source + "\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->flags(), flags);
  });
}

std::string words(const isa::Instr& in) { return ".word " + std::to_string(isa::encode(in)) + "\n"; }

TEST(Contract, IllegalInstructionsHaltTheirThread) {
  using isa::Op;
  const auto csr = [](Op op, int n) { return isa::Instr{.op = op, .known = true, .csr = static_cast<isa::Csr>(n)}; };
  std::vector<isa::Instr> main{{.op = Op{}}, {.op = static_cast<Op>(63)}, {.op = Op::Rcv, .color = 1}, {.op = Op::Vs}};
  std::vector<isa::Instr> psum{{.op = Op{}}, {.op = Op::Mvp}, {.op = Op::Fork}, {.op = Op::Vf}, {.op = Op::Vaxs}};
  for (const int n : {13, 14, 15}) main.push_back(csr(Op::Csrr, n)), psum.push_back(csr(Op::Csrr, n));
  for (const int n : {8, 10, 12, 13}) main.push_back(csr(Op::Csrw, n)), psum.push_back(csr(Op::Csrw, n));
  for (const int n : {1, 3, 6, 7}) psum.push_back(csr(Op::Csrr, n)), psum.push_back(csr(Op::Csrw, n));
  for (const int a : {1, 3})
    for (const Op op : {Op::Vaxs, Op::Vdot}) main.push_back({.op = op, .asel = static_cast<isa::ASel>(a)});
  main.push_back({.op = Op::Vf, .asel = isa::ASel::MM, .bsel = isa::BSel::R});
  psum.push_back({.op = Op::Rcv, .color = 0});
  psum.push_back({.op = Op::Snd, .color = 0});
  psum.push_back({.op = Op::Vs, .vsop = static_cast<isa::VsOp>(3)});
  psum.push_back({.op = Op::Vs, .d = static_cast<isa::VsD>(3)});
  psum.push_back({.op = Op::Vs, .in = true, .cin = 0});
  psum.push_back({.op = Op::Vs, .out = true, .cout = 0});
  psum.push_back({.op = Op::Vs, .in = true, .out = true, .gather = true, .cin = 3, .cout = 3});
  psum.push_back({.op = Op::Vs, .gather = true, .cin = 3, .cout = 3});
  psum.push_back({.op = Op::Vs, .out = true, .d = isa::VsD::R, .gather = true, .cin = 3, .cout = 3});
  psum.push_back({.op = Op::Vs, .out = true, .gather = true, .cin = 0, .cout = 3});
  psum.push_back({.op = Op::Vb, .in = true, .cin = 0});
  psum.push_back({.op = Op::Vr, .cin = 0, .cout = 3});
  psum.push_back({.op = Op::Vr, .cin = 3, .cout = 9});  // the illegal W takes precedence over a color that is not built
  psum.back().cin = 0;
  for (const bool of_main : {true, false})
    for (const isa::Instr& in : of_main ? main : psum) {
      SCOPED_TRACE((of_main ? "main " : "psum ") + disassemble(isa::encode(in)));
      in_both(kShape, [&](Rig& rig) {
        const std::string bad = words(in) + "li r1, 7\nhalt\n";
        rig.load(of_main ? "main:\n" + bad : "main: fork p\njoin\nhalt\np:\n" + bad).call("main").go();
        EXPECT_EQ(rig.wafer->flags(), rows("BAD_INSTR"));
        const TileState state = rig.wafer->state(1, 1);
        EXPECT_EQ((of_main ? state.main : state.psum).registers[1], 0);
      });
    }
}

TEST(Contract, WhatGoesToABusySequencerIsJudgedByIt) {
  in_both(kShape, [](Rig& rig) {
    rig.load(
        "main: li r1, 1\ncsrw VL, r1\nfork p\nvaxs R[r0], M[r0]\n.word 0xfc000000\n"
        "p: li r1, 1\ncsrw VL, r1\nvs.mov in=NORTH\nsnd 9, r0");
    rig.call("main").feed();
    EXPECT_THROW(rig.wafer->settle(), WaferStuck);
    const TileState state = rig.wafer->state(1, 1);
    EXPECT_TRUE(state.main.runs && state.psum.runs);
    EXPECT_EQ(state.flags, 0);
  });
}

TEST(Contract, WhatIsNotUsedMayBeAnything) {
  expect_flags("li r1, 1\ncsrw VL, r1\nfork p\njoin\nhalt\np: li r1, 1\ncsrw VL, r1\n" +
                   words({.op = isa::Op::Vs, .cin = 31, .cout = 31}) + words({.op = isa::Op::Vb, .cin = 31, .cout = 0}),
               "");
}

TEST(Contract, ColorsThatAreNotBuiltHaltPsum) {
  using isa::Op;
  const std::vector<isa::Instr> bad{{.op = Op::Rcv, .color = 5},
                                    {.op = Op::Snd, .color = 31},
                                    {.op = Op::Vs, .in = true, .cin = 5},
                                    {.op = Op::Vs, .out = true, .cout = 5},
                                    {.op = Op::Vs, .out = true, .gather = true, .cin = 5, .cout = 3},
                                    {.op = Op::Vb, .in = true, .cin = 5},
                                    {.op = Op::Vb, .out = true, .cout = 5},
                                    {.op = Op::Vr, .cin = 3, .cout = 5},
                                    {.op = Op::Vr, .cin = 5, .cout = 3}};
  for (const isa::Instr& in : bad) expect_flags("fork p\njoin\nhalt\np:\n" + words(in) + "jmp p", rows("BAD_COLOR"));
  Rig many({.rows = 2, .cols = 3, .sram_kib = 1, .colors = 32});  // built, but not routed
  many.load("main: fork p\njoin\nhalt\np: snd 31, r0\nhalt").call("main").go();
  EXPECT_EQ(many.wafer->flags(), rows("NO_ROUTE"));
}

TEST(Contract, MvpBesideARunningPsum) {
  expect_flags("fork p\nmvp r1, r1\nhalt\np: csrr r1, ROW\nbeq r1, r0, a\nsnd RING, r0\nhalt\na: rcv r1, RING",
               rows("BAD_INSTR"));
  expect_flags("fork p\njoin\nmvp r1, r1\nhalt\np: halt", "");
}

}  // namespace
}  // namespace weft
