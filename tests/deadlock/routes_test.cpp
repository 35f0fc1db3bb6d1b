/// Errors in routes are found statically.
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/deadlock/check.hpp"

namespace weft::deadlock {
namespace {

using isa::Port;

/// A wafer of `rows` x 1 whose psum threads run `psum`, with the routes that a test sets.
class Routed {
 public:
  Routed(int rows, const std::string& psum) {
    input_.shape = {.rows = rows, .cols = 1};
    input_.program =
        assembler::assemble("fork p\njoin\nhalt\np: csrr r1, ROW\nli r2, 1\nli r3, 2\n" + psum + "end: halt\n", "x.s");
    input_.phases = {{"load", compiler::program_messages(input_.program), true, {}},
                     {"run", {machine::Message::command(machine::Command::Call, 0, 0)}, true, {}}};
  }
  Routed& route(int row, int color, int port, unsigned outputs) {
    const auto put = [&](machine::Command code, int value) {
      input_.phases[0].messages.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
    };
    input_.phases[0].messages.push_back(machine::Message::select({.row = row}));
    put(machine::Command::Route, color << 11 | port << 8 | static_cast<int>(outputs));
    input_.phases[0].messages.push_back(machine::Message::select());
    return *this;
  }
  std::string problem() const { return check(input_).phases.back().problem; }

 private:
  Input input_;
};

constexpr int kRing = 1, kRamp = 4;
constexpr int kN = 0, kS = 2;
constexpr unsigned kToN = 1, kToS = 4, kToRamp = 16;

TEST(CheckRoutes, TakesAPath) {
  EXPECT_EQ(Routed(2, "beq r1, r0, s\nrcv r4, RING\njmp end\ns: snd RING, r1\n")
                .route(0, kRing, kRamp, kToS)
                .route(1, kRing, kN, kToRamp)
                .problem(),
            "");
}

TEST(CheckRoutes, FindsLoops) {
  EXPECT_EQ(
      Routed(2, "beq r1, r2, end\nsnd RING, r1\n")
          .route(0, kRing, kRamp, kToS)
          .route(1, kRing, kN, kToN)
          .route(0, kRing, kS, kToS)
          .problem(),
      "the routes of RING from tile (0,0) psum at p+4, x.s:8 `snd RING, r1` are a loop, or lead to a place twice");
}

TEST(CheckRoutes, FindsSendersThatMeet) {
  EXPECT_EQ(Routed(3, "beq r1, r2, t\nsnd RING, r1\njmp end\nt: rcv r4, RING\nrcv r4, RING\n")
                .route(0, kRing, kRamp, kToS)
                .route(2, kRing, kRamp, kToN)
                .route(1, kRing, kN, kToRamp)
                .route(1, kRing, kS, kToRamp)
                .problem(),
            "words of tile (0,0) and of tile (2,0) psum at p+4, x.s:8 `snd RING, r1` on RING meet in tile (1,0)");
  // Words meet on the way: row 2's words pass row 1, which sends as well.
  const std::string text = Routed(3, "beq r1, r0, t\nsnd RING, r1\njmp end\nt: rcv r4, RING\nrcv r4, RING\n")
                               .route(2, kRing, kRamp, kToN)
                               .route(1, kRing, kS, kToN)
                               .route(1, kRing, kRamp, kToN)
                               .route(0, kRing, kS, kToRamp)
                               .problem();
  EXPECT_NE(text.find("on RING meet at tile (0,0) from S, so their order is undefined"), std::string::npos) << text;
}

TEST(CheckRoutes, FindsThoseThatAreMissing) {
  EXPECT_EQ(Routed(2, "beq r1, r2, end\nsnd RING, r1\n").problem(),
            "tile (0,0) has no route for RING from RAMP, where tile (0,0) psum at p+4, x.s:8 `snd RING, r1` sends");
  EXPECT_EQ(Routed(2, "beq r1, r2, end\nrcv r1, RING\n").problem(),
            "tile (0,0) psum at p+4, x.s:8 `rcv r1, RING` takes RING, but no route of that color leads there");
}

TEST(CheckRoutes, FindsThoseThatNoTileTakes) {
  EXPECT_EQ(Routed(2, "").route(0, kRing, kRamp, kToN).problem(), "row 0 main: a route off the northern edge");
  EXPECT_EQ(Routed(2, "").route(1, kRing, kRamp, kToS).problem(), "row 1 main: a route off the southern edge");
  EXPECT_EQ(Routed(2, "").route(0, 9, kRamp, kToS).problem(), "row 0 main: a route of color 9, which is not built");
  EXPECT_EQ(Routed(2, "").route(0, kRing, 5, kToS).problem(), "row 0 main: a route that is malformed");
  EXPECT_EQ(Routed(2, "").route(1, kRing, kRamp, 2).problem(), "tile (1,0) main: a route off the eastern edge");
}

TEST(CheckRoutes, MustNotChangeUnderWay) {
  const std::string text = Routed(1, "").route(0, 0, 3, kToRamp | 8).problem();
  EXPECT_NE(text.find("W's routes change while W brings messages"), std::string::npos) << text;
}

}  // namespace
}  // namespace weft::deadlock
