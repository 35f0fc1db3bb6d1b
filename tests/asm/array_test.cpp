/// `.array`: places of arrays in memory and in the accumulator file.
#include "sw/asm/arrays.hpp"
#include "tests/asm/wrong.hpp"

namespace weft::assembler {
namespace {

std::string array_error(const std::string& text) { return error_of({{"k.s", text}}, {{"LANES", 4}, {"N", 50}}); }

TEST(ArrayDirective, HaveAlignedPlacesOneBehindTheOther) {
  constexpr std::string_view kText =
      ".array a, bf16, N\n"
      ".array sum, fp32, N      ; 13 entries of 4\n"
      ".array b, int16, 2 * 3\n"
      ".array other, fp32, 1\n"
      ".array c, bf16, 1\n"
      "li r1, a\n li r2, b + 1\n li r3, c\n li r4, sum\n li r5, other\n";
  const Source source{"k.s", kText};
  const auto [program, arrays, general] = assemble_with_arrays({&source, 1}, {{"LANES", 4}, {"N", 50}});
  EXPECT_FALSE(general);
  ASSERT_EQ(arrays.size(), 5U);
  EXPECT_EQ(arrays[0].name, "a");
  EXPECT_EQ(arrays[0].count, 50);
  EXPECT_TRUE(arrays[0].in_memory());
  EXPECT_EQ(arrays[1].type, ElementType::Fp32);
  EXPECT_FALSE(arrays[1].in_memory());
  EXPECT_EQ(arrays[2].type, ElementType::Int16);
  EXPECT_EQ(arrays[2].line, 3);
  std::vector<int> addresses;
  for (const std::uint32_t word : program.words) addresses.push_back(static_cast<int>(word & 0xffff));
  EXPECT_EQ(addresses, (std::vector{0, 65, 80, 0, 13}));
}

TEST(ArrayDirective, AreRefusedWithAReason) {
  EXPECT_EQ(array_error(".array u, bf16"),
            "k.s:1: expected ',' at the end of the line. HINT: write '.array NAME, bf16, 64'.");
  EXPECT_EQ(array_error(".array u, fp16, 4"),
            "k.s:1: expected a type of elements at 'fp16, 4'. HINT: did you mean 'bf16'?");
  EXPECT_EQ(array_error(".array u, bf16, 0"), "k.s:1: the number of elements 0 is out of range. HINT: use 1 to 65536.");
  EXPECT_EQ(array_error(".array u, bf16, M"), "k.s:1: undefined name 'M'. HINT: did you mean 'N'?");
  EXPECT_EQ(array_error(".array N, bf16, 1"),
            "k.s:1: 'N' is already defined by the caller. HINT: choose another name.");
  EXPECT_EQ(
      array_error(".array u, bf16, 65536\n.array v, bf16, 1"),
      "k.s:2: the arrays in memory have 65552 elements, more than addresses of 16 bits. HINT: declare smaller arrays.");
  EXPECT_EQ(array_error(".array u, fp32, 1024\n.array v, fp32, 1"),
            "k.s:2: the arrays of fp32 take 257 entries of the accumulator file, which has 256. HINT: declare smaller "
            "arrays; an entry holds LANES elements.");
  EXPECT_EQ(error_of(".array u, fp32, 4"),
            "k.s:1: undefined name 'LANES'. HINT: define it with .equ, or as a label 'NAME:'.");
}

}  // namespace
}  // namespace weft::assembler
