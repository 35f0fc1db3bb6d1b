/// Breakpoints and watchpoints on the functional model.
#include <gtest/gtest.h>

#include "tests/compiler/listed_stream.hpp"
#include "tests/inspect/rerouted.hpp"
#include "tests/inspect/session.hpp"

namespace weft::inspect::debug {
namespace {

constexpr const char* kPhase = "h.0.attn.c_attn.q";

TEST(DebugModel, StopsAtAnInstructionOfOneTile) {
  OnModel s(kPhase);
  s.prints({"break gemm_output 2,1", "continue"}, "stop 0: tile 2,1 main is at vaxs R[r5], M[r1]");
  s.prints({"list"}, "-> ");
  s.prints({"delete 0", "break gemm.s:14", "c"}, "is at vcr");
  s.prints({"delete 1", "break gemm_psum 1,1", "c"}, "stop 2: tile 1,1 psum is at li r3");
  s.prints({"delete 2", "break 84 0,3", "c"}, "stop 3: tile 0,3 main is at vcr");
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
  const auto from = s.target.touched_tiles()[0];
  bool sends = false, gets = false;
  for (const sim::TilePlace tile : s.target.touched_tiles()) {
    if (s.target.passes(tile, 1) == "sends RING") sends = tile == from;
    if (s.target.passes(tile, 1) == "gets RING") gets = !(tile == from);
  }
  EXPECT_TRUE(sends && gets);
}

/// A write of any value counts, to exactly this element and not to a neighbor.
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

/// Through links that hold two words, a beat writes its pairs of elements one by one.
TEST(DebugModel, StopsAtWritesOfAPair) {
  OnModel s(kPhase, 2);
  s.run({"break write h.0.q[0][0] 0,0", "c"});
  const std::uint64_t first = s.target.time();
  s.prints({"delete 0", "break write h.0.q[0][3] 0,0", "c"}, "stop 1: tile 0,0 writes ");
  EXPECT_GT(s.target.time(), first);
  s.run({"goto 0", "c"});
  EXPECT_GT(s.target.time(), first) << "not with the first pair";
}

/// The host's MDATA commands write one element at a time.
TEST(DebugModel, StopsAtWritesOfCommands) {
  OnModel s(kPhase, 0, [](compiler::Plan& plan) {
    auto& stream = plan.ops[find_phase(plan, kPhase)].commands;
    const auto command = [](machine::Command code, int value) {
      return compiler::StreamEntry{machine::Message::command(code, 0, static_cast<std::uint16_t>(value)).data,
                                   compiler::StreamEntry::kCtrl};
    };
    stream.insert(stream.begin(), {command(machine::Command::Maddr, 0x1000), command(machine::Command::Mdata, 0x3f80),
                                   command(machine::Command::Mdata, 0x4000), command(machine::Command::Mdata, 0x3f80)});
  });
  s.prints({"break write M[0x1001] 1,2", "c"}, "stop 0: tile 1,2 writes 2 to M[0x1001]");
  s.prints({"print M[0x1000:2]"}, " 1 2");
  s.prints({"delete 0", "break write M[0x1002] 1,2", "c"}, "writes 1 to M[0x1002]");
}

TEST(DebugModel, StopsAtFlags) {
  OnModel s(kPhase, 0, [](compiler::Plan& plan) {
    compiler::listed_entries(plan.ops[find_phase(plan, kPhase)]).push_back({63u << 24, compiler::StreamEntry::kCtrl});
  });
  s.prints({"break flag 2,3", "c"}, "stop 0: tile 2,3 sets BAD_COMMAND");
  s.prints({"info flags"}, "BAD_COMMAND");
  s.prints({"back", "info flags"}, "-\n");
}

/// The flag is set on a tile that executes nothing itself.
TEST(DebugModel, StopsAtAFlagThatANeighbourSets) {
  for (const int depth : {0, 4}) {
    OnModel s(kPhase, depth, rerouted(kPhase, {{isa::Port::S, 0}}));
    s.prints({"break flag", "c"}, " sets NO_ROUTE");
  }
}

}  // namespace
}  // namespace weft::inspect::debug
