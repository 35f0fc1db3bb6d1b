/// Chains along a row: none without a route, and any color may form one.
#include "tests/model/tiles.hpp"
#include "tests/random.hpp"

namespace weft::model {
namespace {

TEST(Tiles, AChainThatLacksARouteIsNone) {
  constexpr machine::WaferShape kShape{.rows = 3, .cols = 3, .sram_kib = 1};
  const struct {
    int color, row;
    machine::Port port;
    std::string flags;
  } cases[] = {{1, 0, machine::Port::Ramp, "row 0 NO_ROUTE"},
               {1, 1, machine::Port::N, "row 1 NO_ROUTE"},
               {1, 1, machine::Port::S, "row 1 NO_ROUTE"},
               {1, 0, machine::Port::S, "row 0 NO_ROUTE"},
               {1, 2, machine::Port::N, "row 2 NO_ROUTE"},
               {1, 2, machine::Port::Ramp, "row 2 NO_ROUTE"},
               {2, 1, machine::Port::Ramp, "row 1 NO_ROUTE"},
               {2, 1, machine::Port::S, "row 1 NO_ROUTE"},
               {2, 0, machine::Port::S, "row 0 NO_ROUTE"},
               {3, 1, machine::Port::Ramp, "row 1 NO_ROUTE"},
               {3, 1, machine::Port::E, "row 1 column 0 NO_ROUTE, row 1 column 1 NO_ROUTE"}};
  for (const auto& c : cases) {
    SCOPED_TRACE(testing::Message() << "color " << c.color << ", row " << c.row << ", port "
                                    << static_cast<int>(c.port));
    Rig rig(kShape);
    route(rig, c.row, kAll, c.color, c.port, 0);
    std::string source = "main: fork p\nhalt\np: li r1, 1\ncsrw VL, r1\ncsrr r1, ROW\n";
    if (c.color == 1) source += "snd RING, r1\nhalt";
    if (c.color == 2) source += "beq r1, r0, end\nsnd NORTH, r1\nend: halt";
    if (c.color == 3) source += "vs.mov own=R[r0], out=WEST, gather\nhalt";
    rig.load(source).call("main").feed();
    EXPECT_EQ(rig.wafer->flags(), c.flags);
    EXPECT_FALSE(model(*rig.wafer).in_lockstep());
  }
}

// Status, a gathered vector, sums of dot products, along the color COLOR.
constexpr std::string_view kAlongTheRow = R"(
main:   li   r1, 2
        csrw VL, r1
        li   r1, 1
        csrw REP, r1
        li   r1, 0x3f80
        li   r2, 32
        vf.fma R[r2], M[r0], S[r1], Z
        li   r1, 64
        csrw STA, r1
        li   r1, 3
        csrw LMASK, r1
        fork psum
        li   r3, 64
        vdot R[r3], M[r0], M[r2]
        join
        halt
psum:   li   r1, 2
        csrw VL, r1
        li   r2, 32
        vb   src=M[r0], dst=M[r2]
        vs.mov own=R[r2], in=COLOR, out=COLOR, gather
        li   r3, 64
        vr   in=COLOR, out=COLOR, src=R[r3]
        halt
)";

TEST(Tiles, AnyColorMayGoAlongTheRow) {
  constexpr machine::WaferShape kShape{.rows = 2, .cols = 5, .sram_kib = 2, .colors = 6};
  const auto run = [&](int color) {
    Rig rig(kShape);
    test::Rng rng(1);
    route(rig, kAll, kAll, 5, machine::Port::Ramp, out(machine::Port::W));
    route(rig, kAll, kAll, 5, machine::Port::E, out(machine::Port::Ramp));
    for (int row = 0; row < 2; ++row)
      for (int col = 0; col < 5; ++col) {
        std::vector<std::uint16_t> x(512);
        for (auto& e : x) e = static_cast<std::uint16_t>(rng.below(2) << 15 | (0x3c00 + rng.below(0x800)));
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
    EXPECT_EQ(model(*rig.wafer).in_lockstep(), color == 3);
    EXPECT_EQ(rig.wafer->outlet(0).size(), 5U * 8 + 20);
    return std::make_pair(rig.wafer->outlet(0), rig.wafer->outlet(1));
  };
  EXPECT_EQ(run(3), run(5));
}

}  // namespace
}  // namespace weft::model
