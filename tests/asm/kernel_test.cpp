/// `.kernel`, `.routine` and the names of registers.
#include "tests/asm/wrong.hpp"

namespace weft::assembler {
namespace {

const char* const kText =
    "; A file's title.\n"
    "\n"
    ";; Doubles x in place,\n"
    ";  n times.\n"
    ".kernel double x=r1 n=r4\n"
    ".reg sum, r5\n"
    "  add sum, x, x\n"
    "  dbnz n, double\n"
    "  halt\n"
    "// Nothing.\n"
    "\n"
    ".kernel rest\n"
    "  halt\n";

TEST(Kernels, AreLabelsWithNamedArguments) {
  const Program program = assemble(kText, "k.s");
  EXPECT_EQ(program.words, assemble("add r5, r1, r1\ndbnz r4, 0\nhalt\nhalt", "plain").words);
  EXPECT_EQ(program.labels, (std::map<std::string, std::uint16_t>{{"double", 0}, {"rest", 3}}));
  ASSERT_EQ(program.kernels.size(), 2U);
  const Kernel& k = program.kernels[0];
  EXPECT_EQ(k.name, "double");
  EXPECT_EQ(k.address, 0);
  ASSERT_EQ(k.parameters.size(), 2U);
  EXPECT_EQ(k.parameters[0].name, "x");
  EXPECT_EQ(k.parameters[0].reg, 1);
  EXPECT_EQ(k.parameters[1].name, "n");
  EXPECT_EQ(k.parameters[1].reg, 4);
  EXPECT_EQ(k.doc, "Doubles x in place,\nn times.");
  EXPECT_EQ(k.file, "k.s");
  EXPECT_EQ(k.line, 5);
  EXPECT_EQ(program.kernels[1].doc, "");  // an empty line separates the comment
  EXPECT_EQ(program.kernel("rest"), &program.kernels[1]);
  EXPECT_EQ(program.kernel("double "), nullptr);
}

TEST(Kernels, AreDeclaredWithoutTheCallersConstants) {
  const Source source{"k.s", ".kernel a x=r2\n  li x, GIVEN\n  halt"};
  EXPECT_THROW(assemble({&source, 1}), AssemblyError);
  const std::vector<Kernel> kernels = declared_kernels({&source, 1});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].parameters.at(0).name, "x");
}

TEST(Kernels, NamesEndWithTheRoutine) {
  EXPECT_EQ(error_of(".kernel a x=r1\n.reg y, r2\n  mov x, y\n  halt\n.kernel b\n  mov r1, y\n  halt"),
            "k.s:6: expected a register at 'y'. HINT: use r0 to r15, or name one with .reg NAME, r3.");
  EXPECT_EQ(error_of(".kernel a x=r1\n  halt\n.routine b\n  mov r1, x"),
            "k.s:4: expected a register at 'x'. HINT: use r0 to r15, or name one with .reg NAME, r3.");
}

TEST(Kernels, NamesMeanAnotherRegisterInAnotherRoutine) {
  const Program program = assemble(
      ".reg one, r15\n"
      ".kernel a x=r1\n.reg y, r2\n  add y, x, one\n  halt\n"
      ".routine b x=r0 z=r3 y=r3\n  add y, x, one\n",
      "k.s");
  EXPECT_EQ(program.words, assemble("add r2, r1, r15\nhalt\nadd r3, r0, r15", "plain").words);
  EXPECT_EQ(program.kernels.size(), 1U);
  EXPECT_EQ(program.labels.at("b"), 2);
}

class KernelErrors : public testing::TestWithParam<Wrong> {};

TEST_P(KernelErrors, SayWhereWhatAndWhatToDo) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    All, KernelErrors,
    testing::Values(
        Wrong{".kernel\n halt", "k.s:1: '' is not a name. HINT: start a name with a letter or _."},
        Wrong{".kernel a\n halt\n.kernel a\n halt",
              "k.s:3: 'a' is already defined in k.s:1. HINT: choose another name."},
        Wrong{".kernel a x\n halt",
              "k.s:1: expected '=' at the end of the line. HINT: write '.kernel NAME x=r1 y=r2'."},
        Wrong{".kernel a x=3\n halt", "k.s:1: expected a register at '3'. HINT: use r1 to r15."},
        Wrong{".kernel a x=r1 x=r2\n halt", "k.s:1: 'x' is given twice. HINT: choose another name."},
        Wrong{".kernel a x=r1 y=r1\n halt", "k.s:1: r1 has two names. HINT: give each argument a register of its own."},
        Wrong{".kernel a x=r0\n halt", "k.s:1: r0 cannot be an argument: it reads 0. HINT: use r1 to r15."},
        Wrong{".kernel a r2=r1\n halt", "k.s:1: 'r2' is a word of the language. HINT: choose another name."},
        Wrong{".kernel a a=r1\n halt", "k.s:1: 'a' is already defined in k.s:1. HINT: choose another name."},
        Wrong{".kernel a x=r1\n.reg x, r2\n halt",
              "k.s:2: 'x' is already defined in k.s:1. HINT: choose another name."},
        Wrong{".reg x, r2\n.kernel a x=r1\n halt",
              "k.s:2: 'x' is already defined in k.s:1. HINT: choose another name."},
        Wrong{".kernel a x=r1\n li x, x\n halt",
              "k.s:2: 'x' is a register, not a number. HINT: use a form of the instruction that takes one."},
        Wrong{"halt\n.kernel a\n; nothing", "k.s:2: the kernel has no instruction. HINT: end it with halt."}));

}  // namespace
}  // namespace weft::assembler
