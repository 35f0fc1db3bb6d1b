/// Words of streams: broadcast, gather, path, regions.
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

/// Sends the tile's number, 16 * row + col, if `sends`, and adds the numbers that it takes.
constexpr const char* kNumbers = R"(
.array  got, int16, 1
.kernel main
        fork  both
        halt
.routine both
        csrr  r1, ROW
        shl   r1, r1, 4
        csrr  r2, COL
        add   r1, r1, r2
        li    r3, FROM
        bne   r1, r3, take
        snd   words, r1
        halt
take:   rcv   r4, words
        snd   report, r4
        halt
)";

Stream gather(const std::string& name, const Region& region = {}) {
  return {name, {.kind = Way::Kind::Gather, .step = {}, .tiles = {}}, region, {}};
}

Stream broadcast(const std::string& name, Tile from, const Region& region = {}) {
  return {name, {.kind = Way::Kind::Broadcast, .step = {}, .tiles = {from}}, region, {}};
}

TEST(ProgramStreams, GatherBringsTheWordsOfARowToTheHost) {
  constexpr const char* kText = R"(
.array  u, fp32, 4
.kernel main
        fork  send
        halt
.routine send
        li    r1, 1
        csrw  VL, r1
        li    r2, u
        vs.mov own=R[r2], out=report, gather
        halt
)";
  for (const char* backend : kBackends) {
    Session wafer(mesh(2, 3), backend, 1);
    wafer.load(layout_of(kText, {gather("report")}));
    std::vector<float> u(24);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<float>(i) + 0.001F;
    wafer.set("u", u);
    ASSERT_TRUE(wafer.run("main", {}, true));
    for (std::size_t row = 0; row < 2; ++row) {
      std::vector<float> words;
      for (const std::uint32_t word : wafer.words(static_cast<int>(row))) words.push_back(as_float(word));
      EXPECT_EQ(words, std::vector<float>(u.begin() + static_cast<std::ptrdiff_t>(row * 12),
                                          u.begin() + static_cast<std::ptrdiff_t>(row * 12 + 12)));
    }
    EXPECT_EQ(wafer.floats("u"), u);
  }
}

/// The column of tiles that reports to the host in these tests.
constexpr const char* kBroadcast = R"(
.kernel main
        fork  both
        halt
.routine both
        csrr  r1, ROW
        csrr  r2, COL
        shl   r3, r1, 4
        add   r3, r3, r2
        li    r4, FROM
        bne   r3, r4, take
        addi  r5, r3, 100
        snd   words, r5
        jmp   last
take:   rcv   r5, words
last:   bne   r2, r0, done                ; column 0 alone reports
        snd   report, r5
done:   halt
)";

TEST(ProgramStreams, BroadcastReachesAllTiles) {
  for (const char* backend : kBackends)
    for (const Tile from : {Tile{0, 0}, Tile{1, 2}, Tile{2, 3}, Tile{2, 0}}) {
      Session wafer(mesh(3, 4), backend, 1);
      wafer.load(layout_of(kBroadcast, {broadcast("words", from), gather("report", {0, 0, 3, 1})},
                           {{"FROM", 16 * from.row + from.col}}));
      ASSERT_TRUE(wafer.run("main", {}, true));
      for (int row = 0; row < 3; ++row)
        EXPECT_EQ(wafer.words(row),
                  std::vector<std::uint32_t>{static_cast<std::uint32_t>(16 * from.row + from.col + 100)});
    }
}

TEST(ProgramStreams, ChainOfAdditionsSumsTheVectorsOfARow) {
  constexpr const char* kText = R"(
.array  u, fp32, 8
.kernel main
        fork  add
        halt
.routine add
        li    r1, 2
        csrw  VL, r1
        li    r2, u
        csrr  r3, COL
        csrr  r4, COLS
        addi  r4, r4, -1
        beq   r3, r4, first
        beq   r3, r0, last
        vs.add in=sum, own=R[r2], out=sum
        halt
first:  vs.mov own=R[r2], out=sum
        halt
last:   vs.add in=sum, own=R[r2], dst=R[r2]
        halt
)";
  for (const char* backend : kBackends) {
    Session wafer(mesh(2, 4), backend, 1);
    wafer.load(layout_of(kText, {shift("sum", 0, -1)}));
    std::vector<float> u(64);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<float>(i * i);
    wafer.set("u", u);
    ASSERT_TRUE(wafer.run("main", {}, true));
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t col = 1; col < 4; ++col) u[row * 32 + i] += u[row * 32 + col * 8 + i];
    EXPECT_EQ(wafer.floats("u"), u) << backend;
  }
}

TEST(ProgramStreams, PathLeadsFromItsFirstTileToItsLast) {
  for (const char* backend : kBackends) {
    Session wafer(mesh(2, 3), backend, 1);
    Layout layout = layout_of(
        kNumbers,
        {{"words", {.kind = Way::Kind::Path, .step = {}, .tiles = {{0, 2}, {1, 2}, {1, 1}, {0, 1}, {0, 0}}}, {}, {}},
         gather("report", {0, 0, 1, 1})},
        {{"FROM", 2}});
    layout.programs[0].region = {0, 0, 1, 1};
    layout.programs.push_back(
        {"other.s", ".kernel main\n fork p\n halt\np: li r1, 77\n snd words, r1\n halt\n", {}, {0, 2, 1, 1}});
    wafer.load(layout);
    ASSERT_TRUE(wafer.run("main", {}, true));
    EXPECT_EQ(wafer.words(0), std::vector<std::uint32_t>{77});
    EXPECT_TRUE(wafer.words(1).empty());
  }
}

TEST(ProgramStreams, RegionsApartShareAColor) {
  const machine::WaferShape shape = mesh(4, 4);
  Layout layout = layout_of(".kernel main\n fork p\n halt\np: snd a, r1\n snd b, r1\n rcv r1, a\n rcv r1, b\n halt\n");
  for (const char* name : {"a", "b"}) {
    layout.streams.push_back(shift(name, 0, 1));
    layout.streams.back().region = {name[0] == 'a' ? 0 : 2, 0, 2, 4};
  }
  const Image image = build(layout, shape);
  EXPECT_EQ(image.streams[0].color, 1);
  EXPECT_EQ(image.streams[1].color, 1);
}

}  // namespace
}  // namespace weft::programs
