/// Lockstep columns that compare with per-column values, and other instructions that read such values.
#include "tests/model/tiles.hpp"
#include "tests/random.hpp"

namespace weft::model::per_column_test {
namespace {

constexpr machine::WaferShape kShape{.rows = 2, .cols = 5, .sram_kib = 1};

/// Stores numbers below `kinds` at addresses 0 to 127 of every tile; `alike`: the same for all tiles of a row.
void numbers(Rig& rig, std::uint32_t kinds, bool alike = false) {
  test::Rng rng(7);
  const machine::WaferShape& shape = rig.wafer->shape();
  for (int row = 0; row < shape.rows; ++row) {
    std::vector<std::uint16_t> elements(128);
    for (int col = 0; col < shape.cols; ++col) {
      if (!alike || col == 0)
        for (std::uint16_t& e : elements) e = static_cast<std::uint16_t>(rng.below(kinds));
      rig.store(row, col, 0, elements);
    }
  }
}

constexpr std::string_view kCompares = R"(
main:   li    r2, 3
        csrw  VL, r2
        li    r2, 0
        li    r4, 32
        li    r5, 0x3f80
        li    r6, 0xbf80
        li    r7, 4
        csrw  REP, r7
        csrw  STA, r7
        li    r8, 16
        csrw  STR, r8
each:   ld    r1, r2, 0
        csrw  IDX, r1
        vf.sel R[r2], OH[r4], S[r5], S[r6]
        vf.fma R[r2], OH[r4], S[r5], R[r2]
        addi  r2, r2, 1
        dbnz  r7, each
        halt
)";

TEST(PerColumn, ColumnsCompareWithNumbersOfTheirOwn) {
  for (const int lanes : {2, 4, 8, 16})
    for (const int cols : {2, 5}) {
      const machine::WaferShape shape{.rows = 2, .cols = cols, .lanes = lanes, .sram_kib = 1};
      SCOPED_TRACE(testing::Message() << lanes << " lanes, " << cols << " columns");
      const auto work = [](Rig& rig) {
        numbers(rig, 3);
        rig.load(kCompares).call("main").go();
      };
      in_both(shape, work);
      Rig one(shape);
      work(one);
      for (const int threads : {2, 5}) {
        Rig many(shape, threads);
        work(many);
        EXPECT_TRUE(model(*many.wafer).in_lockstep());
        Snapshot(*one.wafer).expect(Snapshot(*many.wafer));
      }
    }
}

// Instructions that follow `ld r1; csrw IDX, r1`.
const std::vector<std::string> kReaders{"add r3, r2, r1",
                                        "sub r3, r1, r2",
                                        "addi r1, r1, 1",
                                        "shl r3, r1, 2",
                                        "csrw STA, r1",
                                        "beq r1, r0, end",
                                        "blt r2, r1, end",
                                        "dbnz r1, end",
                                        "ld r3, r1, 0",
                                        "mvp r3, r1",
                                        "csrr r3, IDX",
                                        "vf.fma R[r1], M[r2], S[r2], Z",
                                        "vf.fma R[r2], M[r1], S[r2], Z",
                                        "vf.fma R[r2], M[r2], S[r1], Z",
                                        "vf.fma R[r2], M[r2], S[r2], R[r1]"};

void read(Rig& rig, const std::string& reader, bool alike) {
  numbers(rig, 4, alike);
  rig.load("main: li r4, 1\ncsrw VL, r4\ncsrw REP, r4\nld r1, r0, 8\ncsrw IDX, r1\n" + reader +
           "\nvf.sel R[r4], OH[r0], S[r4], S[r2]\nend: halt");
  rig.call("main").go();
}

TEST(PerColumn, OtherReadersTakeTheColumnsApart) {
  for (const std::string& reader : kReaders) {
    SCOPED_TRACE(reader);
    Rig step(kShape), apart(kShape);
    model(*apart.wafer).leave_lockstep();
    for (Rig* rig : {&step, &apart}) read(*rig, reader, false);
    EXPECT_FALSE(model(*step.wafer).in_lockstep());
    Snapshot(*step.wafer).expect(Snapshot(*apart.wafer));
    for (const int threads : {2, 5}) {
      Rig many(kShape, threads);
      EXPECT_THROW(read(many, reader, false), std::runtime_error);
    }
  }
}

TEST(PerColumn, OtherReadersStayInLockstepWhereAllAreAlike) {
  for (const std::string& reader : kReaders) {
    SCOPED_TRACE(reader);
    in_both(kShape, [&](Rig& rig) { read(rig, reader, true); });
    Rig one(kShape), many(kShape, 5);
    for (Rig* rig : {&one, &many}) read(*rig, reader, true);
    Snapshot(*one.wafer).expect(Snapshot(*many.wafer));
  }
}

TEST(PerColumn, RegisterWriteMakesItAllColumns) {
  for (const char* writer : {"li r1, 3", "xor r1, r2, r2", "ld r1, r0, 200", "csrr r1, ROW", "jal r1, next"}) {
    SCOPED_TRACE(writer);
    in_both(kShape,
            [&](Rig& rig) { read(rig, std::string(writer) + "\nnext: addi r1, r1, 1\nbeq r1, r0, end", false); });
  }
  in_both(kShape, [](Rig& rig) {
    read(rig, "csrw IDX, r0\ncsrr r3, IDX", false);
    rig.reg(1, 5).load("again: addi r1, r1, 1\nhalt").call("again").go();
  });
}

TEST(PerColumn, NumbersOutliveAResetAndIdxDoesNot) {
  in_both(kShape, [](Rig& rig) {
    numbers(rig, 9);
    rig.load("main: ld r1, r0, 8\ncsrw IDX, r1\nhalt").call("main").go();
    std::uint16_t kinds = 0;
    for (int col = 0; col < kShape.cols; ++col) {
      const machine::TileState tile = rig.wafer->state(0, col);
      EXPECT_EQ(tile.main.registers[1], rig.element(0, col, 8));
      kinds |= static_cast<std::uint16_t>(1 << tile.main.registers[1]);
    }
    EXPECT_GT(std::popcount(kinds), 1);
  });
  Rig rig(kShape);
  numbers(rig, 9);
  rig.load("main: ld r1, r0, 8\ncsrw IDX, r1\nhalt").call("main").go();
  rig.wafer->reset();
  for (int col = 0; col < kShape.cols; ++col) EXPECT_EQ(main_register(rig, 0, col, 1), rig.element(0, col, 8));
  rig.load("main: csrr r3, IDX\nhalt").call("main").go();
  EXPECT_TRUE(model(*rig.wafer).in_lockstep());
  EXPECT_EQ(main_register(rig, 0, 1, 3), 0);
}

TEST(PerColumn, TilesOnTheirOwnKeepThem) {
  Rig step(kShape), apart(kShape);
  model(*apart.wafer).leave_lockstep();
  for (Rig* rig : {&step, &apart}) {
    numbers(*rig, 9);
    rig->load("main: ld r1, r0, 8\ncsrw IDX, r1\nhalt\nnext: csrr r3, IDX\nadd r4, r1, r3\nhalt").call("main").go();
  }
  EXPECT_TRUE(model(*step.wafer).in_lockstep());
  model(*step.wafer).leave_lockstep();
  for (Rig* rig : {&step, &apart}) rig->call("next").go();
  Snapshot(*step.wafer).expect(Snapshot(*apart.wafer));
  EXPECT_EQ(main_register(step, 1, 4, 4), 2 * step.element(1, 4, 8));
}

}  // namespace
}  // namespace weft::model::per_column_test
