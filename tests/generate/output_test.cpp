#include "host/generate/output.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace weft::generate {
namespace {

TEST(Output, IsOneTextAsItArrivesAndNothingElse) {
  std::ostringstream out;
  PrintedOutput output(out, 1);
  output.write(0, "a");
  EXPECT_EQ(out.str(), "a");
  output.write(0, "b\n");
  output.end(0);
  EXPECT_EQ(out.str(), "ab\n");
}

TEST(Output, HasLaterTextsWaitForTheFirst) {
  std::ostringstream out;
  PrintedOutput output(out, 3);
  for (const std::size_t n : {0, 1, 2}) output.write(n, std::string(1, static_cast<char>('a' + n)));
  EXPECT_EQ(out.str(), "==> 1 <==\na") << "the first one as it comes";
  output.write(2, "\n");
  output.end(2);
  output.write(0, "\n");
  EXPECT_EQ(out.str(), "==> 1 <==\na\n");
  output.end(0);
  EXPECT_EQ(out.str(), "==> 1 <==\na\n==> 2 <==\nb") << "then the second";
  output.write(1, "\n");
  EXPECT_EQ(out.str(), "==> 1 <==\na\n==> 2 <==\nb\n");
  output.end(1);
  EXPECT_EQ(out.str(), "==> 1 <==\na\n==> 2 <==\nb\n==> 3 <==\nc\n");
}

TEST(Output, IsCollectedTextByText) {
  CollectedOutput output(2);
  output.write(1, "b");
  output.write(0, "a");
  output.write(1, "c");
  output.end(1);
  EXPECT_EQ(output.texts(), (std::vector<std::string>{"a", "bc"}));
}

}  // namespace
}  // namespace weft::generate
