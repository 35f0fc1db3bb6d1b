/// Ten differences are planted, each is found where it is.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>

#include "host/checkpoint/checkpoint.hpp"
#include "host/look/bisect/describe.hpp"
#include "tests/appliance/temporary_folder.hpp"
#include "tests/look/bisect/sides.hpp"

namespace weft {
namespace {

using bisect::Finding;
using bisect::Kind;

bool is(const Message& m, Command code) { return m.ctrl && m.data >> 24 == static_cast<unsigned>(code); }

/// The n-th message of a load of which `wanted` is true.
template <class Wanted>
std::size_t find_load(const Plan& plan, Wanted wanted) {
  const auto at = std::ranges::find_if(plan.load, wanted);
  if (at == plan.load.end()) throw std::invalid_argument("no such message");
  return static_cast<std::size_t>(at - plan.load.begin());
}

/// The n-th message of an op's stream that is a weight.
std::size_t weight_of(const Op& op, std::size_t n) {
  for (std::size_t i = 0; i < op.stream.size(); ++i)
    if (op.stream[i].source < StreamEntry::kLiteral && n-- == 0) return i;
  throw std::invalid_argument("no such weight");
}

TEST(Planted, ABitOfAWeightInACheckpoint) {
  const TemporaryFolder folder;
  Sides sides;
  const TensorInfo& tensor = sides.plan.tensors[5];
  bisect::Recorder recorder(sides.config);
  std::vector<float> weights(sides.plan.parameters, 0.25F), moments(sides.plan.parameters, 0.0F);
  const auto write = [&](const char* name) {
    save_checkpoint((folder.path() / name).string(), sides.plan.tensors,
                    {.step = 0,
                     .weights = weights,
                     .first_moments = moments,
                     .second_moments = moments,
                     .mask = nullptr,
                     .about = {}});
    return (folder.path() / name).string();
  };
  const std::string good = write("good.safetensors");
  const std::size_t at = tensor.offset + 3;
  weights[at] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(weights[at]) ^ 1u);
  const std::string bad = write("bad.safetensors");
  bisect::Recorder a(Sides::tiny({{"runconfig.checkpoint_path", good}})),
      b(Sides::tiny({{"runconfig.checkpoint_path", bad}}));
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Start) << Sides::said();
  EXPECT_EQ(finding.place, bisect::element_name(tensor.name, tensor.dims, 3));
  EXPECT_EQ(finding.a, "3e800000 0.25");
  EXPECT_EQ(finding.b, "3e800001 0.25");
}

TEST(Planted, TheOptimizersEpsilon) {
  const Finding finding = Sides().against({{"optimizer.eps", "1.0e-7"}});
  EXPECT_EQ(finding.kind, Kind::Update) << Sides::said();
  EXPECT_EQ(finding.step, 1u);
  EXPECT_EQ(finding.place.find("wte.weight["), 0u) << finding.place;
}

TEST(Planted, ALearningRateOfALaterStep) {
  const std::vector<Override> three = {{"runconfig.num_steps", "4"}};
  const char* late =
      "[{scheduler: Linear, initial_learning_rate: 2.5e-4, end_learning_rate: 1.0e-3, total_iters: 2}, "
      "{scheduler: Constant, learning_rate: 1.0e-3}]";
  const char* later =
      "[{scheduler: Linear, initial_learning_rate: 2.5e-4, end_learning_rate: 1.0e-3, total_iters: 2}, "
      "{scheduler: Constant, learning_rate: 2.0e-3}]";
  bisect::Recorder a(Sides::tiny({three[0], {"optimizer.learning_rate", late}}));
  bisect::Recorder b(Sides::tiny({three[0], {"optimizer.learning_rate", later}}));
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Update) << Sides::said();
  EXPECT_EQ(finding.step, 3u);
}

TEST(Planted, ATokenOfTheSecondStep) {
  const TemporaryFolder folder;
  std::string text;
  for (int n = 0; n < 400; ++n) text += "the wafer streams weights ";
  const auto write = [&](const char* name) {
    std::ofstream(folder.path() / name) << text;
    return Override{"train_input.data_dir", (folder.path() / name).string()};
  };
  const std::vector<Override> more = {{"runconfig.num_steps", "3"}, {"train_input.shuffle", "false"}};
  const Override good = write("good.txt");
  text[4 * 32 + 40] = text[4 * 32 + 40] == 'e' ? 't' : 'e';  // of the second step's second sequence
  const Override bad = write("bad.txt");
  bisect::Recorder a(Sides::tiny({more[0], more[1], good})), b(Sides::tiny({more[0], more[1], bad}));
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.step, 2u);
  EXPECT_EQ(finding.phase, "tokens");
}

TEST(Planted, AnEntryOfARowsTable) {
  Sides sides;
  Plan other = sides.plan;
  std::size_t at = other.load.size();  // what is loaded last for row 2 alone
  while (!is(other.load[--at], Command::Select) || (other.load[at].data & 0xffff) != 0x02ff) {
  }
  while (!is(other.load[at], Command::Mdata)) ++at;
  other.load[at].data ^= 1;
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "load");
  EXPECT_EQ(finding.row, 2);
  EXPECT_EQ(finding.place.find("M[0x"), 0u) << finding.place;
  EXPECT_EQ(finding.by_a, "command");
  ASSERT_EQ(finding.notes.size(), 1u);
  EXPECT_NE(finding.notes[0].find("message " + std::to_string(at)), std::string::npos) << finding.notes[0];
}

TEST(Planted, ARounding) {
  Sides sides;
  const auto x = static_cast<std::size_t>(find_symbol(sides.plan.arrays, "ln_out")->address);
  const auto flip = [x](const StreamPlace& place, ClockedWafer& rtl) {
    if (place.phase != "h.0.ln_1.affine") return;
    TileState state = rtl.state(2, 1);
    state.memory[x + 1] ^= 1;
    rtl.put(2, 1, state);
  };
  const Finding finding =
      sides.against(sides.plan, [&](int) { return std::make_unique<FaultyWafer>(sides.plan.wafer, nullptr, flip); });
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.step, 1u);
  EXPECT_EQ(finding.phase, "h.0.ln_1.affine");
  EXPECT_EQ(finding.row, 2);
  EXPECT_EQ(finding.col, 1);
  EXPECT_EQ(finding.place, fmt::format("M[{:#x}] (ln_out + 1)", x + 1));
  EXPECT_NE(finding.by_a.find(" M["), std::string::npos) << finding.by_a;  // who wrote it, and nobody wrote another
  EXPECT_EQ(finding.by_a, finding.by_b);
  EXPECT_EQ(std::stoul(finding.a, nullptr, 16) ^ 1, std::stoul(finding.b, nullptr, 16));
  EXPECT_EQ(finding.notes.size(), 1u);
}

TEST(Planted, AMessageWithAnotherWeight) {
  Sides sides;
  Plan other = sides.plan;
  Op& op = other.ops[sides.op("h.0.mlp.c_fc")];
  const std::size_t at = weight_of(op, 100);
  const std::uint32_t meant = op.stream[at].source;
  op.stream[at].source = op.stream[weight_of(op, 200)].source;
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Stream) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.mlp.c_fc");
  EXPECT_EQ(finding.place, "message " + std::to_string(at));
  for (const TensorInfo& t : sides.plan.tensors) {
    if (meant < t.offset || meant >= t.offset + t.size) continue;
    EXPECT_NE(finding.a.find(bisect::element_name(t.name, t.dims, meant - t.offset)), std::string::npos) << finding.a;
  }
}

TEST(Planted, AMessageThatIsMissing) {
  Sides sides;
  Plan other = sides.plan;
  Op& op = other.ops[sides.op("h.1.attn.c_proj")];
  const std::size_t at = weight_of(op, 50);
  op.stream.erase(op.stream.begin() + static_cast<std::ptrdiff_t>(at));
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Stream) << Sides::said();
  EXPECT_EQ(finding.phase, "h.1.attn.c_proj");
  EXPECT_EQ(finding.place, "message " + std::to_string(at));
}

TEST(Planted, AMessageThatTheWaferLoses) {
  Sides sides;
  const auto lose = [](const StreamPlace& place, std::vector<Message>& messages) {
    if (place.phase != "h.0.attn.c_attn.q") return;
    std::size_t n = 0;
    std::erase_if(messages, [&](const Message& m) { return !m.ctrl && n++ == 5; });
  };
  const Finding finding =
      sides.against(sides.plan, [&](int) { return std::make_unique<FaultyWafer>(sides.plan.wafer, lose, nullptr); });
  EXPECT_TRUE(finding.kind == Kind::Tile || finding.kind == Kind::Stopped) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.attn.c_attn.q");
}

TEST(Planted, AWordOfTheProgram) {
  Sides sides;
  Plan other = sides.plan;
  // `vf.fma R[r8], S[r6], R[r10], S[r7]` of mean: another register for a factor.
  const auto labels = bisect::describe(other.load, nullptr, other);
  const auto line = std::ranges::find_if(labels, [](const std::string& s) {
    return s.find("CMD ILO") != std::string::npos && s.find("  mean+7 ") != std::string::npos;
  });
  ASSERT_NE(line, labels.end());
  // It is `li r7, epsilon`, or what uses it: its low half is what is loaded.
  other.load[static_cast<std::size_t>(line - labels.begin())].data ^= 1;
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.ln_1");
  EXPECT_NE(finding.by_a.find("layernorm.s:"), std::string::npos) << finding.by_a;
  ASSERT_FALSE(finding.notes.empty());
  EXPECT_NE(finding.notes[0].find(" of load differs before: "), std::string::npos);
  EXPECT_NE(finding.notes[0].find("mean+7"), std::string::npos) << finding.notes[0];
}

/// Every tile of the column gets what it sends: that is not where it came from.
TEST(Planted, AnInstructionOfOneTileAmongThoseThatItMisleads) {
  Sides sides;
  Plan other = sides.plan;
  const auto lines = bisect::describe(other.load, nullptr, other);
  const auto line = std::ranges::find_if(lines, [](const std::string& s) {
    return s.find("CMD ILO") != std::string::npos && s.find("vs.add in=RING, own=Q[r4], out=RING") != std::string::npos;
  });
  ASSERT_NE(line, lines.end());
  const auto address = static_cast<std::uint16_t>(std::stoul(line->substr(line->find("I[") + 2)));
  const std::uint32_t word = *assemble("vs.max in=RING, own=Q[r4], out=RING\n", "max.s").words.begin();
  const std::uint32_t add = *assemble("vs.add in=RING, own=Q[r4], out=RING\n", "add.s").words.begin();
  const std::uint32_t now = other.program.words[address] ^ word ^ add;
  other.load.push_back(Message::command(Command::Select, 0, 2 << 8 | 1));
  other.load.push_back(Message::command(Command::Iaddr, 0, address));
  other.load.push_back(Message::command(Command::Ilo, 0, static_cast<std::uint16_t>(now)));
  other.load.push_back(Message::command(Command::Ihi, 0, static_cast<std::uint16_t>(now >> 16)));
  other.load.push_back(Message::command(Command::Select, 0, 0xffff));
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "embedding");
  EXPECT_EQ(finding.row, 2) << Sides::said();
  EXPECT_EQ(finding.col, 1);
  EXPECT_EQ(finding.place, "sends RING");
  EXPECT_NE(finding.by_a.find("psum " + std::to_string(address) + ": vs.add in=RING"), std::string::npos)
      << Sides::said();
}

TEST(Planted, ARouteThatIsNotThere) {
  Sides sides;
  Plan other = sides.plan;
  const std::size_t at = find_load(other, [](const Message& m) { return is(m, Command::Route); });
  other.load[at].data = (other.load[at].data & ~31u);  // to nowhere
  const Finding finding = sides.against(other);
  EXPECT_TRUE(finding.kind == Kind::Stopped || finding.kind == Kind::Tile) << Sides::said();
  ASSERT_FALSE(finding.notes.empty());
  EXPECT_NE(finding.notes[0].find("route RING RAMP"), std::string::npos) << finding.notes[0];
}

}  // namespace
}  // namespace weft
