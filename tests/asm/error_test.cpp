/// Errors say where, what and what to do.
#include <gtest/gtest.h>

#include "sw/asm/assembler.hpp"

namespace weft {
namespace {

/// The message of assembling `text` as line 3 of k.s.
std::string error_of(const std::string& text) {
  try {
    assemble("start:\n  halt\n" + text + "\n", "k.s", {{"GIVEN", 1}});
  } catch (const AssemblyError& error) {
    EXPECT_EQ(error.file, "k.s");
    EXPECT_EQ(error.line, 3);
    return error.what();
  }
  return "no error";
}

struct Case {
  std::string text;
  std::string message;  ///< without `k.s:3: `
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class Errors : public testing::TestWithParam<Case> {};

TEST_P(Errors, SayWhereWhatAndWhatToDo) { EXPECT_EQ(error_of(GetParam().text), "k.s:3: " + GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Names, Errors,
    testing::Values(Case{"dbz r1, 0", "unknown instruction 'dbz'. HINT: did you mean 'dbnz'?"},
                    Case{"vf.fna M[r1], M[r1], A, Z", "unknown function 'fna' of 'vf'. HINT: did you mean 'fma'?"},
                    Case{"qwertzuiop", "unknown instruction 'qwertzuiop'. HINT: docs/isa.md lists them."},
                    Case{std::string("jmp \0\r\x1b[2J", 10),
                         "expected a number at '\\x00\\x0d\\x1b[2J'. HINT: write a number, a name or an expression."},
                    Case{"# halt", "expected an instruction at '# halt'. HINT: comments start with ; or //."},
                    Case{"jmp stort", "undefined name 'stort'. HINT: did you mean 'start'?"},
                    Case{"jmp nowhere_near",
                         "undefined name 'nowhere_near'. HINT: define it with .equ, or as a label 'NAME:'."},
                    Case{"start: halt", "'start' is already defined in line 1. HINT: choose another name."},
                    Case{".equ GIVEN, 2", "'GIVEN' is already defined by the caller. HINT: choose another name."},
                    Case{"r3: halt", "'r3' is a word of the language. HINT: choose another name."},
                    Case{"csrw LMAKS, r1", "unknown control register 'LMAKS'. HINT: did you mean 'LMASK'?"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, Errors,
    testing::Values(Case{"li r1, 65536", "immediate 65536 is out of range. HINT: use -32768 to 65535."},
                    Case{"shl r1, r1, 16", "shift by 16 is out of range. HINT: use 0 to 15."},
                    Case{"snd 32, r1", "color 32 is out of range. HINT: use 0 to 31."},
                    Case{"li r1, 12q",
                         "'12q' is not an integer. HINT: write 12, 0x1f, 0b101, or bf16(0.5) for a bf16 "
                         "constant."},
                    Case{"li r1, bf16(x)", "'x' is not a number. HINT: write bf16(-1.5e-3)."},
                    Case{"li r1, r2",
                         "'r2' is a register, not a number. HINT: use a form of the instruction that takes "
                         "one."}));

INSTANTIATE_TEST_SUITE_P(
    Operands, Errors,
    testing::Values(
        Case{"add r1, r2", "expected ',' at the end of the line. HINT: write 'add rd, ra, rb'."},
        Case{"halt r1", "unexpected text at 'r1'. HINT: write 'halt'."},
        Case{"add r1, r2, 3", "expected a register at '3'. HINT: use r0 to r15, or name one with .reg NAME, r3."},
        Case{"vf.fma M[r1], R[r1], A, Z", "wrong operand for a of vf at 'R[r1], A, Z'. HINT: use M[r], S[r], OH[r]."},
        Case{"vaxs R[r1], S[r2]", "wrong operand for the memory operand at 'S[r2]'. HINT: use M[r], OH[r]."},
        Case{"vaxs.fma R[r1], M[r2]", "'vaxs' has no functions. HINT: write 'vaxs'."},
        Case{"vs in=RING", "'vs' needs a function. HINT: use one of vs.add, vs.max, vs.mov."},
        Case{"vs.add in=RING, out=RING", "vs has no own. HINT: add own=R[r] or own=Q[r]."},
        Case{"vs.add in=RING, in=RING", "'in' is given twice. HINT: keep one of them."},
        Case{"vs.add owm=R[r1]", "unknown operand at 'owm=R[r1]'. HINT: did you mean 'own'?"},
        Case{"vs.mov in=WEST, own=R[r1], out=WEST, gather",
             "gather sends its own vector and passes on the others'. HINT: give own and out, but neither in nor dst."},
        Case{"vb dst=R[r1]",
             "vb takes its vector from a color or from memory. HINT: give one of in=COLOR and src=M[r]."}));

TEST(Errors, ShowTheCallersConstantsWithoutALine) { EXPECT_THROW(assemble("halt", "k.s", {{"r3", 1}}), AssemblyError); }

}  // namespace
}  // namespace weft
