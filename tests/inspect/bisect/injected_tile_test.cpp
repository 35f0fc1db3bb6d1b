/// Differences injected into the work of tiles.
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "host/inspect/bisect/describe.hpp"
#include "sw/asm/assembler.hpp"
#include "tests/inspect/bisect/injection_places.hpp"
#include "tests/inspect/bisect/sides.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::inspect::bisect {
namespace {

std::string page(const std::string& name) {
  std::ifstream in(WEFT_DOCS "/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(InjectedBug, ARounding) {
  Sides sides(Sides::one_layer());
  const auto x = static_cast<std::size_t>(compiler::find_symbol(sides.plan.arrays, "ln_out")->address);
  const auto flip = [x](const machine::StreamPlace& place, sim::ClockedWafer& rtl) {
    if (place.phase != "h.0.ln_1.affine") return;
    machine::TileState state = rtl.state(2, 1);
    state.memory[x + 1] ^= 1;
    rtl.set_state(2, 1, state);
  };
  const Finding finding =
      sides.against(sides.plan, [&](int) { return std::make_unique<FaultyWafer>(sides.plan.wafer, nullptr, flip); });
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.step, 1u);
  EXPECT_EQ(finding.phase, "h.0.ln_1.affine");
  EXPECT_EQ(finding.row, 2);
  EXPECT_EQ(finding.col, 1);
  EXPECT_EQ(finding.place, fmt::format("M[{:#x}] (ln_out + 1)", x + 1));
  EXPECT_NE(finding.by_a.find(" M["), std::string::npos) << finding.by_a;  // names the writer; no other write occurred
  EXPECT_EQ(finding.by_a, finding.by_b);
  EXPECT_EQ(std::stoul(finding.a, nullptr, 16) ^ 1, std::stoul(finding.b, nullptr, 16));
  EXPECT_EQ(finding.notes.size(), 1u);
}

TEST(InjectedBug, AWordOfTheProgram) {
  Sides sides;
  compiler::Plan other = sides.plan;
  // `vf.fma R[r8], S[r6], R[r10], S[r7]` of mean gets another register for a factor.
  const auto labels = describe(other.load, nullptr, other);
  const auto line = std::ranges::find_if(labels, [](const std::string& s) {
    return s.find("CMD ILO") != std::string::npos && s.find("  mean+7 ") != std::string::npos;
  });
  ASSERT_NE(line, labels.end());
  // The changed word is the low half of `li r7, epsilon` or of an instruction that uses r7.
  other.load[static_cast<std::size_t>(line - labels.begin())].data ^= 1;
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.ln_1");
  EXPECT_NE(finding.by_a.find("layernorm.s:"), std::string::npos) << finding.by_a;
  ASSERT_FALSE(finding.notes.empty());
  EXPECT_NE(finding.notes[0].find(" of load differs before: "), std::string::npos);
  EXPECT_NE(finding.notes[0].find("mean+7"), std::string::npos) << finding.notes[0];
}

/// Every tile of the column receives the wrong word, but only one of them is its origin.
TEST(InjectedBug, AnInstructionOfOneTileAmongThoseThatItMisleads) {
  Sides sides;
  compiler::Plan other = sides.plan;
  const auto lines = describe(other.load, nullptr, other);
  const auto line = std::ranges::find_if(lines, [](const std::string& s) {
    return s.find("CMD ILO") != std::string::npos && s.find("vs.add in=RING, own=Q[r4], out=RING") != std::string::npos;
  });
  ASSERT_NE(line, lines.end());
  const auto address = static_cast<std::uint16_t>(std::stoul(line->substr(line->find("I[") + 2)));
  const std::uint32_t word = *assembler::assemble("vs.max in=RING, own=Q[r4], out=RING\n", "max.s").words.begin();
  const std::uint32_t add = *assembler::assemble("vs.add in=RING, own=Q[r4], out=RING\n", "add.s").words.begin();
  const std::uint32_t now = other.program.words[address] ^ word ^ add;
  other.load.push_back(machine::Message::select({2, 1}));
  other.load.push_back(machine::Message::command(machine::Command::Iaddr, 0, address));
  other.load.push_back(machine::Message::command(machine::Command::Ilo, 0, static_cast<std::uint16_t>(now)));
  other.load.push_back(machine::Message::command(machine::Command::Ihi, 0, static_cast<std::uint16_t>(now >> 16)));
  other.load.push_back(machine::Message::select());
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "embedding");
  EXPECT_EQ(finding.row, 2) << Sides::said();
  EXPECT_EQ(finding.col, 1);
  EXPECT_EQ(finding.place, "sends RING");
  EXPECT_NE(finding.by_a.find("psum " + std::to_string(address) + ": vs.add in=RING"), std::string::npos)
      << Sides::said();
}

/// `side`, run with one changed bit in the model's table of exp. The RTL's table is unchanged.
class OtherTable : public Side {
 public:
  OtherTable(Side& side, bf16 x) : side_(side), entry_(const_cast<bf16&>(model::sfu_table(model::Fn::kExp)[x])) {}
  Steps steps() override {
    const Flip flip(entry_);
    return side_.steps();
  }
  State state(std::uint64_t step) override {
    const Flip flip(entry_);
    return side_.state(step);
  }
  Phases phases(std::uint64_t step) override {
    const Flip flip(entry_);
    return side_.phases(step);
  }
  Phase phase(const Request& request) override {
    const Flip flip(entry_);
    return side_.phase(request);
  }

 private:
  struct Flip {
    explicit Flip(bf16& entry) : entry(entry) { entry ^= 1; }
    ~Flip() { entry ^= 1; }
    Flip(const Flip&) = delete;
    bf16& entry;
  };
  Side& side_;
  bf16& entry_;
};

TEST(InjectedBug, AnEntryOfTheModelsTable) {
  Recorder a(Sides::tiny({})), b(Sides::tiny({}));
  OtherTable other(b, 0xbc80);
  const Finding finding = Sides::find(a, other);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.step, 1u);
  EXPECT_EQ(finding.phase, "h.0.attn");
  EXPECT_NE(finding.place.find("(dprobs + 372)"), std::string::npos) << finding.place;
  EXPECT_NE(page("bisect.md").find("```\n" + Sides::said() + "```\n"), std::string::npos) << Sides::said();
  EXPECT_EQ(finding.a, "3d44 0.04785");
  EXPECT_EQ(finding.b, "3d45 0.0481");
  EXPECT_NE(finding.by_a.find("heads.s:"), std::string::npos) << finding.by_a;
  ASSERT_EQ(finding.notes.size(), 1u);
  EXPECT_NE(finding.notes[0].find("the functional model"), std::string::npos) << finding.notes[0];
  EXPECT_EQ(Sides::find(a, b).kind, Kind::Nothing);  // the table is restored
}

}  // namespace
}  // namespace weft::inspect::bisect
