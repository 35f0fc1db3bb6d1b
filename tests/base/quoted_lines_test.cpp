/// Other programs' output and file names, escaped for a terminal.
#include "sw/base/quoted_lines.hpp"

#include <gtest/gtest.h>

namespace weft::test {
namespace {

TEST(QuotedLines, KeepTheirBreaksAndNothingElseThatATerminalObeys) {
  EXPECT_EQ(quoted_lines("one\ntwo\n"), "one\ntwo\n");
  EXPECT_EQ(quoted_lines("a\x1b[2J\r\n\xff\n\xe2\x80\xae"
                         "b"),
            "a\\x1b[2J\\x0d\n\\xff\n\\xe2\\x80\\xaeb");
  EXPECT_EQ(quoted_lines(""), "");
  EXPECT_EQ(quoted_lines(std::string(10'000, 'x') + "\n").size(), 10'001U) << "of any length";
}

TEST(QuotedLines, APlainNameIsOneLineOfUtf8) {
  EXPECT_TRUE(is_plain("h.0.attn \xc3\xa4"));
  for (const char* name : {"a\nb", "a\x1b[2J", "\xff", "\xe2\x80\xae"}) EXPECT_FALSE(is_plain(name)) << name;
}

}  // namespace
}  // namespace weft::test
