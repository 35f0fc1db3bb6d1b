#include <gtest/gtest.h>

#include "host/tokenizer/pcre_text.hpp"
#include "host/tokenizer/splitter.hpp"
#include "host/tokenizer/unicode/characters.hpp"

namespace weft::tokenizer {
namespace {

std::string utf8(std::uint32_t code) {
  std::string text;
  append_utf8(code, text);
  return text;
}

TEST(Unicode, EveryCodePointRoundTripsAndNothingElseIsOne) {
  for (std::uint32_t code = 0; code < kCodePoints; ++code) {
    const std::string text = utf8(code);
    const Character c = character_at(text.data(), text.data() + text.size());
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    ASSERT_EQ(c.code, surrogate ? kInvalid : code);
    ASSERT_EQ(c.bytes, surrogate ? 1 : text.size());
    if (text.size() > 1) {  // cut short
      ASSERT_EQ(character_at(text.data(), text.data() + text.size() - 1).code, kInvalid);
    }
  }
  for (const std::string bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                                "\xf5\x80\x80\x80", "\xff", "\xc3(", "\xe2\x82("})
    EXPECT_EQ(character_at(bad.data(), bad.data() + bad.size()).code, kInvalid) << testing::PrintToString(bad);
}

TEST(Unicode, KindsAreThoseOfUnicode16) {
  // From the years of their introduction: 16.0 (Garay, Todhri), 15.0 (Kawi digits, CJK extension H), 14.0.
  for (const std::uint32_t letter : {0x41u, 0xe9u, 0x4e2du, 0x10d4au, 0x105c0u, 0x31350u, 0x1c89u, 0x870u})
    EXPECT_EQ(kind_of(letter), Kind::Letter) << std::hex << letter;
  for (const std::uint32_t number : {0x30u, 0xb2u, 0x663u, 0x2160u, 0x11f50u, 0x10d40u})
    EXPECT_EQ(kind_of(number), Kind::Number) << std::hex << number;
  for (const std::uint32_t space : {0x09u, 0x0bu, 0x20u, 0x85u, 0xa0u, 0x1680u, 0x2007u, 0x2028u, 0x202fu, 0x3000u})
    EXPECT_EQ(kind_of(space), Kind::Space) << std::hex << space;
  for (const std::uint32_t other :
       {0x21u, 0x1cu, 0x180eu, 0x200bu, 0x301u, 0xfeffu, 0x1f600u, 0x378u, 0x11de0u, kInvalid})
    EXPECT_EQ(kind_of(other), Kind::Other) << std::hex << other;
}

/// Must hold for any version of the tables in the installed PCRE2.
TEST(Unicode, ThePatternLibrarySeesEachCodePointAsTheTableDoes) {
  const auto letters = make_regex_splitter({R"(\p{L}+)"}), numbers = make_regex_splitter({R"(\p{N}+)"}),
             spaces = make_regex_splitter({R"(\s+)"}), marks = make_regex_splitter({R"([\p{M}\p{Cf}\p{Lu}]+)"});
  std::vector<std::uint32_t> ends;
  const auto joins = [&](const Splitter& splitter, const std::string& text) {
    ends.clear();
    splitter.split(text, ends);
    return ends.size() == 1;
  };
  for (std::uint32_t code = 0; code < kCodePoints; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const std::string text = utf8(code);
    const std::string name = kCategoryNames[categories()[code]];
    ASSERT_EQ(joins(*letters, "a" + text), kind_of(code) == Kind::Letter) << std::hex << code;
    ASSERT_EQ(joins(*numbers, "1" + text), kind_of(code) == Kind::Number) << std::hex << code;
    ASSERT_EQ(joins(*spaces, "\t" + text), kind_of(code) == Kind::Space) << std::hex << code;
    ASSERT_EQ(joins(*marks, "A" + text), name[0] == 'M' || name == "Cf" || name == "Lu") << std::hex << code;
  }
}

TEST(Unicode, AStandInIsAsLongAsWhatItStandsFor) {
  std::string out;
  EXPECT_FALSE(with_stand_ins("plain \u00e9 \u4e2d", out));
  const std::string text =
      "a\xff\u180e"
      "b\xc3";
  ASSERT_TRUE(with_stand_ins(text, out));
  EXPECT_EQ(out,
            "a\x7f\u2060"
            "b\x7f");
  EXPECT_EQ(out.size(), text.size());
}

}  // namespace
}  // namespace weft::tokenizer
