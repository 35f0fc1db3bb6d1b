/// Layouts, arrays and runs that are refused, each with one message that names the problem and a remedy.
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

constexpr const char* kPlain = R"(
.array  u, bf16, 8
.array  k, int16, 2
.kernel main steps=r1
        halt
)";

/// Sends east, and takes from the west only if COL is not 0, `n` words at a time.
constexpr const char* kShift = R"(
.kernel main n=r1
        mvp   r1, r1
        fork  p
        halt
p:      mov   r2, r1
        csrr  r3, COL
        csrr  r4, COLS
        addi  r4, r4, -1
        beq   r3, r4, take
send:   snd   east, r1
        dbnz  r1, send
take:   beq   r3, r0, done
next:   rcv   r5, east
        dbnz  r2, next
done:   halt
)";

std::string load_error(const Layout& layout) {
  return refusal_of([&] { build(layout, mesh(2, 3)); });
}

TEST(ProgramRefusals, NameWhatALayoutLacks) {
  EXPECT_EQ(load_error({}), "layout: it has no program. HINT: add one with Layout::program.");
  EXPECT_EQ(
      load_error(layout_of("halt", {shift("east", 0, 2)})),
      "east: a shift by (0, 2) does not lead to a neighbour. HINT: use (0, 1), (0, -1), (1, 0) or (-1, 0), or a path.");
  EXPECT_EQ(load_error(layout_of("halt", {shift("east", 0, 1)})),
            "east: it has no reader in tile (0,1): mine.s has no instruction that takes it. HINT: take its words there "
            "with rcv, or with in= of vs or vb, or give the stream a smaller region.");
  EXPECT_EQ(load_error(layout_of("p: rcv r1, east\n halt", {shift("east", 0, 1)})),
            "east: no program sends on it. HINT: send words with snd, or with out= of vs or vb, or leave it out.");
  EXPECT_EQ(load_error(layout_of(kShift, {shift("east", 0, 1), shift("east", 0, -1)})),
            "east: two streams have this name. HINT: choose another name.");
  EXPECT_EQ(
      load_error(layout_of(".array u, bf16, 3000\n halt")),
      "mine.s:1: array u ends at element 3000, but a tile's memory of 4 KiB has room for 1856. HINT: declare smaller "
      "arrays, or use tiles with more memory (sram_kib).");
  EXPECT_EQ(load_error(layout_of("jmp stort\nstart: halt")),
            "mine.s:1: undefined name 'stort'. HINT: did you mean 'start'?");
}

TEST(ProgramRefusals, NameMistakesOfATextByItsOwnFile) {
  const std::string main = ".kernel main\n";
  std::string adds;
  for (int n = 0; n < 1010; ++n) adds += " add r1, r1, r1\n";
  for (const auto& [text, error] : std::initializer_list<std::pair<std::string, const char*>>{
           {main + adds + " halt\n",
            "mine.s: the program is longer than the 1024 instructions there is room for, with those that answer the "
            "host. HINT: make it shorter."},
           {".kernel weft_read\n halt\n",
            "mine.s: 'weft_read' is already defined in mine.s:1, and by the routines that answer the host. HINT: "
            "choose "
            "names that do not begin with weft_."},
           {".array east, bf16, 3\n" + main + " halt\n",
            "mine.s:1: 'east' is already the name of a stream, of a parameter or of a number of Weft. HINT: choose "
            "another name."},
           {".array u, bf16, N\n" + main + " halt\n",
            "mine.s:1: undefined name 'N'. HINT: give it as a parameter of the program, or define it with .equ."},
           {main + " fork p\n halt\np: li r1, 1\n",
            "mine.s:4: the program continues behind its last instruction. HINT: end it with halt, or with a jump."},
           {".array u, bf17, 3\n halt\n",
            "mine.s:1: expected a type of elements at 'bf17, 3'. HINT: did you mean 'bf16'?"},
           {".array s, fp32, 2000\n halt\n",
            "mine.s:1: the arrays of fp32 take 500 entries of the accumulator file, which has 256. HINT: declare "
            "smaller "
            "arrays; an entry holds LANES elements."},
           {main + " halt\n" + main + " halt\n",
            "mine.s:3: 'main' is already defined in mine.s:1. HINT: choose another name."}})
    EXPECT_EQ(load_error(layout_of(text, {shift("east", 0, 1)})), error);
  Session wafer(mesh(1, 2), "model", 1);
  wafer.load(layout_of(main + " snd east, r1\n halt\n rcv r1, east\n halt\n", {shift("east", 0, 1)}));
  EXPECT_EQ(refusal_of([&] { wafer.run("main", {}, true); }),
            "kernel main: is wrong: tile (0,0) main at main, mine.s:2 `snd RING, r1`: an illegal instruction halts the "
            "thread. HINT: a routine that the kernel forks executes snd, rcv, vs, vb and vr, and the kernel itself vf "
            "(pe.md).");
}

TEST(ProgramRefusals, NameRegionsOutsideOfTheMesh) {
  Layout layout = layout_of(kPlain);
  layout.programs[0].region = {1, 1, 2, 2};
  EXPECT_EQ(
      load_error(layout),
      "mine.s: rows 1 to 2, columns 1 to 2 is not part of the wafer, which has 2 x 3 tiles. HINT: use rows 0 to 1 and "
      "columns 0 to 2.");
  layout.programs[0].region = {};
  layout.programs.push_back({"other.s", kPlain, {}, {0, 2, 1, 1}});
  EXPECT_EQ(load_error(layout), "other.s: its region meets that of mine.s. HINT: give each tile one program.");
  layout.programs[0].region = {0, 0, 2, 2};
  EXPECT_EQ(load_error(layout), "other.s: array u is also declared by mine.s. HINT: choose another name.");
  layout = layout_of(kPlain, {{"p", {.kind = Way::Kind::Path, .step = {}, .tiles = {{0, 0}, {0, 1}, {0, 3}}}, {}, {}}});
  EXPECT_EQ(load_error(layout),
            "p: tile (0,3) is not part of the wafer, which has 2 x 3 tiles. HINT: use rows 0 to 1 and columns 0 to 2.");
}

TEST(ProgramRefusals, NameColorsThatAreUsedTwiceOrNotBuilt) {
  EXPECT_EQ(load_error(layout_of(kShift, {shift("east", 0, 1, 2), shift("back", 0, -1, 2)})),
            "back: color 2 is used twice: stream east has it, in the same tiles. HINT: use another color, or auto.");
  for (const int color : {-1, 0, 5})
    EXPECT_EQ(load_error(layout_of(kShift, {shift("east", 0, 1, color)})),
              "east: color " + std::to_string(color) + " is not for streams. HINT: use 1 to 4, or auto.");
  EXPECT_EQ(load_error(layout_of(kShift, {shift("east", 0, 1, 3)})),
            "east: color 3 brings no words to the last column. HINT: use another color, or auto.");
  EXPECT_EQ(
      load_error(layout_of(kShift, {shift("a", 0, 1), shift("b", 0, 1), shift("c", 1, 0), shift("d", 1, 0)})),
      "d: no color is left: the wafer has 4 for streams. HINT: use fewer streams in one region, or one stream for "
      "several purposes, one after the other.");
}

TEST(ProgramRefusals, NameArraysAndArguments) {
  Session wafer(mesh(2, 3), "model", 1);
  EXPECT_EQ(refusal_of([&] { wafer.floats("u"); }), "wafer: no layout is loaded. HINT: load one.");
  wafer.load(layout_of(kPlain));
  EXPECT_EQ(refusal_of([&] { wafer.floats("velocity"); }),
            "velocity: no program declares an array of this name. HINT: declare it with .array NAME, bf16, 64.");
  EXPECT_EQ(refusal_of([&] { wafer.floats("k"); }), "k: is an array of int16. HINT: use integers of 16 bits.");
  EXPECT_EQ(refusal_of([&] { wafer.set("u", std::vector<float>(8)); }),
            "u: has 8 elements, but the array has 2 x 3 x 8. HINT: give an element for each row and column of the "
            "program's region, and each element of a tile.");
  EXPECT_EQ(refusal_of([&] { wafer.run("mian", {}, true); }),
            "kernel mian: no program has a kernel of this name. HINT: did you mean 'main'?");
  EXPECT_EQ(refusal_of([&] { wafer.run("main", {}, true); }),
            "kernel main: argument steps is missing. HINT: give a value for each parameter.");
  EXPECT_EQ(
      refusal_of([&] {
        wafer.run("main", {{"steps", 70000}}, true);
      }),
      "kernel main: argument steps is 70000, which a register of 16 bits does not hold. HINT: use -32768 to 65535.");
  EXPECT_EQ(refusal_of([&] {
              wafer.run("main", {{"steps", 1}, {"n", 1}}, true);
            }),
            "kernel main: it has no parameter n. HINT: give its parameters alone.");
  EXPECT_EQ(refusal_of([&] { wafer.words(2); }), "row 2: the wafer has 2 rows. HINT: use another row.");
  EXPECT_EQ(refusal_of([] { Session(mesh(1, 1), "rlt", 1); }),
            "backend: there is no backend 'rlt'. HINT: use model, rtl, emulated, udp: with a board's address, or the "
            "path of a "
            "serial device.");
}

TEST(ProgramRefusals, ShowTheCycleOfADeadlockBeforeTheRun) {
  // Two tiles that send to each other before they take: more words than the buffers hold.
  constexpr const char* kBoth = R"(
.kernel main n=r1
        mvp   r1, r1
        mvp   r2, r1
        fork  p
        halt
p:      csrr  r3, COL
        bne   r3, r0, other
mine:   snd   east, r1
        dbnz  r1, mine
mine2:  rcv   r4, west
        dbnz  r2, mine2
        halt
other:  snd   west, r1
        dbnz  r1, other
other2: rcv   r4, east
        dbnz  r2, other2
        halt
)";
  const Layout layout = layout_of(kBoth, {shift("east", 0, 1), shift("west", 0, -1)});
  for (const char* backend : kBackends) {
    Session wafer(mesh(1, 2), backend, 1);
    wafer.load(layout);
    EXPECT_TRUE(wafer.run("main", {{"n", 15}}, true));
    const std::string text = refusal_of([&] { wafer.run("main", {{"n", 60}}, true); });
    EXPECT_TRUE(text.starts_with("kernel main: can deadlock: tile (0,")) << text;
    EXPECT_NE(
        text.find("2 threads wait in a cycle. HINT: let tiles take words before they send more than the buffers hold."),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("mine.s:"), std::string::npos) << text;
    EXPECT_TRUE(wafer.run("main", {{"n", 15}}, true));  // the wafer was left alone
    if (std::string(backend) == "model") continue;      // its links have no bound
    const std::string hang = refusal_of([&] { wafer.run("main", {{"n", 60}}, false); });
    EXPECT_TRUE(hang.starts_with("kernel main: the wafer hangs. HINT: ")) << hang;
    EXPECT_NE(hang.find("2 threads wait in a cycle"), std::string::npos) << hang;
    EXPECT_EQ(refusal_of([&] { wafer.counts(); }), "wafer: its last run did not end. HINT: load the layout again.");
    wafer.load(layout);
    EXPECT_TRUE(wafer.run("main", {{"n", 15}}, true));
  }
}

TEST(ProgramRefusals, LoadRefusesAKernelThatHangsWithAnyArguments) {
  // Two tiles take before they send, once for each of `n`; the second kernel depends on no argument.
  constexpr const char* kText = R"(
.kernel good n=r1
        halt
.kernel bad n=r1
        fork  p
        halt
p:      csrr  r3, COL
        bne   r3, r0, other
        rcv   r4, west
        snd   east, r4
        halt
other:  rcv   r4, east
        snd   west, r4
        halt
)";
  const Layout layout = layout_of(kText, {shift("east", 0, 1), shift("west", 0, -1)});
  Session wafer(mesh(1, 2), "model", 1);
  wafer.load(layout_of(kPlain));
  const std::string text = refusal_of([&] { wafer.load(layout); });
  EXPECT_TRUE(text.starts_with("kernel bad: can deadlock: tile (0,")) << text;
  EXPECT_NE(text.find("2 threads wait in a cycle"), std::string::npos) << text;
  EXPECT_TRUE(wafer.run("main", {{"steps", 1}}, true));  // the former layout
  wafer.load(layout, false);
  EXPECT_TRUE(wafer.run("good", {{"n", 1}}, true));
  EXPECT_EQ(refusal_of([&] { wafer.run("bad", {{"n", 1}}, true); }), text);
}

TEST(ProgramRefusals, NameMissingRoutesWordsThatNobodyTakesAndBranchesOnData) {
  Session wafer(mesh(1, 2), "model", 1);
  wafer.load(layout_of(kShift, {shift("east", 0, 1)}));
  EXPECT_TRUE(wafer.run("main", {{"n", 100}}, true));
  wafer.load(layout_of(".kernel main\n fork p\n halt\np: snd east, r1\n halt\nq: rcv r1, east\n halt\n",
                       {shift("east", 0, 1)}));
  const std::string text = refusal_of([&] { wafer.run("main", {}, true); });
  EXPECT_TRUE(text.starts_with("kernel main: has a wrong stream: tile (0,1) has no route for ")) << text;
  EXPECT_NE(text.find("HINT: let a tile send only if the stream leads on from it"), std::string::npos) << text;
  wafer.load(
      layout_of(".kernel main\n fork p\n halt\np: csrr r1, COL\n bne r1, r0, q\n snd east, r1\n snd east, r1\n "
                "halt\nq: rcv r1, east\n halt\n",
                {shift("east", 0, 1)}));
  const std::string left = refusal_of([&] { wafer.run("main", {}, true); });
  EXPECT_TRUE(left.starts_with(
      "kernel main: has a wrong stream: words are left over. HINT: send as many words on a stream as "))
      << left;
  wafer.load(layout_of(
      ".array k, int16, 1\n.kernel main\n ld r1, r0, k\n beq r1, r0, done\n nop: dbnz r1, nop\ndone: halt\n"));
  wafer.set("k", std::vector<std::int16_t>{3, 4});
  EXPECT_NE(refusal_of([&] { wafer.run("main", {}, true); }).find("cannot be checked: row 0"), std::string::npos);
  EXPECT_TRUE(wafer.run("main", {}, false));
}

TEST(ProgramRefusals, NameControlRegistersThatAKernelDoesNotSet) {
  Session wafer(mesh(1, 2), "model", 1);
  wafer.load(
      layout_of(".kernel main\n fork p\n halt\np: csrr r1, COL\n bne r1, r0, q\n vs.mov own=R[r0], out=east\n halt\n"
                "q: vs.mov in=east, dst=R[r0]\n halt\n",
                {shift("east", 0, 1)}));
  EXPECT_TRUE(refusal_of([&] { wafer.run("main", {}, true); })
                  .starts_with("kernel main: cannot be checked: tile (0,0) psum at p+2, mine.s:6 `vs.mov own=R[r0], "
                               "out=RING`: VL depends on a computed value, or on one that no command has set"));
}

TEST(ProgramRefusals, NameTheInstructionOfAnEndlessLoop) {
  Session wafer(mesh(1, 2), "model", 1);
  wafer.load(layout_of(".kernel main\nhere: jmp here\n"));
  EXPECT_EQ(refusal_of([&] { wafer.run("main", {}, true); }),
            "kernel main: is wrong: row 0 main at here, mine.s:2 `jal r0, 0`: runs without an end. HINT: correct the "
            "program.");
  EXPECT_EQ(
      refusal_of([&] { wafer.run("main", {}, false); }),
      "kernel main: row 0, pc 0 `jal r0, 0`: runs in an endless loop. HINT: correct the program, and load the layout "
      "again.");
}

TEST(ProgramRefusals, NameStickyFlags) {
  for (const char* backend : kBackends) {
    Session wafer(mesh(1, 2), backend, 1);
    wafer.load(layout_of(".kernel main\n li r1, 4000\n ld r2, r1, 0\n halt\n"));
    const std::string text = refusal_of([&] { wafer.run("main", {}, true); });
    EXPECT_TRUE(text.starts_with("kernel main: sets sticky flags: row 0")) << text;
    EXPECT_NE(text.find("BAD_ADDRESS"), std::string::npos) << text;
    EXPECT_NE(text.find("load the layout again to go on."), std::string::npos) << text;
  }
}

TEST(ProgramRefusals, InterruptedRunReturnsNothing) {
  Session wafer(mesh(1, 2), "rtl", 1);
  wafer.load(layout_of(
      ".kernel main\n li r1, 8000\n csrw VL, r1\nnext: vf.fma R[r0], M[r0], S[r0], Z\n dbnz r1, next\n halt\n"));
  int asked = 0;
  EXPECT_FALSE(wafer.run("main", {}, false, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(refusal_of([&] { wafer.run("main", {}, false); }),
            "wafer: its last run did not end. HINT: load the layout again.");
}

}  // namespace
}  // namespace weft::programs
