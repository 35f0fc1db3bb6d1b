/// One program from several source files.
#include "isa_machine.hpp"
#include "tests/asm/wrong.hpp"

namespace weft::assembler {
namespace {

Program joined(const std::vector<Source>& sources) { return assemble(sources); }

TEST(Sources, ShareLabelsConstantsAndMacrosButNotRegisters) {
  const Program program = joined({{"a.s", ".equ N, 7\n.reg x, r3\nfirst: li x, N\n  jmp second\n  twice x"},
                                  {"b.s",
                                   ".reg x, r4\n\nsecond: li x, N\n  jmp first\n"
                                   ".macro twice a\n  add \\a, \\a, \\a\n.endm\n"}});
  EXPECT_EQ(program.words, assemble("li r3, 7\njmp 3\nadd r3, r3, r3\nli r4, 7\njmp 0", "one").words);
  EXPECT_EQ(program.files, (std::vector<std::string>{"a.s", "b.s"}));
  EXPECT_EQ(program.lines, (std::vector<SourceLine>{{0, 3}, {0, 4}, {1, 6}, {1, 3}, {1, 4}}));
}

TEST(Sources, AnErrorNamesItsFileAndTheLineThere) {
  EXPECT_EQ(error_of({{"a.s", "halt\nhalt\n"}, {"b.s", "halt\nhald\n"}}),
            "b.s:2: unknown instruction 'hald'. HINT: did you mean 'halt'?");
  EXPECT_EQ(error_of({{"a.s", "x: halt"}, {"b.s", "\nx: halt"}}),
            "b.s:2: 'x' is already defined in a.s:1. HINT: choose another name.");
  EXPECT_EQ(error_of({{"a.s", ".reg x, r1\nhalt"}, {"b.s", "mov x, r2"}}),
            "b.s:1: expected a register at 'x, r2'. HINT: use r0 to r15, or name one with .reg NAME, r3.");
}

TEST(Sources, AFileNeedsNoLineEndAtItsEnd) {
  EXPECT_EQ(joined({{"a.s", "halt"}, {"b.s", "join"}}).words, assemble("halt\njoin", "one").words);
}

TEST(Sources, NoneAreAnEmptyProgram) {
  EXPECT_TRUE(joined({}).words.empty());
  EXPECT_TRUE(joined({{"a.s", ""}, {"b.s", "; nothing"}}).words.empty());
}

TEST(Sources, AProgramFitsInstructionMemory) {
  std::string text;
  for (int n = 0; n < isa::kIDepth; ++n) text += "halt\n";
  EXPECT_EQ(joined({{"a.s", text}}).words.size(), static_cast<std::size_t>(isa::kIDepth));
  EXPECT_EQ(error_of({{"a.s", text}, {"b.s", "; one more\n  join\n  join"}}),
            "b.s:2: the program is longer than the 1024 instructions there is room for. HINT: make it shorter.");
}

TEST(Sources, ALabelBehindInstructionMemoryIsNoTarget) {
  std::string text = "jmp behind\n";
  for (int n = 1; n < isa::kIDepth; ++n) text += "halt\n";
  EXPECT_EQ(error_of({{"a.s", text + "behind:"}}), "a.s:1: jump target 1024 is out of range. HINT: use 0 to 1023.");
}

}  // namespace
}  // namespace weft::assembler
