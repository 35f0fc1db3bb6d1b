/// The debugger for runs of a program of one's own.
#include "host/inspect/own/debugger.hpp"

#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

/// Adds 1 to u, `steps` times, and sends a number east.
constexpr const char* kDebugged = R"(.array u, bf16, 8
.array k, int16, 3
.array s, fp32, 8
.kernel main steps=r1
        li    r2, 2
        csrw  VL, r2
        li    r3, 1
        csrw  REP, r3
        li    r3, bf16(1)
        li    r4, u
        li    r5, s
        fork  talk
next:   vf.fma R[r5], M[r4], S[r3], Z
        vf.fma M[r4], M[r4], S[r3], S[r3]
        dbnz  r1, next
        halt
talk:   csrr  r1, COL
        bne   r1, r0, hear
        li    r2, 1234
        snd   east, r2
        halt
hear:   rcv   r2, east
        halt
)";

/// A debugger at the beginning of a run, driven by command lines.
class OwnDebugger : public testing::TestWithParam<const char*> {
 protected:
  OwnDebugger() : wafer_(mesh(1, 2), GetParam(), 1) {
    wafer_.load(layout_of(kDebugged, {shift("east", 0, 1)}));
    wafer_.set("u", std::vector<float>(16, 2));
    wafer_.set("k", std::vector<std::int16_t>{1, -2, 3, 4, 5, 6});
    wafer_.set("s", std::vector<float>(16, 0.5F));
    debugger_.emplace(wafer_.replay("main", {{"steps", 3}}, "debug"));
  }
  std::string run(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text = debugger_->command(line);
    return text;
  }
  void prints(const std::vector<std::string>& lines, const std::string& part) {
    const std::string text = run(lines);
    EXPECT_NE(text.find(part), std::string::npos) << lines.back() << ": " << text << "has no " << part;
  }

  Session wafer_;
  std::optional<inspect::own::Debugger> debugger_;
};

TEST_P(OwnDebugger, StopsAtLabelsLinesWritesAndMessages) {
  prints({"break next 0,1", "continue"}, "stop 0: tile 0,1 main is at vf.fma R[r5], M[r4], S[r3], Z  next mine.s:13\n");
  prints({"print u[0:2]"}, "u[0:2] = M[0x0:2] 2 2\n");
  prints({"print steps"}, "steps, main.r1 = 3 ");
  prints({"continue"}, "stop 0: tile 0,1 main");
  prints({"print steps"}, "steps, main.r1 = 2 ");
  prints({"print k"}, "k = M[0x10:3] 4 5 6\n");
  prints({"delete 0", "goto 0", "break mine.s:19", "continue", "thread psum", "step"}, "psum at snd ");
  prints({"delete 1", "break message east 0,1", "continue"}, "tile 0,1 gets ");
  prints({"delete 2", "goto 0", "break write u[5] 0,0", "continue"}, "tile 0,0 writes 3 to M[0x5]");
  prints({"print s[0:4]"}, "s[0:4] = R[0] 2 2 2 2\n");
  prints({"delete 3", "continue"}, "the run is over, after ");
  prints({"print u/x"}, "u = M[0x0:8] 0x40a0 0x40a0");
  prints({"info symbols"}, "R[0] s, fp32[8]\nRING east, a stream\n");
  prints({"goto 0", "print s[1]"}, "s[1] = R[0] 0.5\n");
  EXPECT_FALSE(debugger_->over());
  prints({"quit"}, "");
  EXPECT_TRUE(debugger_->over());
  EXPECT_EQ(wafer_.floats("u"), std::vector<float>(16, 2));  // the wafer itself has run nothing
  EXPECT_TRUE(wafer_.run("main", {{"steps", 3}}, true));
  EXPECT_EQ(wafer_.floats("u"), std::vector<float>(16, 5));
}

TEST_P(OwnDebugger, NamesWrongLinesAndEndsWhenInterrupted) {
  for (const char* wrong : {"break nowhere", "break mine.s:1", "print v", "print u[8]", "print u[3:2]", "print u[",
                            "break write s", "break message west", "break phase other", "tile 1,0", "print main"})
    prints({wrong}, "HINT: ");
  prints({"break write s"}, "s: is in the accumulator file. HINT: ");
  prints({"print v"}, "HINT: write r3, psum.r3, csr VL, R[8], M[0x120:8], or an array as u[0:8]; ");
  prints({"break message west"}, "there are W, RING (east), ");
  wafer_.load(layout_of(".kernel main\nhere: jmp here\n"), false);
  inspect::own::Debugger endless(wafer_.replay("main", {}, "debug"));
  int asked = 0;
  const std::string text = endless.command("continue", [&] { return ++asked == 3; });
  EXPECT_TRUE(text.starts_with("interrupted\n")) << text;
  EXPECT_NE(endless.command("step").find("mine.s:2\n"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Backends, OwnDebugger, testing::ValuesIn(kBackends),
                         [](const auto& backend) { return std::string(backend.param); });

TEST(OwnDebuggers, KnowTheProgramOfEachTileAndReportHangs) {
  Layout layout = layout_of(".kernel main\n fork p\n halt\np: li r1, 1\n rcv r2, east\n snd east, r1\n halt\n");
  layout.programs[0].region = {0, 1, 1, 1};
  layout.programs.push_back(
      {"other.s", ".kernel main\n li r1, 5\nend: halt\nq: snd east, r1\n halt\n", {}, {0, 0, 1, 1}});
  layout.streams.push_back({"east", {.kind = Way::Kind::Path, .step = {}, .tiles = {{0, 0}, {0, 1}}}, {}, {}});
  Session wafer(mesh(2, 2), "rtl", 1);
  wafer.load(layout, false);
  inspect::own::Debugger debugger(wafer.replay("main", {}, "debug"));
  EXPECT_NE(debugger.command("break p").find("is not a label"), std::string::npos);  // tile 0,0 has other.s
  debugger.command("break p 0,1");
  debugger.command("break end");
  EXPECT_NE(debugger.command("continue").find("tile 0,0 main is at halt  end other.s:3"), std::string::npos);
  EXPECT_NE(debugger.command("continue").find("tile 0,1 psum is at li r1, 1  p mine.s:4"), std::string::npos);
  debugger.command("tile 1,1");  // has no program
  EXPECT_NE(debugger.command("where").find("tile 1,1\n  main halted"), std::string::npos);
  const std::string hang = debugger.command("continue");
  EXPECT_NE(hang.find("root cause: "), std::string::npos) << hang;
  EXPECT_NE(hang.find("mine.s:5"), std::string::npos) << hang;
}

}  // namespace
}  // namespace weft::programs
