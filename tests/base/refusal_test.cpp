/// One line for whatever is refused.
#include "sw/base/refusal.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Refusal, IsALineOfSubjectProblemAndHint) {
  EXPECT_STREQ(Refusal("mine.yaml:3: model.num_heads", "5 does not divide 64", "use 4 or 8").what(),
               "mine.yaml:3: model.num_heads: 5 does not divide 64. HINT: use 4 or 8.");
  EXPECT_STREQ(Refusal("", "nothing there", "did you mean train?").what(), "nothing there. HINT: did you mean train?");
}

TEST(Refusal, SaysWhereItIsOnceSomebodyKnows) {
  const Refusal inner("out/x", "is no folder", "name another");
  EXPECT_STREQ(inner.within("a.yaml:1: runconfig.model_dir").what(),
               "a.yaml:1: runconfig.model_dir: out/x: is no folder. HINT: name another.");
}

TEST(Refusal, StaysOneLineWhateverItQuotes) {
  const std::string line = Refusal("a\nb", std::string(5000, 'x') + "\x1b[2J", "\r").what();
  EXPECT_EQ(line.find_first_of("\n\r\x1b"), std::string::npos);
  EXPECT_LT(line.size(), 3100U);
}

}  // namespace
}  // namespace weft
