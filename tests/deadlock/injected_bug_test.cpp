/// The deadlock check finds hangs before a program runs, and certifies programs that do not hang.
#include "tests/deadlock/injected_bug.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sw/deadlock/check.hpp"
#include "tests/deadlock/fabric.hpp"
#include "tests/illegal_words.hpp"
#include "verif/wafer.hpp"

namespace weft::deadlock {
namespace {

/// Input of the check with two phases: routes and programs, then everything from the call on.
Input input_of(const machine::WaferShape& shape, const assembler::Program& program,
               const std::vector<machine::Message>& messages) {
  Input input;
  input.shape = shape;
  input.program = program;
  const auto call = std::ranges::find_if(messages, [](const machine::Message& m) {
    return m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::Call);
  });
  input.phases = {{"load", {messages.begin(), call}, true, {}}, {"run", {call, messages.end()}, true, {}}};
  return input;
}

std::string problem(const Result& result) { return result.phases.back().problem; }

class InjectedBugCheck : public testing::TestWithParam<InjectedBug> {};

TEST_P(InjectedBugCheck, FindsItBeforehand) {
  const InjectedBug& p = GetParam();
  const Result result = check(input_of(p.shape, p.program, p.messages));
  if (!p.check) {
    EXPECT_TRUE(result.certified()) << problem(result);
    return;
  }
  ASSERT_FALSE(result.certified());
  const std::string text = problem(result);
  std::cout << text << "\n";
  const std::string first = text.substr(0, text.find('\n'));
  if (!p.check_at.empty()) {
    EXPECT_EQ(first, p.check_at);
    return;
  }
  const std::string row = std::to_string(p.row), tile = "tile (" + row + "," + std::to_string(p.col) + ")";
  EXPECT_TRUE(first.find(tile) != std::string::npos || first.starts_with("row " + row + " ")) << first;
  // A missing route is reported at the sender, not at the waiting receiver.
  if (p.fault != Fault::NoRoute) {
    EXPECT_NE(first.find(p.at), std::string::npos) << first;
  }
}

INSTANTIATE_TEST_SUITE_P(All, InjectedBugCheck, testing::ValuesIn(injected_hangs()),
                         [](const auto& info) { return info.param.name; });

bool hangs(Wafer& wafer, const std::vector<machine::Message>& messages) {
  try {
    wafer.feed(messages);
    wafer.settle();
    return false;
  } catch (const WaferHang&) {
    return true;
  }
}

TEST(Check, SaysOfRandomFabricsWhatTheRtlDoes) {
  test::Rng rng(test::test_seed());
  int broken = 0;
  for (int i = 0; i < 400; ++i) {
    const Fabric f = random_fabric(rng);
    std::string text = "case " + std::to_string(i) + "\n";
    for (std::size_t t = 0; t < f.sources.size(); ++t) text += "tile " + std::to_string(t) + "\n" + f.sources[t];
    const Result result = check(input_of(f.shape, {}, f.messages));
    const bool hang = hangs(*make_rtl_wafer(f.shape), f.messages);
    if (f.ahead)
      ASSERT_FALSE(result.certified() && hang) << text;
    else
      ASSERT_EQ(result.certified(), !hang) << text << problem(result);
    broken += !result.certified() && !f.ahead;
  }
  std::cout << broken << " of 400 are broken\n";
  EXPECT_GT(broken, 40);
}

/// With shorter links more fabrics hang, never fewer.
TEST(Check, KnowsHowDeepLinksAre) {
  test::Rng rng(test::test_seed());
  int broken[3] = {};
  for (int i = 0; i < 200; ++i) {
    const Fabric f = random_fabric(rng);
    Input input = input_of(f.shape, {}, f.messages);
    bool before = true;
    for (int d = 0; d < 3; ++d) {
      input.depth = 2 << d;
      const bool bad = !check(input).certified();
      EXPECT_TRUE(before || !bad) << "more room, and it hangs";
      before = bad;
      broken[d] += bad;
      const bool hang = hangs(*make_model_wafer(f.shape, 1, input.depth), f.messages);
      EXPECT_TRUE(f.ahead ? bad || !hang : bad == hang);
    }
  }
  std::cout << "depth 2, 4, 8: " << broken[0] << ", " << broken[1] << ", " << broken[2] << " of 200 are broken\n";
  EXPECT_GT(broken[0], broken[2]);
}

TEST(Check, RefusesWhatDependsOnWhatIsComputed) {
  const machine::WaferShape shape{.rows = 1, .cols = 2};
  const auto said = [&](const std::string& source) {
    const assembler::Program program = assembler::assemble(source, "x.s");
    std::vector<machine::Message> messages;
    messages.push_back(machine::Message::command(machine::Command::Iaddr, 0, 0));
    for (const std::uint32_t word : program.words) {
      messages.push_back(machine::Message::command(machine::Command::Ilo, 0, static_cast<std::uint16_t>(word)));
      messages.push_back(machine::Message::command(machine::Command::Ihi, 0, static_cast<std::uint16_t>(word >> 16)));
    }
    for (const auto& [code, value] : {std::pair(machine::Command::Maddr, 8), std::pair(machine::Command::Mdata, 3)})
      messages.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
    messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
    return problem(check(input_of(shape, program, messages)));
  };
  const std::string unknown = "a branch depends on a computed value";
  EXPECT_EQ(said("ld r1, r0, 8\nl: dbnz r1, l\nhalt"), "");
  EXPECT_NE(said("ld r1, r0, 9\nl: dbnz r1, l\nhalt").find("row 0 main at l, x.s:2 `dbnz r1, 1`: " + unknown),
            std::string::npos);
  EXPECT_NE(said("li r2, 1\nli r3, 8\ncsrw VL, r2\ncsrw REP, r2\nvf.fma M[r3], S[r0], S[r0], Z\nld r1, r0, 8\nl: dbnz "
                 "r1, l\nhalt")
                .find(unknown),
            std::string::npos);
  EXPECT_NE(said("csrr r1, FLAGS\nbeq r1, r0, l\nl: halt").find(unknown), std::string::npos);
  EXPECT_EQ(said("csrr r1, COL\nbeq r1, r0, l\nl: halt"), "");
  EXPECT_EQ(said("csrr r1, STR\nbeq r1, r0, l\nl: halt"), "");  // set by CALL
  // vb writes one of two buffers, of 4 elements each here.
  const auto broadcast = [&](int to) {
    return said("fork p\njoin\nhalt\np: li r2, 1\ncsrw VL, r2\nli r3, " + std::to_string(to) +
                "\nvb src=M[r0], dst=M[r3]\nld r1, r0, 8\nl: dbnz r1, l\nhalt");
  };
  for (const int to : {4, 8}) EXPECT_NE(broadcast(to).find(unknown), std::string::npos) << to;
  for (const int to : {0, 12}) EXPECT_EQ(broadcast(to), "") << to;
  EXPECT_NE(said("mvp r1, r0\nfork p\nmvp r1, r0\njoin\nhalt\np: halt").find("psum may still run"), std::string::npos);
}

TEST(Check, FindsInstructionsThatHaltAThread) {
  using isa::Opcode;
  const machine::WaferShape shape{.rows = 1, .cols = 1};
  const auto said = [&](std::uint32_t bad, bool psum) {
    const std::vector<std::uint32_t> words = {
        isa::encode({.op = Opcode::Fork, .target = static_cast<std::uint16_t>(psum ? 3 : 4)}),
        psum ? isa::encode({.op = Opcode::Join}) : bad, isa::encode({.op = Opcode::Halt}), bad,
        isa::encode({.op = Opcode::Halt})};
    std::vector<machine::Message> messages;
    for (const std::uint32_t word : words) {
      messages.push_back(machine::Message::command(machine::Command::Ilo, 0, static_cast<std::uint16_t>(word)));
      messages.push_back(machine::Message::command(machine::Command::Ihi, 0, static_cast<std::uint16_t>(word >> 16)));
    }
    messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
    return problem(check(input_of(shape, {}, messages)));
  };
  for (const isa::Thread thread : {isa::Thread::Main, isa::Thread::Psum})
    for (const std::uint32_t word : test::bad_instructions(thread)) {
      const bool psum = thread == isa::Thread::Psum;
      const bool uses_w = isa::fields_legal(word, thread);
      const std::string expected = uses_w ? "no W" : "an illegal instruction halts the thread";
      EXPECT_NE(said(word, psum).find(expected), std::string::npos)
          << assembler::disassemble(word) << ": " << said(word, psum);
    }
  for (const std::uint32_t word : test::bad_colors(shape.colors))
    EXPECT_NE(said(word, true).find("is not built"), std::string::npos)
        << assembler::disassemble(word) << ": " << said(word, true);
  EXPECT_EQ(said(isa::encode({.op = Opcode::Csrw, .csr = isa::Csr::Rep}), false), "");
  EXPECT_EQ(said(isa::encode({.op = Opcode::Vf, .asel = isa::ASel::MM, .bsel = isa::BSel::MS}), false), "");
}

TEST(Check, FindsWordsThatAreLeftOver) {
  InjectedBug p = injected_hangs().front();
  for (const InjectedBug& q : injected_hangs())
    if (q.name == "WaitsTwice") p = q;
  // A variant of the program in which row 0 sends three words, of which two are taken.
  p.program = assembler::assemble(
      "fork p\njoin\nhalt\np: csrr r1, ROW\nbeq r1, r0, s\nrcv r2, RING\nrcv r3, RING\nhalt\ns: snd RING, r1\nsnd "
      "RING, r1\nsnd RING, r1\nhalt",
      "x.s");
  std::vector<machine::Message> messages;
  for (const machine::Message& m : p.messages) {
    const auto code = static_cast<machine::Command>(m.data >> 24);
    if (code == machine::Command::Select || code == machine::Command::Route) messages.push_back(m);
  }
  messages.push_back(machine::Message::command(machine::Command::Iaddr, 0, 0));
  for (const std::uint32_t word : p.program.words) {
    messages.push_back(machine::Message::command(machine::Command::Ilo, 0, static_cast<std::uint16_t>(word)));
    messages.push_back(machine::Message::command(machine::Command::Ihi, 0, static_cast<std::uint16_t>(word >> 16)));
  }
  messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
  EXPECT_EQ(problem(check(input_of(p.shape, p.program, messages))),
            "words are left over\ntile (1,0): 1 words on RING that no thread takes\ntile (1,1): 1 words on RING that "
            "no thread takes");
}

}  // namespace
}  // namespace weft::deadlock
