/// The model with links as deep as the RTL's stands still exactly when the RTL does, and in the same place.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/load.hpp"
#include "sw/hang/report.hpp"
#include "tests/hang/fabric.hpp"
#include "tests/lockstep/tiny.hpp"
#include "verif/wafer.hpp"

namespace weft::test {
namespace {

std::shared_ptr<const Standstill> run(Wafer& wafer, const Fabric& f) {
  try {
    wafer.feed(f.messages);
    wafer.settle();
  } catch (const WaferStuck& stuck) {
    return stuck.standstill;
  }
  return nullptr;
}

/// What of a standstill is the same whatever the timing, as text.
std::string same_part(const Standstill& s) {
  std::ostringstream out;
  const auto list = [&](const char* name, const auto& numbers) {
    out << " " << name;
    for (const auto n : numbers) out << " " << +n;
  };
  for (std::size_t i = 0; i < s.tiles.size(); ++i) {
    const TileStandstill& t = s.tiles[i];
    out << "tile " << i;
    for (const auto& [thread, sequencer] : {std::pair(t.state.main, t.main), std::pair(t.state.psum, t.psum)})
      out << " [" << thread.runs << " " << thread.pc << "; " << sequencer.busy << " " << sequencer.pc << " "
          << sequencer.lacks_w << sequencer.lacks_words << sequencer.lacks_room << "]";
    list("main", t.state.main.registers), list("psum", t.state.psum.registers);
    list("MP", t.state.mp.entries), list("PM", t.state.pm.entries), list("ramp", t.ramp), list("out", t.out);
    list("credits", t.out_credits);
    for (std::size_t port = 0; port < 5; ++port) list("buffers", t.buffers[port]), list("credits", t.credits[port]);
    out << "\n";
  }
  for (const RowStandstill& r : s.rows) {
    out << "row " << r.delivered << " " << r.cell << " " << +r.served;
    list("credits", r.cell_credits);
    out << "\n";
  }
  for (const ValveStandstill& v : s.valves) {
    out << "valve " << v.taken << " " << v.rest;
    list("credits", v.credits);
    out << "\n";
  }
  return out.str();
}

TEST(BoundedModel, StandsStillWhereTheRtlDoes) {
  Dice dice(test_seed());
  int hung = 0, passed = 0, only_bounded = 0;
  for (int i = 0; i < 400; ++i) {
    const Fabric f = random_fabric(dice);
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, isa::kDepth), f);
    const auto free = run(*make_model_wafer(f.shape), f);
    std::string text = "case " + std::to_string(i) + ": " + std::to_string(f.shape.rows) + " x " +
                       std::to_string(f.shape.cols) + ", " + std::to_string(f.shape.lanes) + " lanes\n";
    for (std::size_t t = 0; t < f.sources.size(); ++t) text += "tile " + std::to_string(t) + "\n" + f.sources[t];
    ASSERT_EQ(rtl != nullptr, model != nullptr)
        << text << (rtl ? hang::report(*rtl, nullptr) : hang::report(*model, nullptr));
    if (rtl) {
      ASSERT_EQ(same_part(*rtl), same_part(*model)) << text;
    }
    (rtl ? hung : passed) += 1;
    only_bounded += rtl && !free;
    if (free) {
      EXPECT_TRUE(rtl) << "more room never makes it hang\n" << text;
    }
  }
  std::cout << hung << " hang, " << only_bounded << " of them only as links have an end; " << passed << " do not\n";
  EXPECT_GT(hung, 40);
  EXPECT_GT(only_bounded, 10);
  EXPECT_GT(passed, 50);
}

/// A vb that waits for room in PM has taken all its beat's words but the last, and the rest of the stream stands behind
/// it.
TEST(BoundedModel, TakesABeatsWordsAhead) {
  for (const int lanes : {4, 8}) {
    Fabric f;
    f.shape = {.rows = 2, .cols = 1, .lanes = lanes};
    f.messages = route_messages(f.shape);
    const auto load = program_messages(assemble(R"(
        fork p
        join
        halt
p:      li   r1, 1
        csrw VL, r1
        li   r2, 60
        csrr r1, ROW
        beq  r1, r0, send
        vb   in=RING, dst=R[r0]
        vb   in=RING, dst=R[r0]
        vb   in=RING, dst=R[r0]
        halt
send:   snd  RING, r2
        dbnz r2, send
        halt
)",
                                                "x.s"));
    f.messages.insert(f.messages.end(), load.begin(), load.end());
    f.messages.push_back(Message::command(Command::Call, 0, 0));
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, isa::kDepth), f);
    ASSERT_TRUE(rtl && model);
    EXPECT_EQ(same_part(*rtl), same_part(*model)) << lanes << " lanes";
  }
}

/// Room decides when, never what.
TEST(BoundedModel, HasTheBitsOfTheOther) {
  for (const WaferShape& shape :
       {WaferShape{.rows = 3, .cols = 2, .valves = 2}, WaferShape{.rows = 1, .cols = 2, .lanes = 8}}) {
    const Tiny tiny(shape, tiny_model());
    const auto bounded = make_model_wafer(shape, 1, isa::kDepth), free = make_model_wafer(shape);
    for (Wafer* wafer : {bounded.get(), free.get()}) {
      wafer->feed(tiny.plan.load);
      wafer->settle();
      wafer->feed(tiny.messages);
      wafer->await(tiny.totals);
      wafer->settle();
    }
    EXPECT_EQ(bounded->flags(), "");
    for (int row = 0; row < shape.rows; ++row) {
      EXPECT_EQ(bounded->outlet(row), free->outlet(row));
      for (int col = 0; col < shape.cols; ++col)
        EXPECT_EQ(difference(bounded->state(row, col), free->state(row, col)), "");
    }
    bounded->reset();
    bounded->feed(tiny.plan.load);
    bounded->settle();
    EXPECT_EQ(bounded->counters().edge_messages, tiny.plan.load.size() + (shape.valves - 1) * tiny.plan.load.size());
  }
}

}  // namespace
}  // namespace weft::test
