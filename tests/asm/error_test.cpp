/// Assembler errors name the place, the problem and a remedy.
#include "tests/asm/wrong.hpp"

namespace weft::assembler {
namespace {

/// The error from assembling `text` as line 3 of k.s.
std::string error_of_line(const std::string& text) {
  const std::string whole = "start:\n  halt\n" + text + "\n";
  return error_of({{"k.s", whole}}, {{"GIVEN", 1}});
}

class Errors : public testing::TestWithParam<Wrong> {};

TEST_P(Errors, SayWhereWhatAndWhatToDo) { EXPECT_EQ(error_of_line(GetParam().text), "k.s:3: " + GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    Names, Errors,
    testing::Values(Wrong{"dbz r1, 0", "unknown instruction 'dbz'. HINT: did you mean 'dbnz'?"},
                    Wrong{"vf.fna M[r1], M[r1], A, Z", "unknown function 'fna' of 'vf'. HINT: did you mean 'fma'?"},
                    Wrong{"qwertzuiop", "unknown instruction 'qwertzuiop'. HINT: docs/reference/isa.md lists them."},
                    Wrong{std::string("jmp \0\r\x1b[2J", 10),
                          "expected a number at '\\x00\\x0d\\x1b[2J'. HINT: write a number, a name or an expression."},
                    Wrong{"# halt", "expected an instruction at '# halt'. HINT: comments start with ; or //."},
                    Wrong{"jmp stort", "undefined name 'stort'. HINT: did you mean 'start'?"},
                    Wrong{"jmp nowhere_near",
                          "undefined name 'nowhere_near'. HINT: define it with .equ, or as a label 'NAME:'."},
                    Wrong{"start: halt", "'start' is already defined in k.s:1. HINT: choose another name."},
                    Wrong{".equ GIVEN, 2", "'GIVEN' is already defined by the caller. HINT: choose another name."},
                    Wrong{"r3: halt", "'r3' is a word of the language. HINT: choose another name."},
                    Wrong{"csrw LMAKS, r1", "unknown control register 'LMAKS'. HINT: did you mean 'LMASK'?"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, Errors,
    testing::Values(Wrong{"li r1, 65536", "immediate 65536 is out of range. HINT: use -32768 to 65535."},
                    Wrong{"shl r1, r1, 16", "shift by 16 is out of range. HINT: use 0 to 15."},
                    Wrong{"snd 32, r1", "color 32 is out of range. HINT: use 1 to 31."},
                    Wrong{"li r1, 12q",
                          "'12q' is not an integer. HINT: write 12, 0x1f, 0b101, or bf16(0.5) for a bf16 "
                          "constant."},
                    Wrong{"li r1, bf16(x)", "'x' is not a number. HINT: write bf16(-1.5e-3)."},
                    Wrong{"li r1, r2",
                          "'r2' is a register, not a number. HINT: use a form of the instruction that takes "
                          "one."}));

/// The assembler rejects encodings that the machine treats as BAD_INSTR (docs/reference/pe.md, Edge cases).
INSTANTIATE_TEST_SUITE_P(
    Illegal, Errors,
    testing::Values(
        Wrong{"csrr r1, 14",
              "there is no control register 14. HINT: use VL REP STA STB STD IDX LMASK STR ROW ROWS FLAGS COL COLS."},
        Wrong{"csrr r1, 13",
              "there is no control register 13. HINT: use VL REP STA STB STD IDX LMASK STR ROW ROWS FLAGS COL COLS."},
        Wrong{"csrw 14, r1", "there is no control register 14. HINT: use VL REP STA STB STD IDX LMASK STR."},
        Wrong{"csrw ROW, r1", "control register ROW is read only. HINT: use VL REP STA STB STD IDX LMASK STR."},
        Wrong{"csrw 12, r1", "control register COLS is read only. HINT: use VL REP STA STB STD IDX LMASK STR."},
        Wrong{"jmp 1024", "jump target 1024 is out of range. HINT: use 0 to 1023."},
        Wrong{"dbnz r1, 65535", "jump target 65535 is out of range. HINT: use 0 to 1023."},
        Wrong{"snd W, r1",
              "color W brings weights and commands to main. HINT: use RING, NORTH, WEST, EAST or 1 to 31."},
        Wrong{"rcv r1, 0",
              "color W brings weights and commands to main. HINT: use RING, NORTH, WEST, EAST or 1 to 31."},
        Wrong{"vs.add in=W, own=R[r1], out=RING",
              "color W brings weights and commands to main. HINT: use RING, NORTH, WEST, EAST or 1 to 31."},
        Wrong{"vb src=M[r1], out=0, dst=M[r2]",
              "color W brings weights and commands to main. HINT: use RING, NORTH, WEST, EAST or 1 to 31."},
        Wrong{"vr in=WEST, out=W, src=R[r2]",
              "color W brings weights and commands to main. HINT: use RING, NORTH, WEST, EAST or 1 to 31."},
        Wrong{"vs.mov own=R[r2], out=WEST, gather=W",
              "color W brings weights and commands to main. HINT: use RING, NORTH, WEST, EAST or 1 to 31."}));

INSTANTIATE_TEST_SUITE_P(
    Operands, Errors,
    testing::Values(
        Wrong{"add r1, r2", "expected ',' at the end of the line. HINT: write 'add rd, ra, rb'."},
        Wrong{"halt r1", "unexpected text at 'r1'. HINT: write 'halt'."},
        Wrong{"add r1, r2, 3", "expected a register at '3'. HINT: use r0 to r15, or name one with .reg NAME, r3."},
        Wrong{"vf.fma M[r1], R[r1], A, Z", "wrong operand for a of vf at 'R[r1], A, Z'. HINT: use M[r], S[r], OH[r]."},
        Wrong{"vf.fma M[r1], M[r1], Q[r2], Z",
              "wrong operand for b of vf at 'Q[r2], Z'. HINT: use S[r], R[r], MS[r], A, M[r]."},
        Wrong{"vf.fma M[r1], M[r1], A, MS[r2]",
              "wrong operand for c of vf at 'MS[r2]'. HINT: use Z, R[r], A, S[r], M[r]."},
        Wrong{"vf.fma R[r1], S[r1], M[r2], Z",
              "a second vector in memory needs a in memory. HINT: write M[...] for a."},
        Wrong{"vf.fma R[r1], OH[r1], S[r2], M[r3]",
              "a second vector in memory needs a in memory. HINT: write M[...] for a."},
        Wrong{"vf.fma R[r1], M[r1], M[r2], M[r3]", "b and c are both vectors in memory. HINT: put one of them into R."},
        Wrong{"vf.fma R[r1], M[r1], R[r2], M[r3]",
              "c is in memory, so b can be S[...] or A only. HINT: put c into R, or b into a register."},
        Wrong{"vf.fma R[r1], M[r1], MS[r2], M[r3]",
              "c is in memory, so b can be S[...] or A only. HINT: put c into R, or b into a register."},
        Wrong{"vdot R[r1], M[r2], R[r3]", "wrong operand for dy of vdot at 'R[r3]'. HINT: use M[r]."},
        Wrong{"vdot R[r1], M[r2]",
              "expected ',' at the end of the line. HINT: write 'vdot R[r6], M[r1], M[r7]' or "
              "'vdot R[r6], M[r1], M[r7], r8'."},
        Wrong{"vb in=RING, dst=R[r1]", "wrong operand for dst of vb at 'R[r1]'. HINT: use M[r]."},
        Wrong{"vb src=M[r1]", "vb has no dst. HINT: add dst=M[r]."},
        Wrong{"vaxs Q[r1], M[r2], interleave, put, interleave", "'interleave' is given twice. HINT: keep one of them."},
        Wrong{"vaxs R[r1], S[r2]", "wrong operand for the memory operand at 'S[r2]'. HINT: use M[r], OH[r]."},
        Wrong{"vaxs.fma R[r1], M[r2]", "'vaxs' has no functions. HINT: write 'vaxs'."},
        Wrong{"vs in=RING", "'vs' needs a function. HINT: use one of vs.add, vs.max, vs.mov."},
        Wrong{"vs.add in=RING, out=RING", "vs has no own. HINT: add own=R[r] or own=Q[r]."},
        Wrong{"vs.add in=RING, in=RING", "'in' is given twice. HINT: keep one of them."},
        Wrong{"vs.add owm=R[r1]", "unknown operand at 'owm=R[r1]'. HINT: did you mean 'own'?"},
        Wrong{"vs.mov in=WEST, own=R[r1], out=WEST, gather",
              "gather sends its own vector and forwards those of the others. HINT: give own and out, but neither in "
              "nor dst."},
        Wrong{"vb dst=M[r1]",
              "vb takes its vector from a color or from memory. HINT: give one of in=COLOR and src=M[r]."}));

TEST(Errors, ShowTheCallersConstantsWithoutALine) { EXPECT_THROW(assemble("halt", "k.s", {{"r3", 1}}), AssemblyError); }

}  // namespace
}  // namespace weft::assembler
