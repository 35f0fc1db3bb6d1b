/// Faults injected into one of two backends: the first instruction that differs is named.
#include "host/inspect/own/first_difference.hpp"

#include <fstream>
#include <iterator>

#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::programs {
namespace {

using inspect::bisect::Finding;
using inspect::own::first_difference;
using inspect::own::text;

/// Each tile computes exp(u) - 1, adds its neighbour's to its own, and does so again.
constexpr const char* kExpTwice = R"(.array u, bf16, 16
.array s, fp32, 16
.kernel main
.reg one, r4
        li    r1, 4
        csrw  VL, r1
        li    r1, 1
        csrw  REP, r1
        li    one, bf16(1)
        li    r2, u
        li    r3, s
        li    r6, 2
again:  vf.exp M[r2], M[r2], S[one], Z
        vf.fma R[r3], M[r2], S[one], Z
        fork  talk
        join
        vf.fma M[r2], S[r0], S[r0], R[r3]
        dbnz  r6, again
        halt
.routine talk
        li    r1, 4
        csrw  VL, r1
        li    r3, s
        csrr  r1, COL
        csrr  r2, COLS
        addi  r2, r2, -1
        beq   r1, r2, hear
        vs.mov own=R[r3], out=east
hear:   beq   r1, r0, done
        vs.add in=east, own=R[r3], dst=R[r3]
done:   halt
)";

Replay exp_run(const char* backend) {
  Session wafer(mesh(2, 3), backend, 1);
  wafer.load(layout_of(kExpTwice, {shift("east", 0, 1)}));
  std::vector<float> u(2 * 3 * 16);
  for (std::size_t n = 0; n < u.size(); ++n) u[n] = -static_cast<float>(n) / 64;
  wafer.set("u", u);
  wafer.set("s", std::vector<float>(u.size()));
  return wafer.replay("main", {}, "check");
}

/// The run with another instruction in one tile.
Replay with_instruction(Replay run, Tile tile, const std::string& instruction, const std::string& other) {
  const std::uint32_t word = assembler::assemble(instruction, "a").words[0];
  const std::uint32_t now = assembler::assemble(other, "b").words[0];
  std::vector<std::uint32_t>& words = run.image.programs[0].program.words;
  const auto at = std::ranges::find(words, word);
  EXPECT_NE(at, words.end());
  const auto command = [&](machine::Command code, std::uint32_t value) {
    run.image.load.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
  };
  run.image.load.push_back(machine::Message::select({tile.row, tile.col}));
  command(machine::Command::Iaddr, static_cast<std::uint32_t>(at - words.begin()));
  command(machine::Command::Ilo, now & 0xffff);
  command(machine::Command::Ihi, now >> 16);
  run.image.load.push_back(machine::Message::select({}));
  auto& state = run.states[static_cast<std::size_t>(tile.row * 3 + tile.col)];
  state.instructions[static_cast<std::size_t>(at - words.begin())] = now;
  return run;
}

TEST(FirstDifference, ThereIsNoneBetweenModelAndRtl) {
  const Replay run = exp_run("model");
  EXPECT_EQ(first_difference(run, run).kind, inspect::bisect::Kind::Nothing);
  EXPECT_EQ(text(first_difference(run, run)), "");
  int asked = 0;
  const Finding ended = first_difference(
      run, with_instruction(run, {0, 0}, "vf.exp M[r2], M[r2], S[r4], Z", "vf.fma M[r2], M[r2], S[r4], Z"),
      [&] { return ++asked == 1; });
  EXPECT_EQ(ended.kind, inspect::bisect::Kind::Nothing);
}

TEST(FirstDifference, NamesTheInstructionThatUsesAWrongEntryOfTheModelsTable) {
  const Replay run = exp_run("rtl");
  const bf16 x = nearest_bf16(-18.0F / 64);  // element 2 of tile 0,1
  bf16& entry = const_cast<bf16&>(model::sfu_table(model::Fn::kExp)[x]);
  entry ^= 1;
  const Finding finding = first_difference(run, run);
  entry ^= 1;
  EXPECT_TRUE(text(finding).starts_with("tile    0,1\nplace   M[0x2] (u[2]) in cycle ")) << text(finding);
  EXPECT_NE(finding.by_a.find("vf.exp M[r2], M[r2], S[r4], Z  again mine.s:13"), std::string::npos) << finding.by_a;
  EXPECT_EQ(finding.by_a, finding.by_b);
  std::ifstream page(WEFT_DOCS "/bisect.md");
  const std::string shown{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(shown.find("```\n" + text(finding) + "```\n"), std::string::npos) << text(finding);
  EXPECT_EQ(std::stoul(finding.a, nullptr, 16) ^ 1, std::stoul(finding.b, nullptr, 16));
}

TEST(FirstDifference, NamesTheTileAtFaultAmongThoseThatItMisleads) {
  const Replay run = exp_run("rtl");
  const std::string add = "vs.add in=RING, own=R[r3], dst=R[r3]", max = "vs.max in=RING, own=R[r3], dst=R[r3]";
  const std::string send = "vs.mov own=R[r3], out=RING", other = "vs.mov own=R[r1], out=RING";
  for (const bool in_rtl : {true, false}) {
    const auto find = [&](const Replay& faulty) {
      return in_rtl ? first_difference(faulty, run) : first_difference(run, faulty);
    };
    const Finding added = find(with_instruction(run, {1, 1}, add, max));
    EXPECT_TRUE(text(added).starts_with("tile    1,1\nplace   R[0] lane 0 (s[0]) in cycle ")) << text(added);
    EXPECT_NE(added.by_a.find("hear+1 mine.s:30"), std::string::npos) << text(added);
    EXPECT_EQ(added.by_a, added.by_b);
    const Finding sent = find(with_instruction(run, {0, 1}, send, other));
    EXPECT_TRUE(text(sent).starts_with("tile    0,1\nplace   sends RING (east) in cycle ")) << text(sent);
    EXPECT_NE(sent.by_b.find("mine.s:28"), std::string::npos) << text(sent);
  }
}

TEST(FirstDifference, NamesTheInstructionThatTheRtlDoesNotExecute) {
  const Replay run = exp_run("rtl");
  const std::string last = "vf.fma M[r2], S[r0], S[r0], R[r3]";
  const std::string found = text(first_difference(with_instruction(run, {1, 1}, last, "halt"), run));
  EXPECT_TRUE(found.starts_with("tile    1,1\nplace   M[0x0] (u[0])\nrtl     nothing\nmodel   ")) << found;
  EXPECT_NE(found.find("main 12: " + last), std::string::npos) << found;
}

}  // namespace
}  // namespace weft::programs
