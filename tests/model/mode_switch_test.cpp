/// Lockstep rows that switch to individual tiles in the middle of their work.
#include "tests/cosim/tiny.hpp"
#include "tests/model/both.hpp"
#include "tests/random.hpp"

namespace weft::model {
namespace {

/// Feeds the first `before` messages of `stream` in lockstep, the others tile by tile. Negative: all in lockstep.
Snapshot run(const machine::WaferShape& shape, std::span<const machine::Message> stream, int before) {
  const auto wafer = make_model_wafer(shape);
  wafer->feed(stream.first(before < 0 ? stream.size() : static_cast<std::size_t>(before)));
  if (before >= 0) {
    EXPECT_TRUE(model(*wafer).in_lockstep());
    model(*wafer).leave_lockstep();
    wafer->feed(stream.subspan(static_cast<std::size_t>(before)));
  }
  wafer->settle();
  EXPECT_EQ(model(*wafer).in_lockstep(), before < 0);
  return Snapshot(*wafer);
}

TEST(ModeSwitch, KernelsHaveTheSameStateWhereverItHappens) {
  test::Rng rng(test::test_seed());
  const struct {
    machine::WaferShape wafer;
    compiler::ModelShape model;
  } cases[] = {{{.rows = 2, .cols = 3, .sram_kib = 8}, cosim::tiny_model()},
               {{.rows = 4, .cols = 1, .sram_kib = 8}, cosim::tiny_model()},
               {{.rows = 1, .cols = 2, .sram_kib = 8}, cosim::tiny_model()},
               {{.rows = 2, .cols = 2, .lanes = 2, .sram_kib = 8}, cosim::tiny_model()},
               {{.rows = 3, .cols = 2, .lanes = 8, .sram_kib = 8}, cosim::tiny_model()}};
  for (const auto& c : cases) {
    const cosim::Tiny tiny(c.wafer, c.model);
    std::vector<machine::Message> stream = tiny.plan.load;
    stream.insert(stream.end(), tiny.messages.begin(), tiny.messages.end());
    const Snapshot expected = run(c.wafer, stream, -1);
    EXPECT_EQ(expected.flags, "");
    std::vector<int> cuts{0, static_cast<int>(stream.size())};
    for (int n = 0; n < 40; ++n) cuts.push_back(static_cast<int>(rng.below(static_cast<std::uint32_t>(stream.size()))));
    for (const int cut : cuts) {
      SCOPED_TRACE(testing::Message() << c.wafer.rows << "x" << c.wafer.cols << ", " << c.wafer.lanes
                                      << " lanes, after message " << cut << " of " << stream.size());
      expected.expect(run(c.wafer, stream, cut));
      if (testing::Test::HasFailure()) return;
    }
  }
}

constexpr machine::WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};

/// Compares a switch of modes at a given point: `first` brings the wafer to where it waits with the state to carry
/// over, `then` lets it continue. `check` checks the lockstep wafer at that point.
template <class Check>
void carried(const std::string& source, const std::function<void(Rig&)>& first, const std::function<void(Rig&)>& then,
             const Check& check, const machine::WaferShape& shape = kShape) {
  const auto begin = [&](Rig& rig) {
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) {
        std::vector<std::uint16_t> memory(256);
        for (std::size_t e = 0; e < memory.size(); ++e)
          memory[e] = static_cast<std::uint16_t>(0x3f00 + 7 * e + 31 * static_cast<std::size_t>(col + 5 * row));
        rig.store(row, col, 0, memory);
      }
    rig.load(source);
    first(rig);
    rig.feed();
  };
  Rig step(shape), apart(shape);
  begin(step);
  check(*step.wafer);
  begin(apart);
  model(*apart.wafer).leave_lockstep();
  for (Rig* rig : {&step, &apart}) {
    then(*rig);
    rig->go();
  }
  EXPECT_TRUE(model(*step.wafer).in_lockstep());
  EXPECT_FALSE(model(*apart.wafer).in_lockstep());
  Snapshot(*step.wafer).expect(Snapshot(*apart.wafer));
  EXPECT_EQ(step.wafer->flags(), "");
}

TEST(ModeSwitch, CarriesWordsThatWait) {
  // Row 1 sends on both colors; row 0 takes part of the first vector, then waits for W.
  carried(R"(
main:   li   r1, 3
        csrw VL, r1
        fork p
        vaxs R[r0], M[r0]
        join
        fork q
        join
        halt
p:      li   r1, 3
        csrw VL, r1
        li   r4, 16
        csrr r1, ROW
        beq  r1, r0, part
        vb   src=M[r0], out=RING, dst=M[r4]
        vb   src=M[r0], out=NORTH, dst=M[r4]
        snd  RING, r1
        snd  RING, r1
        snd  RING, r4
        halt
part:   li   r1, 1
        csrw VL, r1
        vs.mov in=RING, dst=R[r4]
        halt
q:      li   r1, 1
        csrw VL, r1
        csrr r1, ROW
        bne  r1, r0, end
        li   r4, 24
        vs.mov in=NORTH, dst=R[r4]
        li   r4, 30
        vs.mov in=RING, dst=R[r4]
        rcv  r5, RING
end:    halt)",
          [](Rig& rig) { rig.call("main"); }, [](Rig& rig) { rig.cr(); },
          [](Wafer& wafer) { EXPECT_TRUE(wafer.state(0, 1).main.runs); });
}

TEST(ModeSwitch, CarriesHandoffEntriesAndTurns) {
  carried(R"(
main:   li   r1, 2
        csrw VL, r1
        csrw STR, r1
        li   r2, 32
        vcr  R[r2], R[r0]
        fork p
        join
        vcr  R[r2], R[r0]
        vaxs R[r0], M[r0]
        vcr  R[r2], R[r0]
        fork q
        join
        halt
p:      li   r1, 2
        csrw VL, r1
        li   r2, 32
        li   r3, 64
        vs.mov own=Q[r2]
        vb   src=M[r0], dst=M[r3]
        halt
q:      vs.mov own=Q[r2], dst=M[r0]
        vs.mov own=Q[r2], dst=M[r0]
        vb   src=M[r0], dst=M[r3]
        halt)",
          [](Rig& rig) { rig.call("main").weight(0, 0x3f80); }, [](Rig& rig) { rig.weight(0, 0x4000).cr(); },
          [](Wafer& wafer) {
            const machine::TileState state = wafer.state(0, 2);
            EXPECT_EQ(state.mp, (machine::HandoffState{
                                    .entries = {1 << 5}, .put_buffer = 2, .taken_buffer = 1, .filled = false}));
            EXPECT_EQ(state.pm,
                      (machine::HandoffState{.entries = {0}, .put_buffer = 1, .taken_buffer = 0, .filled = false}));
          });
}

TEST(ModeSwitch, CarriesAStreamThatIsHalfDone) {
  for (const std::string what : {"vaxs R[r3], M[r0]", "vaxs R[r3], OH[r0]"}) {
    SCOPED_TRACE(what);
    carried(
        "main: li r1, 2\ncsrw VL, r1\nli r1, 8\ncsrw STA, r1\nli r1, 7\ncsrw LMASK, r1\nli r3, 40\n" + what +
            "\nli r3, 50\n" + what + "\nhalt",
        [](Rig& rig) {
          rig.call("main");
          for (int n = 0; n < 9; ++n) rig.weight(n % 2 << 15 | n, 0x3f00 + n);
        },
        [](Rig& rig) {
          for (int n = 0; n < 5; ++n) rig.weight(n % 2 << 15 | n, 0x4000 + n);
          rig.cr().weight(3, 0x3f80).cr();
        },
        [](Wafer& wafer) {
          EXPECT_GT(wafer.state(0, 0).beats, 0U);
          EXPECT_TRUE(wafer.state(0, 0).main.runs);
        });
  }
}

TEST(ModeSwitch, CarriesAGradientThatIsHalfDone) {
  // The deltas are in memory; one group is complete, another has begun; vr waits for the next entry.
  carried(R"(
main:   li   r1, 2
        csrw VL, r1
        li   r1, 8
        csrw STA, r1
        li   r1, 7
        csrw LMASK, r1
        li   r2, 100
        li   r3, 64
        fork p
        vdot R[r3], M[r0], M[r2]
        join
        halt
p:      li   r1, 2
        csrw VL, r1
        li   r2, 100
        li   r3, 64
        vb   src=M[r0], dst=M[r2]
        vr   in=WEST, out=WEST, src=R[r3]
        halt)",
          [](Rig& rig) {
            rig.call("main");
            for (int n = 0; n < 20; ++n) rig.weight(n % 8, 0).weight(1 << 15 | n % 8, 0);
          },
          [](Rig& rig) {
            for (int n = 0; n < 20; ++n) rig.weight(n % 8, 0);
            rig.cr();
          },
          [](Wafer& wafer) { EXPECT_EQ(wafer.outlet(0).size(), 16U); });
}

TEST(ModeSwitch, CarriesAVectorThatIsHalfDone) {
  // Row 1 sends two words of a vs or an entry of a vb, waits for W, and sends the rest.
  for (const std::string take :
       {"vs.add in=RING, own=R[r0], out=NORTH, dst=R[r4]", "vb in=RING, out=NORTH, dst=M[r4]"}) {
    SCOPED_TRACE(take);
    std::string source = R"(
main:   li   r1, 2
        csrw VL, r1
        csrr r1, ROW
        fork p
        beq  r1, r0, wait
        li   r1, 1
        csrw REP, r1
        join
wait:   vaxs R[r0], M[r0]
        beq  r1, r0, wait2
        fork q
wait2:  join
        halt
p:      li   r1, 2
        csrw VL, r1
        li   r4, 16
        li   r5, 0x3fc0
        csrr r1, ROW
        beq  r1, r0, take
        snd  RING, r5
        snd  RING, r5
        halt
take:   TAKE
        halt
q:      li   r2, 10
more:   snd  RING, r5
        dbnz r2, more
        halt)";
    source.replace(source.find("TAKE"), 4, take);
    // Row 0 may not send north, where its words would leave the mesh. It sends around the ring, and row 1 takes them.
    source.replace(source.find("out=NORTH"), 9, "out=RING");
    carried(
        source, [](Rig& rig) { rig.call("main"); }, [](Rig& rig) { rig.cr(); },
        [](Wafer& wafer) { EXPECT_GT(wafer.state(0, 0).beats, 0U); });
  }
}

TEST(ModeSwitch, CarriesFlags) {
  Rig rig(kShape);
  rig.cr().go();
  model(*rig.wafer).leave_lockstep();
  EXPECT_EQ(rig.wafer->flags(), "row 0 BAD_COMMAND, row 1 BAD_COMMAND");
}

TEST(ModeSwitch, CarriesWhatCommandsLeft) {
  carried(
      "main: halt",
      [](Rig& rig) {
        rig.select_row(1).command(machine::Command::Iaddr, 0, 1020).command(machine::Command::Ilo, 0, 0x1234);
        rig.select(machine::Selection::kAll, 2).command(machine::Command::Maddr, 0, 100).select_row(1);
      },
      [](Rig& rig) {
        rig.command(machine::Command::Ihi, 0, 0x0440).command(machine::Command::Mdata, 0, 77);
        rig.reg(3, 4).select().reg(4, 5);
      },
      [](Wafer& wafer) { EXPECT_EQ(wafer.state(1, 0).instruction_address, 1020); });
}

TEST(ModeSwitch, CarriesMessagesThatWaitOnW) {
  // A row that waits for the other has unread commands and weights.
  carried(R"(
main:   li   r1, 1
        csrw VL, r1
        csrr r1, ROW
        bne  r1, r0, other
        fork p
        join
        vaxs R[r0], M[r0]
        halt
other:  vaxs R[r0], M[r0]
        fork q
        join
        halt
p:      rcv  r2, RING
        halt
q:      snd  RING, r1
        halt)",
          [](Rig& rig) { rig.call("main").weight(0, 0x3f80).weight(0x8000, 0x3f80).weight(1, 0x4000); },
          [](Rig& rig) { rig.cr(); }, [](Wafer& wafer) { EXPECT_TRUE(wafer.state(0, 0).psum.runs); });
}

}  // namespace
}  // namespace weft::model
