/// The edge cases of docs/pe.md and docs/message.md, in step and tile by tile.
#include "tests/model/both.hpp"

namespace weft {
namespace {

constexpr WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};  // 512 elements
constexpr WaferShape kTile{.rows = 1, .cols = 1, .sram_kib = 1};

std::string rows(const std::string& flag) { return "row 0 " + flag + ", row 1 " + flag; }

/// Runs `source` as main and expects these flags.
void expect_flags(const std::string& source, const std::string& flags) {
  SCOPED_TRACE(source);
  in_both(kShape, [&](Rig& rig) {
    rig.load("main:\n" + source + "\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->flags(), flags);
  });
}

std::string words(const isa::Instr& in) { return ".word " + std::to_string(isa::encode(in)) + "\n"; }

TEST(Contract, CommandsWaitUntilPsumRests) {
  in_both({.rows = 2, .cols = 1, .sram_kib = 1}, [](Rig& rig) {
    rig.load(R"(
main:   fork p
        halt
p:      csrr r1, ROW
        bne  r1, r0, other
        rcv  r2, RING       ; comes late
        ld   r3, r0, 0
        snd  WEST, r3
        halt
other:  halt
go:     fork q
        halt
q:      snd  RING, r0
        halt)");
    // Row 1 is asleep at first, so row 0's psum waits with main at rest: MDATA must wait as well.
    rig.select(0, 255).call("main").command(Command::Maddr, 0, 0).command(Command::Mdata, 0, 5);
    rig.select(1, 255).call("go").select(255, 255).go();
    EXPECT_EQ(rig.wafer->outlet(0), std::vector<std::uint32_t>{0});
    EXPECT_EQ(rig.element(0, 0, 0), 5);
  });
}

TEST(Contract, CommandsWaitForPsumsLastVector) {
  in_both({.rows = 2, .cols = 1, .sram_kib = 1}, [](Rig& rig) {
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        mvp  r2, r1
        fork p
        halt
p:      csrw VL, r2
        vb   in=RING, dst=R[r0]
        vs.mov own=R[r0], dst=M[r0]   ; when psum has halted
        halt
go:     fork q
        halt
q:      snd  RING, r0
        snd  RING, r0
        halt)");
    rig.store(0, 0, 0, {7, 7, 7, 7});
    rig.select(0, 255).call("main").command(Command::Maddr, 0, 0).command(Command::Mdata, 0, 5);
    rig.select(1, 255).call("go").select(255, 255).go();
    EXPECT_EQ(rig.element(0, 0, 0), 5);
    EXPECT_EQ(rig.element(0, 0, 1), 0);
  });
}

TEST(Contract, CommandsWaitForABegunStream) {
  in_both(kShape, [](Rig& rig) {  // the thread has halted by BAD_INSTR, its vaxs takes what is no command then
    rig.load("main: li r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nmvp r2, r2\n.word 0").store(0, 1, 0, {0x3f80});
    rig.call("main").weight(0, 0x4000).weight(0, 0x3f80).cr().reg(3, 9).go();
    EXPECT_EQ(rig.wafer->flags(), rows("BAD_INSTR"));
    EXPECT_EQ(rig.wafer->state(0, 1).accumulators[0], 0x40400000U);  // 3.0
    EXPECT_EQ(rig.wafer->state(0, 1).main.registers[3], 9);
  });
}

TEST(Contract, CallEmptiesTheHandoffQueues) {
  in_both(kShape, [](Rig& rig) {
    rig.load("one: li r1, 1\ncsrw VL, r1\nvcr R[r1], R[r0]\nhalt");
    for (int n = 0; n < 3; ++n) rig.call("one");  // three would not find room
    rig.go();
    EXPECT_EQ(rig.wafer->state(1, 2).mp, (HandoffState{.entries = {1 << 5}, .put_parity = 1}));
  });
}

TEST(Contract, IllegalInstructionsHaltTheirThread) {
  using isa::Op;
  const auto csr = [](Op op, int n) { return isa::Instr{.op = op, .legal = true, .csr = static_cast<isa::Csr>(n)}; };
  std::vector<isa::Instr> main{{.op = Op{}}, {.op = static_cast<Op>(63)}, {.op = Op::Rcv, .color = 1}, {.op = Op::Vs}};
  std::vector<isa::Instr> psum{{.op = Op{}}, {.op = Op::Mvp}, {.op = Op::Fork}, {.op = Op::Vf}, {.op = Op::Vaxs}};
  for (const int n : {7, 13, 15}) main.push_back(csr(Op::Csrr, n)), psum.push_back(csr(Op::Csrr, n));
  for (const int n : {7, 8, 10, 12, 13}) main.push_back(csr(Op::Csrw, n)), psum.push_back(csr(Op::Csrw, n));
  for (const int n : {1, 3, 6}) psum.push_back(csr(Op::Csrr, n)), psum.push_back(csr(Op::Csrw, n));
  for (const int a : {1, 3})
    for (const Op op : {Op::Vaxs, Op::Vdot}) main.push_back({.op = op, .asel = static_cast<isa::ASel>(a)});
  main.push_back({.op = Op::Vf, .asel = static_cast<isa::ASel>(3)});
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
  psum.push_back({.op = Op::Vr, .cin = 3, .cout = 9});  // W is not built in either, but a color there is
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
  const std::vector<isa::Instr> bad{{.op = Op::Rcv, .color = 4},
                                    {.op = Op::Snd, .color = 31},
                                    {.op = Op::Vs, .in = true, .cin = 4},
                                    {.op = Op::Vs, .out = true, .cout = 4},
                                    {.op = Op::Vs, .out = true, .gather = true, .cin = 4, .cout = 3},
                                    {.op = Op::Vb, .in = true, .cin = 5},
                                    {.op = Op::Vb, .out = true, .cout = 5},
                                    {.op = Op::Vr, .cin = 3, .cout = 5},
                                    {.op = Op::Vr, .cin = 5, .cout = 3}};
  for (const isa::Instr& in : bad) expect_flags("fork p\njoin\nhalt\np:\n" + words(in) + "jmp p", rows("BAD_COLOR"));
  Rig many({.rows = 2, .cols = 3, .sram_kib = 1, .colors = 32});  // built, but not routed
  many.load("main: fork p\njoin\nhalt\np: snd 31, r0\nhalt").call("main").go();
  EXPECT_EQ(many.wafer->flags(), rows("NO_ROUTE"));
}

TEST(Contract, RoutesThatARouterCannotHave) {
  const auto route = [](int color, int port, int outputs) { return color << 11 | port << 8 | outputs; };
  const struct {
    int row, value;
    std::string flags;
  } cases[] = {
      {255, route(4, 0, 1), rows("BAD_COLOR")},  // and the same where the port is not there either
      {255, route(31, 7, 0), rows("BAD_COLOR")},
      {255, route(1, 5, 0), rows("BAD_ROUTE")},
      {255, route(1, 0, 0x30), rows("BAD_ROUTE")},
      {255, route(1, 4, 1), "row 0 BAD_ROUTE"},   // north of row 0
      {255, route(1, 4, 12), "row 1 BAD_ROUTE"},  // south of the last one
      {0, route(1, 4, 12), ""},
      {255, route(1, 4, 8), ""},  // west, to the outlet
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.value);
    in_both(kShape, [&](Rig& rig) {
      rig.go();
      const auto before = rig.wafer->state(0, 0).routes;
      rig.select(c.row, 255).command(Command::Route, 0, c.value).go();
      EXPECT_EQ(rig.wafer->flags(), c.flags);
      const bool done = c.flags.find("row 0") == std::string::npos;
      EXPECT_EQ(rig.wafer->state(0, 0).routes != before, done);
      if (done) {
        EXPECT_EQ(rig.wafer->state(0, 0).routes[4][1], c.value & 31);
      }
    });
  }
  Rig east(kShape);  // of the last column only: not in step
  east.command(Command::Route, 0, route(1, 4, 2)).go();
  EXPECT_EQ(east.wafer->flags(), "row 0 column 2 BAD_ROUTE, row 1 column 2 BAD_ROUTE");
  EXPECT_EQ(east.wafer->state(1, 1).routes[4][1], 2);
  EXPECT_EQ(east.wafer->state(1, 2).routes[4][1], 1);  // north, as it was
}

TEST(Contract, VlCountsModulo256) {
  for (const auto& [written, beats] : std::vector<std::pair<int, int>>{{0, 256}, {256, 256}, {259, 3}, {255, 255}}) {
    SCOPED_TRACE(written);
    in_both(kShape, [&, written = written, beats = beats](Rig& rig) {
      rig.load("main: li r1, " + std::to_string(written) +
               "\ncsrw VL, r1\ncsrr r2, VL\nli r3, 1\ncsrw REP, r3\nli r4, 0x3f80\n"
               "vf.fma R[r0], S[r4], S[r4], Z\nhalt");
      rig.call("main").go();
      const TileState state = rig.wafer->state(1, 2);
      EXPECT_EQ(state.main.registers[2], written);
      EXPECT_EQ(state.beats, static_cast<unsigned>(beats));
      for (int entry = 0; entry < 256; ++entry)
        ASSERT_EQ(state.accumulators[static_cast<std::size_t>(entry * 4)], entry < beats ? 0x3f800000U : 0U) << entry;
    });
  }
}

TEST(Contract, EachBeatHasAnAddressOfItsOwn) {
  // Vectors of 4 beats that begin before the end, at the end, behind it, and before address 0.
  const struct {
    int address;
    std::vector<int> words;  // that its beats read; -1: zeros
    std::string flags;
  } cases[] = {
      {500, {500, 504, 508, -1}, "BAD_ADDRESS"}, {508, {508, -1, -1, -1}, "BAD_ADDRESS"},
      {512, {-1, -1, -1, -1}, "BAD_ADDRESS"},    {65532, {-1, 0, 4, 8}, "BAD_ADDRESS"},
      {6, {4, 8, 12, 16}, "MISALIGNED"},         {496, {496, 500, 504, 508}, ""},
  };
  std::vector<std::uint16_t> memory(512);
  for (int e = 0; e < 512; ++e) memory[static_cast<std::size_t>(e)] = static_cast<std::uint16_t>(0x4000 + e / 4);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.address);
    in_both(kShape, [&](Rig& rig) {
      for (int row = 0; row < 2; ++row)
        for (int col = 0; col < 3; ++col) rig.store(row, col, 0, memory);
      rig.load("main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, " + std::to_string(c.address) +
               "\nli r3, 0x3f80\nvf.fma R[r0], M[r2], S[r3], Z\nhalt\n"  // reads
               "put: li r4, 16\nvf.fma M[r2], S[r3], S[r3], Z\nhalt");
      rig.call("main").go();
      const std::string flags = c.flags.empty() ? "" : rows(c.flags);
      EXPECT_EQ(rig.wafer->flags(), flags);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(rig.wafer->state(1, 2).accumulators[i * 4],
                  c.words[i] < 0 ? 0U : static_cast<unsigned>(0x4000 + c.words[i] / 4) << 16);
      rig.call("put").go();  // writes
      EXPECT_EQ(rig.wafer->flags(), flags);
      std::vector<std::uint16_t> expected = memory;
      for (const int word : c.words)
        for (int lane = 0; lane < 4 && word >= 0; ++lane) expected[static_cast<std::size_t>(word + lane)] = 0x3f80;
      EXPECT_EQ(rig.wafer->sram(1, 2), expected);
    });
  }
}

TEST(Contract, AddressesWrapBeatByBeat) {
  // Of a copy by two words over the end of addresses the third beat reads what the first has written.
  in_both({.rows = 1, .cols = 2, .sram_kib = 128}, [](Rig& rig) {
    for (int col = 0; col < 2; ++col)
      rig.store(0, col, 65532, {0x3f80, 0x3f80, 0x3f80, 0x3f80}).store(0, col, 0, {0x4000, 0x4000, 0x4000, 0x4000});
    rig.load(
        "main: li r1, 4\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nli r2, 0xfffc\nli r3, 4\nli r4, 0x3f80\n"
        "vf.fma M[r3], M[r2], S[r4], Z\nhalt");
    rig.call("main").go();
    const auto memory = rig.wafer->sram(0, 1);
    const std::vector<std::uint16_t> words{memory[4], memory[8], memory[12], memory[16]};
    EXPECT_EQ(words, (std::vector<std::uint16_t>{0x3f80, 0x4000, 0x3f80, 0x4000}));
    EXPECT_EQ(rig.wafer->flags(), "");
  });
}

TEST(Contract, StreamsReadBehindTheEndAndWriteThere) {
  in_both(kShape, [](Rig& rig) {  // vaxs, vdot's x, accumulating vf, a memory scalar, vb, vs
    rig.load(R"(
main:   li   r1, 2
        csrw VL, r1
        csrw REP, r1
        li   r1, 508
        li   r2, 0x4000
        vaxs R[r0], M[r1]         ; x: 508 and a zero
        li   r3, 8
        vf.fma R[r3], M[r1], S[r2], R[r3]
        li   r4, 600
        li   r5, 16
        vf.fma R[r5], M[r0], MS[r4], Z
        mvp  r1, r1
        fork p
        join
        halt
p:      li   r2, 2
        csrw VL, r2
        li   r3, 32
        vb   src=M[r1], dst=R[r3]
        vs.mov own=R[r3], dst=M[r1]
        halt)");
    for (int col = 0; col < 3; ++col) rig.store(1, col, 508, {0x3f80, 0x3f80, 0x3f80, 0x3f80});
    rig.call("main").weight(0x8000, 0x4040).weight(0x8000, 0x3f80).cr().go();
    EXPECT_EQ(rig.wafer->flags(), rows("BAD_ADDRESS"));
    const auto r = rig.wafer->state(1, 1).accumulators;
    EXPECT_EQ(r[0], 0x40800000U);      // 1 * 3 + 1 * 1
    EXPECT_EQ(r[4], 0U);               // behind the end
    EXPECT_EQ(r[8 * 4], 0x40800000U);  // 2 + 2
    EXPECT_EQ(r[32 * 4], 0x3f800000U);
    EXPECT_EQ(r[33 * 4], 0U);
  });
}

TEST(Contract, MvpBesideARunningPsum) {
  expect_flags("fork p\nmvp r1, r1\nhalt\np: csrr r1, ROW\nbeq r1, r0, a\nsnd RING, r0\nhalt\na: rcv r1, RING",
               rows("BAD_INSTR"));
  expect_flags("fork p\njoin\nmvp r1, r1\nhalt\np: halt", "");
}

TEST(Contract, TheWaferHasColumns) {
  in_both(kShape, [](Rig& rig) {
    rig.load("main: csrr r1, COLS\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->state(1, 2).main.registers[1], 3);
  });
  Rig rig(kShape);
  rig.load("main: csrr r1, COL\nhalt").call("main").go();
  for (int col = 0; col < 3; ++col) EXPECT_EQ(rig.wafer->state(1, col).main.registers[1], col);
  EXPECT_FALSE(model(*rig.wafer).in_step());
}

TEST(Contract, OnlyRcvFindsAZeroAtTheEndOfWest) {
  in_both(kTile, [](Rig& rig) {
    rig.load("main: fork p\njoin\nhalt\np: rcv r1, WEST\nsnd WEST, r1\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->outlet(0), std::vector<std::uint32_t>{0});
  });
  Rig rig(kTile);
  rig.load("main: fork p\njoin\nhalt\np: li r1, 1\ncsrw VL, r1\nvs.mov in=WEST\nhalt").call("main");
  EXPECT_THROW(rig.go(), WaferStuck);
}

TEST(Contract, NansThatAreMovedKeepTheirBits) {
  in_both({.rows = 2, .cols = 3, .sram_kib = 1}, [](Rig& rig) {
    // Row 0 sends pairs of bf16 that are a NaN as fp32; row 1 moves them to R, computes a NaN beside, and sends all.
    for (int col = 0; col < 3; ++col) {
      rig.store(0, col, 0, {1, 0x7f80, 2, 0xffff, 0, 0, 0, 0});
      rig.store(1, col, 0, {0xff81, 0xffc1, 0x7f81, 0xff80});  // and NaNs of all kinds to compute with
    }
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        csrw REP, r1
        li   r2, 0
        li   r3, 6
        vf.fma R[r3], M[r0], S[r2], Z     ; computed before
        fork p
        join
        li   r3, 7
        vf.fma R[r3], M[r0], S[r2], Z     ; and after
        li   r3, 8
        li   r4, 6
        vf.max R[r3], M[r0], R[r4], Z
        fork q
        join
        halt
p:      csrr r1, ROW
        bne  r1, r0, take
        li   r1, 2
        csrw VL, r1
        vb   src=M[r0], out=RING, dst=R[r0]
        halt
take:   li   r1, 1
        csrw VL, r1
        li   r1, 5
        vs.mov in=RING, dst=R[r1]
        halt
q:      li   r1, 4
        csrw VL, r1
        li   r1, 5
        vs.mov own=R[r1], out=WEST, gather
        halt)");
    rig.call("main").go();
    const auto& words = rig.wafer->outlet(1);
    ASSERT_EQ(words.size(), 3U * 4 * 4);
    for (std::size_t col = 0; col < 3; ++col) {
      const std::uint32_t* w = words.data() + col * 16;
      EXPECT_EQ(w[0], 0x7f800001U);
      EXPECT_EQ(w[1], 0xffff0002U);
      for (int k = 4; k < 16; ++k) EXPECT_EQ(w[k], 0x7fc00000U) << k;
    }
    EXPECT_EQ(rig.wafer->state(1, 1).accumulators[5 * 4], 0x7f800001U);
  });
}

TEST(Contract, AVectorGoesOnWithWhatHasCome) {
  // Row 1 answers two words at a time: row 0's vs must send before it has got all.
  in_both({.rows = 2, .cols = 2, .sram_kib = 1}, [](Rig& rig) {
    for (int col = 0; col < 2; ++col) rig.store(0, col, 0, {0x3f80, 0x4000, 0x4040, 0x4080});
    rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        csrw REP, r1
        li   r2, 0x3f80
        vf.fma R[r0], M[r0], S[r2], Z
        fork p
        join
        halt
p:      li   r1, 1
        csrw VL, r1
        csrr r1, ROW
        bne  r1, r0, answer
        vs.add in=RING, own=R[r0], out=RING, dst=M[r0]
        halt
answer: li   r5, 2
again:  snd  RING, r0
        snd  RING, r0
        rcv  r2, RING
        rcv  r3, RING
        dbnz r5, again
        halt)");
    rig.call("main").go();
    EXPECT_EQ(rig.wafer->sram(0, 1)[3], 0x4080);
    EXPECT_EQ(rig.wafer->state(0, 0).beats, 1U + 2);
  });
}

}  // namespace
}  // namespace weft
