#include "host/generate/utf8_stream.hpp"

#include <gtest/gtest.h>

namespace weft::generate {
namespace {

const std::string kBad = "\xef\xbf\xbd";

/// The output for each byte when bytes arrive one by one, separated by bars.
std::string one_by_one(const std::string& bytes) {
  Utf8Stream stream;
  std::string text;
  for (const char c : bytes) text += stream.push(std::string(1, c)) + "|";
  return text + stream.end();
}

TEST(Utf8Stream, GivesACharacterWhenItIsWhole) {
  EXPECT_EQ(one_by_one("a\xc3\xa9z"), "a||\xc3\xa9|z|");
  EXPECT_EQ(one_by_one("\xf0\x9f\x98\x80"), "|||\xf0\x9f\x98\x80|");
  Utf8Stream stream;
  EXPECT_EQ(stream.push("ab\xe2\x82"), "ab");
  EXPECT_EQ(stream.push("\xac!"), "\xe2\x82\xac!");
  EXPECT_EQ(stream.end(), "");
}

TEST(Utf8Stream, ReplacesWhatIsNoCharacter) {
  EXPECT_EQ(one_by_one("a\xff"
                       "b"),
            "a|" + kBad + "|b|");
  EXPECT_EQ(one_by_one("\xc3"
                       "b"),
            "|" + kBad + "b|")
      << "begun, not gone on with";
  EXPECT_EQ(one_by_one("\xa9"), kBad + "|");
  EXPECT_EQ(one_by_one("a\xe2\x82"), "a|||" + kBad) << "the end is in the middle of one";
  Utf8Stream stream;
  EXPECT_EQ(stream.push("\xed\xa0\x80"), kBad + kBad + kBad) << "a surrogate";
  EXPECT_EQ(stream.end(), "");
}

}  // namespace
}  // namespace weft::generate
