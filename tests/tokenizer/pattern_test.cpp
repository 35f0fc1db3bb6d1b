#include "host/tokenizer/pattern.hpp"

#include <gtest/gtest.h>

#include "host/tokenizer/splitter.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"

namespace weft::tokenizer {
namespace {

std::string refusal_of(const std::string& pattern) {
  try {
    make_splitter({pattern});
  } catch (const Refusal& e) {
    return e.what();
  }
  return "nothing is refused";
}

TEST(Pattern, CommonSyntaxIsKept) {
  for (const std::string pattern : {R"([^\r\n\p{L}\p{N}]?\p{L}+)", R"(\p{N}{1,3})", R"((?i:'s|'t)|\s+(?!\S))",
                                    R"([A-Za-z_]++)", R"(\p{^Lu}\P{Sm}\x41\-[\]\\])"})
    EXPECT_EQ(pattern_for_pcre2(pattern), pattern);
  EXPECT_EQ(pattern_for_pcre2(R"([\u4e00-\u9fa5])"), R"([\x{4e00}-\x{9fa5}])");
}

TEST(Pattern, DifferingSyntaxIsRejectedByName) {
  for (const std::string part : {R"(\w)", R"(\b)", R"(\h)", R"(\R)", R"(\p{Han})", R"(\p{Alphabetic})", "^", "$", ".",
                                 R"(\x{41})", R"(\x80)", "(?m", "(?<n", R"(\1)"})
    EXPECT_SAYS(refusal_of("a" + part + (part.starts_with("(") ? ":b)" : "")), "\"" + part.substr(0, 2));
  EXPECT_SAYS(refusal_of("a{1,3}+"), "{1,3}+");
  EXPECT_SAYS(refusal_of("a{,3}"), "\"{\"");
  EXPECT_SAYS(refusal_of("[a[b]]"), "\"[b\"");
  EXPECT_SAYS(refusal_of("[a&&b]"), "\"&&\"");
}

TEST(Pattern, InvalidPatternReportsThePlace) {
  EXPECT_SAYS(refusal_of("ab(?:c"), "is invalid: missing closing parenthesis, at position 6");
  EXPECT_SAYS(refusal_of("*"), "is invalid");
}

}  // namespace
}  // namespace weft::tokenizer
