/// Programs that rows in step cannot run: tiles with programs of their own, any routes, exchanges with all neighbours.
#include <array>

#include "tests/model/both.hpp"
#include "tests/random.hpp"

namespace weft {
namespace {

using isa::Port;

constexpr int out(Port port) { return 1 << static_cast<int>(port); }

/// The route of one tile (255: of all).
void route(Rig& rig, int row, int col, int color, Port from, int outputs) {
  rig.select(row, col).command(Command::Route, 0, color << 11 | static_cast<int>(from) << 8 | outputs);
  rig.select(255, 255);
}

/// What running the rig says.
std::string failure(Rig& rig) {
  try {
    rig.go();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::uint16_t main_register(const Rig& rig, int row, int col, int r) {
  return rig.wafer->state(row, col).main.registers[static_cast<std::size_t>(r)];
}
std::uint16_t psum_register(const Rig& rig, int row, int col, int r) {
  return rig.wafer->state(row, col).psum.registers[static_cast<std::size_t>(r)];
}

TEST(Tiles, EachHasAProgramOfItsOwn) {
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 3; ++col) {
      rig.select(row, col).load("main: li r1, " + std::to_string(10 * row + col) + "\nhalt");
      rig.reg(2, row + col).call("main");
    }
  rig.go();
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 3; ++col) {
      EXPECT_EQ(main_register(rig, row, col, 1), 10 * row + col);
      EXPECT_EQ(main_register(rig, row, col, 2), row + col);
    }
  EXPECT_FALSE(model(*rig.wafer).in_step());
}

TEST(Tiles, BranchOnTheirOwnMemory) {
  Rig rig({.rows = 1, .cols = 4, .sram_kib = 1});
  for (int col = 0; col < 4; ++col) rig.store(0, col, 8, {static_cast<std::uint16_t>(3 * col)});
  rig.load("main: ld r1, r0, 8\nli r2, 0\nmore: beq r1, r0, end\naddi r2, r2, 7\ndbnz r1, more\nend: halt")
      .call("main");
  rig.go();
  for (int col = 0; col < 4; ++col) EXPECT_EQ(main_register(rig, 0, col, 2), 21 * col);
  EXPECT_EQ(rig.wafer->counters().beats, 4U);
}

TEST(Tiles, AddUpAlongTheRow) {
  // As long as the rows send 0 they are in step; each adds something of its own.
  Rig rig({.rows = 3, .cols = 5, .sram_kib = 1});
  rig.load(R"(
main:   fork p
        join
        halt
p:      csrr r1, ROW
        addi r1, r1, 100
        csrr r3, COL
        shl  r3, r3, 10
        add  r1, r1, r3
        rcv  r2, WEST
        add  r1, r1, r2
        snd  WEST, r1
        halt)");
  rig.call("main").go();
  for (int row = 0; row < 3; ++row)
    EXPECT_EQ(rig.wafer->outlet(row), std::vector<std::uint32_t>{5u * (100 + row) + (10 << 10)});
}

TEST(Tiles, CountColumnsThoughNoneKnowsItsOwn) {
  Rig rig({.rows = 2, .cols = 5, .sram_kib = 1});  // what rcv gives cannot be 0 in all columns
  rig.load("main: fork p\njoin\nhalt\np: rcv r1, WEST\naddi r1, r1, 1\nsnd WEST, r1\nhalt").call("main").go();
  EXPECT_EQ(rig.wafer->outlet(1), std::vector<std::uint32_t>{5});
  for (int col = 0; col < 5; ++col) EXPECT_EQ(psum_register(rig, 0, col, 1), 5 - col);
}

TEST(Tiles, SendWestWithoutATakenWord) {
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  rig.load("main: fork p\njoin\nhalt\np: snd WEST, r0\nli r1, 9\nsnd WEST, r1\nrcv r2, WEST\nrcv r2, WEST\nhalt");
  rig.call("main").go();
  EXPECT_EQ(rig.wafer->outlet(1), (std::vector<std::uint32_t>{0, 9}));
  for (int col = 0; col < 3; ++col) EXPECT_EQ(psum_register(rig, 0, col, 2), col < 2 ? 9 : 0);
}

TEST(Tiles, TakeWordsThatDiffer) {
  // Columns of row 1 send what they have; a rcv of row 0 is the first that must not be done in step.
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  for (int col = 0; col < 3; ++col) rig.store(1, col, 0, {static_cast<std::uint16_t>(col + 40), 0, 7, 0});
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, ROW\nbne r1, r0, send\nrcv r2, RING\nrcv r3, RING\nhalt\n"
      "send: li r1, 1\ncsrw VL, r1\nvb src=M[r0], out=RING, dst=R[r0]\nhalt");
  rig.call("main").go();
  for (int col = 0; col < 3; ++col) {
    EXPECT_EQ(psum_register(rig, 0, col, 2), col + 40);
    EXPECT_EQ(psum_register(rig, 0, col, 3), 7);
  }
}

TEST(Tiles, AChainThatLacksARouteIsNone) {
  constexpr WaferShape kShape{.rows = 3, .cols = 3, .sram_kib = 1};
  const struct {
    int color, row;
    Port port;
    std::string flags;
  } cases[] = {{1, 0, Port::Ramp, "row 0 NO_ROUTE"},
               {1, 1, Port::N, "row 1 NO_ROUTE"},
               {1, 1, Port::S, "row 1 NO_ROUTE"},
               {1, 0, Port::S, "row 0 NO_ROUTE"},
               {1, 2, Port::N, "row 2 NO_ROUTE"},
               {1, 2, Port::Ramp, "row 2 NO_ROUTE"},
               {2, 1, Port::Ramp, "row 1 NO_ROUTE"},
               {2, 1, Port::S, "row 1 NO_ROUTE"},
               {2, 0, Port::S, "row 0 NO_ROUTE"},
               {3, 1, Port::Ramp, "row 1 NO_ROUTE"},
               {3, 1, Port::E, "row 1 column 0 NO_ROUTE, row 1 column 1 NO_ROUTE"}};
  for (const auto& c : cases) {
    SCOPED_TRACE(testing::Message() << "color " << c.color << ", row " << c.row << ", port "
                                    << static_cast<int>(c.port));
    Rig rig(kShape);
    route(rig, c.row, 255, c.color, c.port, 0);
    std::string source = "main: fork p\nhalt\np: li r1, 1\ncsrw VL, r1\ncsrr r1, ROW\n";
    if (c.color == 1) source += "snd RING, r1\nhalt";
    if (c.color == 2) source += "beq r1, r0, end\nsnd NORTH, r1\nend: halt";
    if (c.color == 3) source += "vs.mov own=R[r0], out=WEST, gather\nhalt";
    rig.load(source).call("main").feed();
    EXPECT_EQ(rig.wafer->flags(), c.flags);
    EXPECT_FALSE(model(*rig.wafer).in_step());
  }
}

TEST(Tiles, ATreeThatTurnsReachesAll) {
  // From one tile along its row, from there north and south.
  constexpr WaferShape kShape{.rows = 4, .cols = 5, .sram_kib = 1, .colors = 8};
  constexpr int kRow = 1, kCol = 2, kColor = 6;
  Rig rig(kShape);
  const int ramp = out(Port::Ramp), both = out(Port::N) | out(Port::S);
  const auto inside = [&](int row, int col, int outputs) {  // without what leads off the wafer
    if (row == 0) outputs &= ~out(Port::N);
    if (row == kShape.rows - 1) outputs &= ~out(Port::S);
    if (col == 0) outputs &= ~out(Port::W);
    return col == kShape.cols - 1 ? outputs & ~out(Port::E) : outputs;
  };
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col) {
      const auto set = [&](Port from, int to) { route(rig, row, col, kColor, from, inside(row, col, to)); };
      if (row < kRow) set(Port::S, out(Port::N) | ramp);
      if (row > kRow) set(Port::N, out(Port::S) | ramp);
      if (row == kRow && col > kCol) set(Port::W, out(Port::E) | both | ramp);
      if (row == kRow && col < kCol) set(Port::E, out(Port::W) | both | ramp);
      if (row == kRow && col == kCol) set(Port::Ramp, out(Port::E) | out(Port::W) | both | ramp);  // itself, too
    }
  std::vector<std::uint16_t> memory;
  for (int e = 0; e < 9; ++e) memory.push_back(static_cast<std::uint16_t>(0x4000 + e));
  rig.store(kRow, kCol, 0, memory);
  rig.load(R"(
main:   fork p
        join
        halt
p:      li   r3, 2
        csrw VL, r3
        li   r4, 32
        li   r1, 1
        csrr r2, ROW
        bne  r1, r2, take
        li   r1, 2
        csrr r2, COL
        bne  r1, r2, take
        ld   r1, r0, 8
        snd  6, r1
        vb   src=M[r0], out=6, dst=R[r0]
take:   rcv  r1, 6
        vb   in=6, dst=R[r4]
        halt)");
  rig.call("main").go();
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col) {
      EXPECT_EQ(psum_register(rig, row, col, 1), memory[8]);
      const bool sender = row == kRow && col == kCol;  // whose second vb has the other parity
      const auto r = rig.wafer->state(row, col).accumulators;
      for (std::size_t e = 0; e < 8; ++e)
        EXPECT_EQ(r[(sender ? 34 : 32) * 4 + e], std::uint32_t{memory[e]} << 16) << row << " " << col;
    }
  EXPECT_EQ(rig.wafer->flags(), "");
}

/// A value a tile; in each step it becomes the sum of itself and its neighbours.
class Stencil {
 public:
  Stencil(int rows, int cols) : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols)) {}
  std::uint16_t& at(int row, int col) { return values_[static_cast<std::size_t>(row * cols_ + col)]; }
  std::uint16_t get(int row, int col) const {
    return row < 0 || row >= rows_ || col < 0 || col >= cols_ ? 0
                                                              : values_[static_cast<std::size_t>(row * cols_ + col)];
  }
  void step() {
    const Stencil old = *this;
    for (int row = 0; row < rows_; ++row)
      for (int col = 0; col < cols_; ++col)
        at(row, col) = static_cast<std::uint16_t>(old.get(row, col) + old.get(row - 1, col) + old.get(row + 1, col) +
                                                  old.get(row, col - 1) + old.get(row, col + 1));
  }

 private:
  int rows_, cols_;
  std::vector<std::uint16_t> values_;
};

TEST(Tiles, AStencilTalksToAllNeighbours) {
  constexpr WaferShape kShape{.rows = 3, .cols = 4, .sram_kib = 1, .colors = 8};
  constexpr int kSteps = 9;
  const struct {
    int color;
    Port to, from;
    int row, col;  // step
  } ways[] = {{4, Port::E, Port::W, 0, 1},
              {5, Port::W, Port::E, 0, -1},
              {6, Port::N, Port::S, -1, 0},
              {7, Port::S, Port::N, 1, 0}};
  test::Dice dice(test::test_seed());
  Stencil plain(kShape.rows, kShape.cols);
  Rig rig(kShape);
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col) {
      const auto exists = [&](int r, int c) { return r >= 0 && r < kShape.rows && c >= 0 && c < kShape.cols; };
      for (const auto& way : ways) {
        if (exists(row + way.row, col + way.col)) route(rig, row, col, way.color, Port::Ramp, out(way.to));
        if (exists(row - way.row, col - way.col)) route(rig, row, col, way.color, way.from, out(Port::Ramp));
      }
      plain.at(row, col) = static_cast<std::uint16_t>(dice.next());
      rig.store(row, col, 0, {plain.at(row, col)});
    }
  rig.load(R"(
main:   mvp  r2, r1
        fork p
        join
        halt
p:      ld   r1, r0, 0
        csrr r5, COL            ; a neighbour is there: west, east, north, south
        csrr r6, COLS
        sub  r6, r6, r5
        addi r6, r6, 0xffff
        csrr r7, ROW
        csrr r8, ROWS
        sub  r8, r8, r7
        addi r8, r8, 0xffff
step:   beq  r6, r0, s1
        snd  4, r1
s1:     beq  r5, r0, s2
        snd  5, r1
s2:     beq  r7, r0, s3
        snd  6, r1
s3:     beq  r8, r0, s4
        snd  7, r1
s4:     beq  r5, r0, t1
        rcv  r10, 4
        add  r1, r1, r10
t1:     beq  r6, r0, t2
        rcv  r10, 5
        add  r1, r1, r10
t2:     beq  r8, r0, t3
        rcv  r10, 6
        add  r1, r1, r10
t3:     beq  r7, r0, t4
        rcv  r10, 7
        add  r1, r1, r10
t4:     dbnz r2, step
        halt)");
  rig.reg(1, kSteps).call("main").go(7);
  for (int n = 0; n < kSteps; ++n) plain.step();
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col)
      EXPECT_EQ(psum_register(rig, row, col, 1), plain.get(row, col)) << row << " " << col;
  EXPECT_EQ(rig.wafer->flags(), "");
}

// Status, a gathered vector, sums of dot products: along the color COLOR.
constexpr std::string_view kAlongTheRow = R"(
main:   li   r1, 2
        csrw VL, r1
        csrw REP, r0
        li   r1, 64
        csrw STA, r1
        li   r1, 3
        csrw LMASK, r1
        li   r2, 32
        fork psum
        li   r3, 64
        vdot R[r3], M[r0], R[r2]
        join
        halt
psum:   li   r1, 2
        csrw VL, r1
        li   r2, 32
        vb   src=M[r0], dst=R[r2]
        vs.mov own=R[r2], in=COLOR, out=COLOR, gather
        li   r3, 64
        vr   in=COLOR, out=COLOR, src=R[r3]
        halt
)";

TEST(Tiles, AnyColorMayGoAlongTheRow) {
  constexpr WaferShape kShape{.rows = 2, .cols = 5, .sram_kib = 2, .colors = 6};
  const auto run = [&](int color) {
    Rig rig(kShape);
    test::Dice dice(1);
    route(rig, 255, 255, 5, Port::Ramp, out(Port::W));
    route(rig, 255, 255, 5, Port::E, out(Port::Ramp));
    for (int row = 0; row < 2; ++row)
      for (int col = 0; col < 5; ++col) {
        std::vector<std::uint16_t> x(512);
        for (auto& e : x) e = static_cast<std::uint16_t>(dice.below(2) << 15 | (0x3c00 + dice.below(0x800)));
        rig.store(row, col, 0, x);
      }
    std::string source(kAlongTheRow);
    for (std::size_t at; (at = source.find("COLOR")) != std::string::npos;)
      source.replace(at, 5, color == 3 ? "WEST" : std::to_string(color));
    for (std::size_t at; (at = source.find("in=WEST, out=WEST, gather")) != std::string::npos;)
      source.replace(at, 25, "out=WEST, gather");
    for (std::size_t at; (at = source.find("in=5, out=5, gather")) != std::string::npos;)
      source.replace(at, 19, "out=5, gather");
    rig.load(source).call("main");
    for (int i = 0; i < 2 * 20; ++i) rig.weight((i % 2) << 15 | i / 2 % 4, 0);
    rig.cr().go();
    EXPECT_EQ(model(*rig.wafer).in_step(), color == 3);
    EXPECT_EQ(rig.wafer->outlet(0).size(), 5U * 8 + 20);
    return std::make_pair(rig.wafer->outlet(0), rig.wafer->outlet(1));
  };
  EXPECT_EQ(run(3), run(5));
}

TEST(Tiles, AMessageEndsWhereThereIsNoRoute) {
  Rig rig({.rows = 1, .cols = 4, .sram_kib = 1, .colors = 5});
  route(rig, 0, 0, 4, Port::Ramp, out(Port::E));
  route(rig, 0, 1, 4, Port::W, out(Port::E) | out(Port::Ramp));
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, COL\nbne r1, r0, take\nli r1, 7\nsnd 4, r1\nhalt\n"
      "take: li r2, 1\nbne r1, r2, end\nrcv r3, 4\nend: halt");
  rig.call("main").go();
  EXPECT_EQ(psum_register(rig, 0, 1, 3), 7);
  EXPECT_EQ(rig.wafer->flags(), "row 0 column 2 NO_ROUTE");
}

TEST(Tiles, ALoopOfRoutesIsRefused) {
  Rig rig({.rows = 2, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 0, 4, Port::Ramp, out(Port::E));
  route(rig, 0, 1, 4, Port::W, out(Port::S));
  route(rig, 1, 1, 4, Port::N, out(Port::W));
  route(rig, 1, 0, 4, Port::E, out(Port::N));
  route(rig, 0, 0, 4, Port::S, out(Port::E) | out(Port::Ramp));
  rig.load("main: fork p\njoin\nhalt\np: snd 4, r0\nhalt").select(0, 0).call("main");
  EXPECT_EQ(failure(rig),
            "row 0 column 1: a message on color 4 from row 0 column 0 comes here twice. HINT: the routes of "
            "a color must be a tree for each sender");
}

TEST(Tiles, TwoWaysToOneTileAreRefused) {
  Rig rig({.rows = 2, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 0, 4, Port::Ramp, out(Port::E) | out(Port::S));
  route(rig, 0, 1, 4, Port::W, out(Port::S));
  route(rig, 1, 0, 4, Port::N, out(Port::E));
  route(rig, 1, 1, 4, Port::N, out(Port::Ramp));
  route(rig, 1, 1, 4, Port::W, out(Port::Ramp));
  rig.load("main: fork p\njoin\nhalt\np: snd 4, r0\nhalt").select(0, 0).call("main");
  EXPECT_TRUE(contains(failure(rig), "row 1 column 1: a message on color 4 from row 0 column 0 comes here twice"));
}

/// Columns 0 and 2 send to column 1 on color 4; column 1 lets them by turns, or, without a turn, both at once.
std::string merge(bool turns, std::vector<std::uint16_t>* got = nullptr) {
  Rig rig({.rows = 1, .cols = 3, .sram_kib = 1, .colors = 6});
  route(rig, 0, 0, 4, Port::Ramp, out(Port::E));
  route(rig, 0, 2, 4, Port::Ramp, out(Port::W));
  route(rig, 0, 1, 4, Port::W, out(Port::Ramp));
  route(rig, 0, 1, 4, Port::E, out(Port::Ramp));
  route(rig, 0, 1, 5, Port::Ramp, out(Port::E));
  route(rig, 0, 2, 5, Port::W, out(Port::Ramp));
  rig.go();
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, COL\naddi r2, r1, 20\nbeq r1, r0, first\nli r3, 2\n"
      "beq r1, r3, second\nrcv r4, 4\nsnd 5, r0\nrcv r5, 4\nhalt\nfirst: snd 4, r2\nhalt\nsecond: " +
      std::string(turns ? "rcv r3, 5\n" : "") + "snd 4, r2\nhalt");
  if (!turns) rig.select(0, 0).call("main").select(0, 2);  // the one between sleeps
  const std::string what = failure(rig.call("main"));
  if (got) *got = {psum_register(rig, 0, 1, 4), psum_register(rig, 0, 1, 5)};
  return what;
}

TEST(Tiles, SendersThatMeetAreRefused) {
  EXPECT_EQ(merge(false),
            "row 0 column 1: on color 4 words of row 0 column 0 wait when those of row 0 column 2 come: "
            "which are first is chance. HINT: give each sender a color of its own");
  std::vector<std::uint16_t> got;
  EXPECT_EQ(merge(true, &got), "nothing");
  EXPECT_EQ(got, (std::vector<std::uint16_t>{20, 22}));
}

TEST(Tiles, AnOutletDeliversOneSendersWordsAtATime) {
  const std::string source = "main: fork p\njoin\nhalt\np: csrr r1, COL\nsnd WEST, r1\nhalt";
  for (const bool waits : {false, true}) {
    SCOPED_TRACE(waits);
    Rig rig({.rows = 1, .cols = 3, .sram_kib = 1});
    for (const int col : {0, 1}) route(rig, 0, col, 3, Port::E, out(Port::W));
    rig.go();
    rig.load(source).select(0, 2).call("main");
    if (waits) {
      rig.feed();
      rig.wafer->await(std::vector<std::uint64_t>{1});
    }
    rig.select(0, 0).call("main");
    const std::string what = failure(rig);
    if (waits) {
      EXPECT_EQ(what, "nothing");
      EXPECT_EQ(rig.wafer->outlet(0), (std::vector<std::uint32_t>{2, 0}));
    } else {
      EXPECT_TRUE(
          contains(what, "the outlet of row 0 gets words of row 0 column 0 on WEST and of row 0 column 2 on WEST"))
          << what;
    }
  }
}

TEST(Tiles, WordsOfStepCountAtTheOutlet) {
  // Column 0's word, sent in step, and another tile's.
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 255, 4, Port::Ramp, out(Port::W));
  route(rig, 0, 255, 4, Port::E, out(Port::W));
  rig.load(
      "main: fork p\njoin\nhalt\np: rcv r1, WEST\nsnd WEST, r1\nhalt\nother: fork q\njoin\nhalt\n"
      "q: csrr r1, COL\nbeq r1, r0, end\nsnd 4, r1\nend: halt");
  rig.call("main").call("other");
  EXPECT_TRUE(contains(failure(rig), "gets words of row 0 column 0 on WEST and of row 0 column 1 on color 4"));
}

TEST(Tiles, WordsOfStepThatTheHostHasDoNotCount) {
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 255, 4, Port::Ramp, out(Port::W));
  route(rig, 0, 255, 4, Port::E, out(Port::W));
  rig.load(
      "main: fork p\njoin\nhalt\np: rcv r1, WEST\nsnd WEST, r1\nhalt\nother: fork q\njoin\nhalt\n"
      "q: csrr r1, COL\nbeq r1, r0, end\nsnd 4, r1\nend: halt");
  rig.call("main").go();
  EXPECT_TRUE(model(*rig.wafer).in_step());
  rig.call("other").go();
  EXPECT_EQ(rig.wafer->outlet(0), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Tiles, WMayBeRoutedElsewhere) {
  constexpr int kW = 0;
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  route(rig, 0, 0, kW, Port::W, out(Port::Ramp));  // the rest of row 0 is cut off
  rig.go();
  rig.reg(1, 5).go();
  for (int col = 0; col < 3; ++col) {
    EXPECT_EQ(main_register(rig, 0, col, 1), col == 0 ? 5 : 0);
    EXPECT_EQ(main_register(rig, 1, col, 1), 5);
  }
  // Row 1's W goes back out; instead it gets row 0's, commands and weights.
  route(rig, 0, 0, kW, Port::W, out(Port::Ramp) | out(Port::S));
  route(rig, 1, 0, kW, Port::N, out(Port::Ramp) | out(Port::E));
  route(rig, 1, 0, kW, Port::W, out(Port::W));
  rig.go();
  rig.reg(2, 6).go();
  EXPECT_EQ(main_register(rig, 1, 2, 2), 6);
  EXPECT_EQ(main_register(rig, 0, 0, 2), 6);
  EXPECT_EQ(rig.wafer->outlet(1),
            std::vector<std::uint32_t>{static_cast<std::uint32_t>(Command::Setreg) << 24 | 2 << 16 | 6});
  rig.weight(0, 0).go();
  EXPECT_EQ(rig.wafer->flags(), "row 0 column 0 BAD_COMMAND, row 1 BAD_COMMAND");
  route(rig, 0, 0, kW, Port::W, 0);
  rig.go();
  rig.reg(3, 1).go();
  EXPECT_EQ(main_register(rig, 0, 0, 3), 0);
  EXPECT_EQ(rig.wafer->state(0, 0).flags & 1, 1);  // NO_ROUTE

  rig.wafer->reset();
  rig.reg(1, 9).go();
  EXPECT_EQ(main_register(rig, 0, 2, 1), 9);
}

TEST(Tiles, TwoEdgesThatMeetOnWAreRefused) {
  Rig rig({.rows = 2, .cols = 1, .sram_kib = 1});
  route(rig, 0, 0, 0, Port::W, out(Port::Ramp) | out(Port::S));
  route(rig, 1, 0, 0, Port::N, out(Port::Ramp));
  rig.go();
  rig.reg(1, 1);
  EXPECT_TRUE(contains(failure(rig),
                       "row 1 column 0: on W messages of row 0 column 0's west edge wait when those of row 1 "
                       "column 0's west edge come"));
}

TEST(Tiles, ThatWaitForEachOtherAreNamed) {
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 255, 4, Port::Ramp, out(Port::W));
  rig.load("main: fork p\njoin\nhalt\np: rcv r1, 4\nsnd 4, r1\nhalt").call("main");
  const std::string what = failure(rig);
  for (const int col : {0, 1})
    EXPECT_TRUE(contains(what, "row 0 column " + std::to_string(col) +
                                   ": main at pc 1 `join` waits for psum to be idle and done; psum at pc 3 `rcv r1, 4` "
                                   "waits for a word of its color; MP 0, PM 0 entries"))
        << what;
}

TEST(Tiles, ThatTalkForEverAreStopped) {
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 6});
  route(rig, 0, 0, 4, Port::Ramp, out(Port::E));
  route(rig, 0, 1, 4, Port::W, out(Port::Ramp));
  route(rig, 0, 1, 5, Port::Ramp, out(Port::W));
  route(rig, 0, 0, 5, Port::E, out(Port::Ramp));
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, COL\nbne r1, r0, b\na: snd 4, r0\nrcv r2, 5\njmp a\n"
      "b: rcv r2, 4\nsnd 5, r0\njmp b");
  EXPECT_TRUE(contains(failure(rig.call("main")), "exchanges words without end, and W brings nothing"));
}

}  // namespace
}  // namespace weft
