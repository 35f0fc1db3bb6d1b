/// Differences injected into the messages to a wafer.
#include "host/inspect/bisect/describe.hpp"
#include "tests/compiler/listed_stream.hpp"
#include "tests/inspect/bisect/injection_places.hpp"
#include "tests/inspect/bisect/sides.hpp"

namespace weft::inspect::bisect {
namespace {

TEST(InjectedBug, AnEntryOfARowsTable) {
  Sides sides;
  compiler::Plan other = sides.plan;
  std::size_t at = other.load.size();  // loaded last, for row 2 only
  while (other.load[--at] != machine::Message::select({.row = 2})) {
  }
  while (!is(other.load[at], machine::Command::Mdata)) ++at;
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

TEST(InjectedBug, AMessageWithAnotherWeight) {
  Sides sides;
  compiler::Plan other = sides.plan;
  std::vector<compiler::StreamEntry>& stream = compiler::listed_entries(other.ops[sides.op("h.0.mlp.c_fc")]);
  const std::size_t at = weight_of(stream, 100);
  const std::uint64_t meant = stream[at].source;
  stream[at].source = stream[weight_of(stream, 200)].source;
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Stream) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.mlp.c_fc");
  EXPECT_EQ(finding.place, "message " + std::to_string(at));
  for (const compiler::TensorInfo& t : sides.plan.tensors) {
    if (meant < t.offset || meant >= t.offset + t.size) continue;
    EXPECT_NE(finding.a.find(element_name(t.name, t.dims, meant - t.offset)), std::string::npos) << finding.a;
  }
}

TEST(InjectedBug, AMessageThatIsMissing) {
  Sides sides;
  compiler::Plan other = sides.plan;
  std::vector<compiler::StreamEntry>& stream = compiler::listed_entries(other.ops[sides.op("h.1.attn.c_proj")]);
  const std::size_t at = weight_of(stream, 50);
  stream.erase(stream.begin() + static_cast<std::ptrdiff_t>(at));
  const Finding finding = sides.against(other);
  EXPECT_EQ(finding.kind, Kind::Stream) << Sides::said();
  EXPECT_EQ(finding.phase, "h.1.attn.c_proj");
  EXPECT_EQ(finding.place, "message " + std::to_string(at));
}

TEST(InjectedBug, AMessageThatTheWaferLoses) {
  Sides sides(Sides::one_layer());
  const auto lose = [](const machine::StreamPlace& place, std::vector<machine::Message>& messages) {
    if (place.phase != "h.0.attn.c_attn.q") return;
    std::size_t n = 0;
    std::erase_if(messages, [&](const machine::Message& m) { return !m.ctrl && n++ == 5; });
  };
  const Finding finding =
      sides.against(sides.plan, [&](int) { return std::make_unique<FaultyWafer>(sides.plan.wafer, lose, nullptr); });
  EXPECT_TRUE(finding.kind == Kind::Tile || finding.kind == Kind::Stopped) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.attn.c_attn.q");
}

TEST(InjectedBug, ARouteThatIsNotThere) {
  Sides sides;
  compiler::Plan other = sides.plan;
  const std::size_t at = find_load(other, [](const machine::Message& m) { return is(m, machine::Command::Route); });
  other.load[at].data = (other.load[at].data & ~31u);  // a route without outputs
  const Finding finding = sides.against(other);
  EXPECT_TRUE(finding.kind == Kind::Stopped || finding.kind == Kind::Tile) << Sides::said();
  ASSERT_FALSE(finding.notes.empty());
  EXPECT_NE(finding.notes[0].find("route RING RAMP"), std::string::npos) << finding.notes[0];
}

/// Both sides are sent the same messages, but one wafer loses a route: the routers' state reveals it.
TEST(InjectedBug, ARouteThatTheWaferLoses) {
  Sides sides;
  const auto lose = [](const machine::StreamPlace& place, std::vector<machine::Message>& messages) {
    if (place.phase != "load") return;
    const auto at =
        std::ranges::find_if(messages, [](const machine::Message& m) { return is(m, machine::Command::Route); });
    if (at != messages.end()) messages.erase(at);
  };
  const Finding finding =
      sides.against(sides.plan, [&](int) { return std::make_unique<FaultyWafer>(sides.plan.wafer, lose, nullptr); });
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "load");
  EXPECT_EQ(finding.place, "routes");
  EXPECT_EQ(finding.a.find("route RING "), 0u) << finding.a;
  EXPECT_NE(finding.a, finding.b);
}

/// The flag is the command's only effect, except that the run ends.
TEST(InjectedBug, ACommandThatSetsAFlag) {
  Sides sides(Sides::one_layer());
  const auto add = [](const machine::StreamPlace& place, std::vector<machine::Message>& messages) {
    if (place.phase == "h.0.mlp.c_fc" && !messages.empty())
      messages.insert(messages.begin(), machine::Message::command(static_cast<machine::Command>(99), 0, 0));
  };
  const Finding finding =
      sides.against(sides.plan, [&](int) { return std::make_unique<FaultyWafer>(sides.plan.wafer, add, nullptr); });
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.mlp.c_fc");
  EXPECT_EQ(finding.place, "sticky flags");
  EXPECT_EQ(finding.a, "none");
  EXPECT_EQ(finding.b, "BAD_COMMAND");
}

}  // namespace
}  // namespace weft::inspect::bisect
