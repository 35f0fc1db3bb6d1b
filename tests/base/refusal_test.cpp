/// Refusals are one-line messages.
#include "sw/base/refusal.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace weft::test {
namespace {

TEST(Refusal, IsALineOfSubjectProblemAndHint) {
  EXPECT_STREQ(Refusal("mine.yaml:3: model.num_heads", "5 does not divide 64", "use 4 or 8").what(),
               "mine.yaml:3: model.num_heads: 5 does not divide 64. HINT: use 4 or 8.");
  EXPECT_STREQ(Refusal("", "nothing there", "did you mean train?").what(), "nothing there. HINT: did you mean train?");
}

TEST(Refusal, SaysWhereItIsOnceSomebodyKnows) {
  const Refusal inner("out/x", "is not a folder", "name another");
  EXPECT_STREQ(inner.within("a.yaml:1: runconfig.model_dir").what(),
               "a.yaml:1: runconfig.model_dir: out/x: is not a folder. HINT: name another.");
}

TEST(Refusal, StaysOneLineWhateverItQuotes) {
  const std::string line = Refusal("a\nb", std::string(5000, 'x') + "\x1b[2J", "\r").what();
  EXPECT_EQ(line.find_first_of("\n\r\x1b"), std::string::npos);
  EXPECT_LT(line.size(), 3100U);
}

TEST(Refusal, HasNothingThatATerminalObeysAndNothingThatIsNoText) {
  EXPECT_EQ(one_line("caf\u00e9 \u6f22 \U0001f600"), "caf\u00e9 \u6f22 \U0001f600");
  EXPECT_EQ(one_line("\x1b]0;owned\x07\x7f"), "\\x1b]0;owned\\x07\\x7f");
  EXPECT_EQ(one_line("\u0085\u009b31m"), "\\xc2\\x85\\xc2\\x9b31m") << "controls of eight bits";
  EXPECT_EQ(one_line("gpj.\u202eexe"), "gpj.\\xe2\\x80\\xaeexe") << "what turns the direction of writing";
  EXPECT_EQ(one_line("\u2028\u200b\ufeff"), "\\xe2\\x80\\xa8\\xe2\\x80\\x8b\\xef\\xbb\\xbf");
  EXPECT_EQ(one_line("\x80\xff"), "\\x80\\xff");
  EXPECT_EQ(one_line("\xc0\xaf"), "\\xc0\\xaf") << "longer than need be";
  EXPECT_EQ(one_line("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(one_line("\xf4\x90\x80\x80\xe6\xbc"), "\\xf4\\x90\\x80\\x80\\xe6\\xbc");
  EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Refusal, ALongTextEndsBetweenTwoLetters) {
  EXPECT_EQ(one_line("\u00e9\u00e9", 3), "\u00e9...");
  EXPECT_EQ(one_line("\u00e9\u00e9", 4), "\u00e9\u00e9");
  EXPECT_EQ(printable(std::string(500, 'x')).size(), 123U);
}

TEST(Refusal, IsTheUsersMistakeUnlessADiskHasFailed) {
  const Refusal refusal("a", "cannot be written", "make room");
  EXPECT_EQ(refusal.exit_code(), 2);
  for (const int error : {0, EACCES, EPERM, ENOENT, EISDIR, ENOTDIR, EROFS, EEXIST, ENAMETOOLONG, EMFILE, EFBIG})
    EXPECT_EQ(refusal.caused_by(error).exit_code(), 2) << error;
  for (const int error : {ENOSPC, EDQUOT, EIO, ESTALE}) EXPECT_EQ(refusal.caused_by(error).exit_code(), 1) << error;
  const Refusal full = refusal.caused_by(ENOSPC);
  EXPECT_EQ(full.within("b").at("c:1").exit_code(), 1) << "wherever it was";
  EXPECT_STREQ(full.reworded("d", "is full", "delete").what(), "d: is full. HINT: delete.");
  EXPECT_EQ(full.reworded("d", "is full", "delete").exit_code(), 1);
}

}  // namespace
}  // namespace weft::test
