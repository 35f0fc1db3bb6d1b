/// `.macro`: text with parameters, and limits on its expansion.
#include "tests/asm/wrong.hpp"

namespace weft::assembler {
namespace {

std::vector<std::uint32_t> words(const std::string& text) { return assemble(text, "k.s").words; }

TEST(Macros, PutTheirArgumentsIn) {
  EXPECT_EQ(words(".macro set csr, value by\n  li \\by, \\value + 1 ; a comment\n  csrw \\csr, \\by\n.endm\n"
                  "  set VL, 2 * 3, r8\n  set  REP , 1,r9 // another\n"),
            words("li r8, 7\ncsrw VL, r8\nli r9, 2\ncsrw REP, r9"));
  EXPECT_EQ(words(".macro op fn d\n  vf.\\fn \\d[r1], M[r\\()2], A, Z\n.endm\n op exp, R\n op fma, M"),
            words("vf.exp R[r1], M[r2], A, Z\nvf.fma M[r1], M[r2], A, Z"));
  EXPECT_EQ(words(".macro none\n.endm\n none\n halt"), words("halt"));
}

TEST(Macros, MayBeCalledBeforeTheyAreDefined) {
  EXPECT_EQ(words("  twice halt\n.macro twice what\n  \\what\n  \\what\n.endm\n"), words("halt\nhalt"));
}

TEST(Macros, CallOthers) {
  EXPECT_EQ(words(".macro a x\n  b \\x, 1\n.endm\n.macro b x y\n  li \\x, \\y\n.endm\n a r7"), words("li r7, 1"));
}

TEST(Macros, HaveLabelsOfTheirOwn) {
  const Program program = assemble(
      ".macro wait n\n  li r1, \\n\nloop\\@:\n  dbnz r1, loop\\@\n.endm\n wait 3\nhere: wait 4\n  jmp here", "k.s");
  EXPECT_EQ(program.words, words("li r1, 3\ndbnz r1, 1\nli r1, 4\ndbnz r1, 3\njmp 2"));
  EXPECT_EQ(program.labels, (std::map<std::string, std::uint16_t>{{"here", 2}, {"loop1", 1}, {"loop2", 3}}));
}

TEST(Macros, SeeTheNamesOfTheirCaller) {
  EXPECT_EQ(words(".macro next\n  addi x, x, 1\n.endm\n.kernel a x=r1\n next\n halt\n.kernel b x=r2\n next\n halt"),
            words("addi r1, r1, 1\nhalt\naddi r2, r2, 1\nhalt"));
}

TEST(Macros, MayBeginAKernelWhoseCommentStandsAboveTheCall) {
  const Program program = assemble(
      ".macro make name other\n.kernel \\name x=r1\n  halt\n.kernel \\other\n  halt\n.endm\n; Joins.\n make j, k\n",
      "k.s");
  ASSERT_EQ(program.kernels.size(), 2U);
  EXPECT_EQ(program.kernels[0].name, "j");
  EXPECT_EQ(program.kernels[0].doc, "Joins.");
  EXPECT_EQ(program.kernels[1].doc, "");
}

TEST(Macros, InstructionsStandInTheBody) {
  EXPECT_EQ(assemble(".macro a\n  join\n  halt\n.endm\n\n a\n halt", "k.s").lines,
            (std::vector<SourceLine>{{0, 2}, {0, 3}, {0, 7}}));
}

class MacroErrors : public testing::TestWithParam<Wrong> {};

TEST_P(MacroErrors, SayWhereWhatAndWhatToDo) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    All, MacroErrors,
    testing::Values(
        Wrong{".macro a x\n  halt\n  li \\x, 1\n.endm\n\n a r99",
              "k.s:3: expected a register at 'r99, 1', in macro 'a' called in k.s:6. HINT: use r0 to r15, or name one "
              "with .reg NAME, r3."},
        Wrong{
            ".macro a\n  hald\n.endm\n.macro b\n  halt\n  a\n.endm\n b",
            "k.s:2: unknown instruction 'hald', in macro 'a' called in k.s:6, in macro 'b' called in k.s:8. HINT: did "
            "you mean 'halt'?"},
        Wrong{".macro wait\n.endm\n wait 1, 2",
              "k.s:3: the macro takes another number of arguments: 0, not 2. HINT: it is defined in k.s:1."},
        Wrong{".macro wait n\n.endm\n wait",
              "k.s:3: the macro takes another number of arguments: 1, not 0. HINT: it is defined in k.s:1."},
        Wrong{".macro wait n\n.endm\n wajt 1", "k.s:3: unknown instruction 'wajt'. HINT: did you mean 'wait'?"},
        Wrong{".macro a count\n li r1, \\cuont\n.endm",
              "k.s:2: the macro has no parameter 'cuont'. HINT: did you mean 'count'?"},
        Wrong{
            ".macro a\n li r1, \\\n.endm",
            "k.s:2: the macro has no parameter ''. HINT: name one in .macro, or write \\@ for the number of the call."},
        Wrong{".macro a x x\n.endm", "k.s:1: 'x' is given twice. HINT: choose another name."},
        Wrong{".macro a x.y\n.endm",
              "k.s:1: expected the name of a parameter at 'x.y'. HINT: write '.macro NAME a b'."},
        Wrong{".macro\n.endm", "k.s:1: '' is not a name. HINT: start a name with a letter or _."},
        Wrong{".macro vf.fma\n.endm", "k.s:1: 'vf.fma' is an instruction. HINT: choose another name."},
        Wrong{".macro jmp\n.endm", "k.s:1: 'jmp' is an instruction. HINT: choose another name."},
        Wrong{".macro a\n.endm\n.macro a\n.endm",
              "k.s:3: macro 'a' is already defined in k.s:1. HINT: choose another name."},
        Wrong{"halt\n.macro a\nhalt\nhalt", "k.s:2: .macro has no end. HINT: write .endm after its last line."},
        Wrong{"halt\n.endm", "k.s:2: .endm without .macro. HINT: remove it."},
        Wrong{".macro a\n.macro b\n.endm\n.endm", "k.s:2: a macro in a macro. HINT: write .endm first."},
        Wrong{"x: .macro a\n.endm", "k.s:2: .endm without .macro. HINT: remove it."},
        Wrong{".macro a x\n .\\x\n.endm\n a endm",
              "k.s:2: '.endm' is written where no macro can begin or end, in macro 'a' called in k.s:4. HINT: write it "
              "without a label, and outside of macros."}));

TEST(Macros, CannotCallThemselves) {
  const std::string error = error_of(".macro a\n  halt\n  b\n.endm\n.macro b\n  a\n.endm\n a");
  EXPECT_EQ(error.substr(0, error.find(", in")), "k.s:6: macros within macros, more than 16 deep");
  EXPECT_TRUE(error.ends_with("called in k.s:8. HINT: a macro cannot call itself.")) << error;
}

TEST(Macros, CannotGrowWithoutBound) {
  std::string text = ".macro m0\n  ; nothing\n  .reg a\\@, r1\n.endm\n";
  for (int n = 1; n < 16; ++n) {
    const std::string call = "  m" + std::to_string(n - 1) + "\n";
    text += ".macro m" + std::to_string(n) + "\n" + call + call + call + call + ".endm\n";
  }
  const std::string error = error_of(text + " m15");
  EXPECT_NE(error.find("macros expand to more than 10000 lines"), std::string::npos) << error;
}

TEST(Macros, CannotWriteEndlessLines) {
  const std::string x(400, 'x');
  EXPECT_EQ(error_of(".macro a t\n  .equ \\t\\t, 1\n.endm\n a " + x),
            "k.s:2: the line is longer than 500 characters, in macro 'a' called in k.s:4. HINT: write several lines.");
  std::string holes;
  for (int n = 0; n < 250; ++n) holes += "\\()";
  EXPECT_EQ(error_of(".macro a\n  halt" + holes + "\n.endm\n a"),
            "k.s:2: the line is longer than 500 characters. HINT: write several lines.");
  EXPECT_EQ(error_of("; " + x + x + "\n.word " + std::string(600, '(')),
            "k.s:2: the line is longer than 500 characters. HINT: write several lines.");
}

}  // namespace
}  // namespace weft::assembler
