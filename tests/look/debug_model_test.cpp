/// The debugger on the functional model.
#include <gtest/gtest.h>

#include "tests/look/session.hpp"

namespace weft::debug {
namespace {

constexpr const char* kPhase = "h.0.attn.c_attn.q";

/// ROUTE commands of RING, to all tiles, before the phase begins.
std::function<void(Plan&)> rerouted(std::vector<std::pair<isa::Port, unsigned>> routes) {
  return [=](Plan& plan) {
    auto& stream = plan.ops[find_phase(plan, kPhase)].stream;
    for (const auto& [port, outputs] : routes) {
      const auto value = static_cast<std::uint16_t>(1u << 11 | static_cast<unsigned>(port) << 8 | outputs);
      stream.insert(stream.begin(), {Message::command(Command::Route, 0, value).data, StreamEntry::kCtrl});
    }
  };
}

/// The tiles after the phase, as the model leaves them that nobody looks at.
std::vector<TileState> after_the_phase(Phases& tiny) {
  Travel travel = tiny.travel("h.0.attn.c_attn.k");
  std::vector<TileState> all;
  for (int r = 0; r < tiny.plan.wafer.rows; ++r)
    for (int c = 0; c < tiny.plan.wafer.cols; ++c) all.push_back(travel.model().state(r, c));
  return all;
}

TEST(DebugModel, MovesDoWhatTheModelDoes) {
  for (const int depth : {0, 4}) {
    OnModel s(kPhase, depth);
    std::uint64_t moves = 0;
    for (const std::size_t phase = s.target.phase(); s.target.phase() == phase;) {
      ASSERT_TRUE(s.target.advance());
      ++moves;
    }
    EXPECT_GT(moves, 1000u);
    s.target.rewind(0);
    while (s.target.time() + 1 < moves) ASSERT_TRUE(s.target.advance());  // to the last one of the phase
    EXPECT_EQ(s.states(), after_the_phase(s.tiny)) << "depth " << depth;
  }
}

TEST(DebugModel, StopsAtAnInstructionOfOneTile) {
  OnModel s(kPhase);
  s.prints({"break gemm_output 2,1", "continue"}, "stop 0: tile 2,1 main is at vaxs R[r5], M[r1]");
  s.prints({"list"}, "-> ");
  s.prints({"delete 0", "break gemm.s:13", "c"}, "is at vcr");
  s.prints({"delete 1", "break gemm_psum 1,1", "c"}, "stop 2: tile 1,1 psum is at li r3");
  s.prints({"delete 2", "break 73 0,3", "c"}, "stop 3: tile 0,3 main is at vcr");
}

TEST(DebugModel, StopsAtMessagesAndPhases) {
  OnModel s(kPhase);
  s.prints({"break message W 3,2", "c"}, "stop 0: tile 3,2 gets W");
  OnModel bounded(kPhase, 4);
  bounded.prints({"break message W 3,2", "c"}, "stop 0: tile 3,2 gets W");
  s.prints({"delete 0", "break message RING 1,1", "c"}, "stop 1: tile 1,1 ");
  s.prints({"delete 1", "break message NORTH", "break phase h.0.attn.c_attn.k", "c"}, "h.0.attn.c_attn.k begins");
  s.prints({"delete 2", "delete 3", "goto 0", "break phase h.0.attn", "c"}, "stop 4: h.0.attn begins");
}

TEST(DebugModel, TellsWhoSendsAndWhoGets) {
  OnModel s(kPhase);
  s.run({"break message RING", "c"});
  const auto from = s.target.touched()[0];
  bool sends = false, gets = false;
  for (const TilePlace tile : s.target.touched()) {
    if (s.target.passes(tile, 1) == "sends RING") sends = tile == from;
    if (s.target.passes(tile, 1) == "gets RING") gets = !(tile == from);
  }
  EXPECT_TRUE(sends && gets);
}

/// A write of any value, to this very element and no neighbour of it.
TEST(DebugModel, StopsAtWrites) {
  OnModel s(kPhase);
  s.prints({"break write h.0.q[0] 0,0", "c"}, "stop 0: tile 0,0 writes ");
  const std::string first = s.run({"print h.0.q[0][0]"});
  const auto at = s.target.time();
  s.prints({"back", "print h.0.q[0][0]"}, "h.0.q[0][0] = ");
  EXPECT_EQ(s.target.time(), at - 1);
  s.prints({"c"}, "stop 0: tile 0,0 writes ");
  EXPECT_EQ(s.target.time(), at) << "the same move writes it";
  EXPECT_EQ(s.run({"print h.0.q[0][0]"}), first);
  // ln_out is only read in this phase.
  s.prints({"goto 0", "delete 0", "break write ln_out[0]", "break phase h.0.attn.c_attn.k", "c"}, "k begins");
}

/// Through links that hold two words, a beat's pairs of elements come one by one.
TEST(DebugModel, StopsAtWritesOfAPair) {
  OnModel s(kPhase, 2);
  s.run({"break write h.0.q[0][0] 0,0", "c"});
  const std::uint64_t first = s.target.time();
  s.prints({"delete 0", "break write h.0.q[0][3] 0,0", "c"}, "stop 1: tile 0,0 writes ");
  EXPECT_GT(s.target.time(), first);
  s.run({"goto 0", "c"});
  EXPECT_GT(s.target.time(), first) << "not with the first pair";
}

/// The host's MDATA, one element at a time.
TEST(DebugModel, StopsAtWritesOfCommands) {
  OnModel s(kPhase, 0, [](Plan& plan) {
    auto& stream = plan.ops[find_phase(plan, kPhase)].stream;
    const auto command = [](Command code, int value) {
      return StreamEntry{Message::command(code, 0, static_cast<std::uint16_t>(value)).data, StreamEntry::kCtrl};
    };
    stream.insert(stream.begin(), {command(Command::Maddr, 0x1000), command(Command::Mdata, 0x3f80),
                                   command(Command::Mdata, 0x4000), command(Command::Mdata, 0x3f80)});
  });
  s.prints({"break write M[0x1001] 1,2", "c"}, "stop 0: tile 1,2 writes 2 to M[0x1001]");
  s.prints({"print M[0x1000:2]"}, " 1 2");
  s.prints({"delete 0", "break write M[0x1002] 1,2", "c"}, "writes 1 to M[0x1002]");
}

TEST(DebugModel, StopsAtFlags) {
  OnModel s(kPhase, 0, [](Plan& plan) {
    plan.ops[find_phase(plan, kPhase)].stream.push_back({63u << 24, StreamEntry::kCtrl});
  });
  s.prints({"break flag 2,3", "c"}, "stop 0: tile 2,3 sets BAD_COMMAND");
  s.prints({"info flags"}, "BAD_COMMAND");
  s.prints({"back", "info flags"}, "-\n");
}

/// The flag comes to a tile that does nothing itself.
TEST(DebugModel, StopsAtAFlagThatANeighbourSets) {
  for (const int depth : {0, 4}) {
    OnModel s(kPhase, depth, rerouted({{isa::Port::S, 0}}));
    s.prints({"break flag", "c"}, " sets NO_ROUTE");
  }
}

TEST(DebugModel, StepsByInstructionBeatAndMove) {
  OnModel s(kPhase);
  s.run({"break gemm_output 2,1", "c"});
  const std::uint64_t at = s.target.time();
  s.prints({"step"}, "main at vcr R[r6], R[r5]");
  s.prints({"beat"}, "has done 64 beats");
  s.prints({"back 2"}, "main at vaxs");
  s.prints({"move 2"}, "has done 64 beats");
  EXPECT_EQ(s.target.time(), at + 2);
  s.prints({"delete 0", "thread psum", "step 3"}, "psum at ");
  s.prints({"cycle"}, "there are no cycles here. HINT: the model has no cycles: move N");
  s.prints({"tile 0,0", "step"}, "tile 0,0");
}

TEST(DebugModel, BackAndForthComeToTheSame) {
  for (const int depth : {0, 4}) {
    OnModel s(kPhase, depth, rerouted({{isa::Port::W, 16}}));  // a rest has routes that the load has not
    s.run({"move 1700"});
    const std::vector<std::string> look = {"where all", "info registers", "info streams", "info routes"};
    const auto states = s.states();
    const std::string then = s.run(look);
    s.run({"move 123", "back 123"});
    EXPECT_EQ(s.run(look), then);
    EXPECT_EQ(s.states(), states);
    s.run({"break phase h.0.attn.c_attn.v", "continue", "move 50"});
    const std::uint64_t far = s.target.time();
    const auto there = s.states();
    s.run({"goto 1700"});  // over rests
    EXPECT_EQ(s.states(), states);
    s.run({"goto " + std::to_string(far)});
    EXPECT_EQ(s.states(), there);
    s.run({"move 20", "back 20"});  // from the rest before
    EXPECT_EQ(s.states(), there);
  }
}

TEST(DebugModel, TellsWhatTheModelRefusesAndGoesBackFromIt) {
  using isa::Port;
  OnModel s(kPhase, 0, rerouted({{Port::Ramp, 2}, {Port::W, 8}, {Port::E, 2}}));  // to and fro between neighbours
  s.prints({"c"}, "HINT: ");
  const std::uint64_t at = s.target.time();
  const auto states = s.states();
  s.prints({"step"}, "HINT: ");
  s.prints({"goto 100", "c"}, "HINT: ");
  EXPECT_EQ(s.target.time(), at);
  EXPECT_EQ(s.states(), states);
}

/// At a label the thread's registers are set, and what it is about to read is there, whatever the machine.
TEST(DebugModel, HasAtALabelWhatTheRtlHas) {
  OnModel model(kPhase);
  OnRtl rtl(kPhase);
  const std::vector<std::string> look = {"print x[0][0:8]", "print r1",     "print r2",        "print r3",   "print r5",
                                         "print r6",        "print csr VL", "print y[0][0]/x", "info routes"};
  int number = 0;
  for (const char* stop : {"break gemm_output 2,1", "break gemm_start 0,3", "break gemm.s:14 3,0"}) {
    model.run({stop}), rtl.run({stop});
    for (int times = 0; times < 3; ++times) {
      model.prints({"c"}, " main is at ");
      rtl.prints({"c"}, " main is at ");
      EXPECT_EQ(model.run(look), rtl.run(look)) << stop << ", time " << times;
    }
    const std::vector<std::string> again = {"delete " + std::to_string(number++), "goto 0"};
    model.run(again), rtl.run(again);
  }
}

TEST(DebugModel, HasCreditsIfLinksAreBounded) {
  OnModel without(kPhase), with(kPhase, 4);
  without.prints({"move 500", "info credits"},
                 "links of the model have no bound, and so no credits. HINT: --wafer.depth");
  with.prints({"move 500", "info credits"}, "RING: N 4 E");
  with.prints({"info streams"}, "W: 4 wait from W");
}

TEST(DebugModel, TellsTheCulpritOfAHang) {
  const auto cut = [](Plan& plan) {
    auto& stream = plan.ops[find_phase(plan, kPhase)].stream;
    stream.resize(stream.size() / 2);
    plan.ops.resize(find_phase(plan, kPhase) + 1);
  };
  OnModel s(kPhase, 0, cut);
  s.prints({"report"}, "the wafer does not stand still. HINT: ");
  s.prints({"c"}, "culprit: tile (");
  EXPECT_TRUE(s.typed.shell.failed());
  s.prints({"report"}, "who waits for whom");
  s.prints({"where"}, "waits for W");
  s.prints({"back 5", "report"}, "the wafer does not stand still");
  s.prints({"c"}, "culprit: tile (");
}

}  // namespace
}  // namespace weft::debug
