/// The examples in sw/asm/README.md assemble.
#include <fstream>

#include "tests/asm/wrong.hpp"

namespace weft::assembler {
namespace {

TEST(Readme, ItsExamplesAssemble) {
  std::ifstream file(WEFT_ASM_README);
  ASSERT_TRUE(file.is_open()) << WEFT_ASM_README;
  std::vector<std::string> examples;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```") {
      inside = !inside;
      if (inside) examples.emplace_back();
    } else if (inside) {
      examples.back() += (line == "        ..." ? "  halt" : line) + "\n";
    }
  }
  EXPECT_EQ(examples.size(), 5U);
  for (const std::string& example : examples) EXPECT_EQ(error_of(example), "no error") << example;
}

}  // namespace
}  // namespace weft::assembler
