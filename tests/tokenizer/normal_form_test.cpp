#include "host/tokenizer/unicode/normal_form.hpp"

#include <gtest/gtest.h>

namespace weft::tokenizer {
namespace {

TEST(NormalForm, TextIsComposedOrDecomposed) {
  using enum NormalForm;
  const std::string composed = "\u00e9 \ufb01", decomposed = "e\u0301 \ufb01";
  EXPECT_EQ(normalized(decomposed, Nfc), composed);
  EXPECT_EQ(normalized(composed, Nfd), decomposed);
  EXPECT_EQ(normalized(decomposed, Nfkc), "\u00e9 fi");
  EXPECT_EQ(normalized(composed, Nfkd), "e\u0301 fi");
  EXPECT_EQ(normalized("a\u0301\u0323", Nfc), "\u1ea1\u0301") << "marks are put in order";
  EXPECT_EQ(normalized("\u1112\u1161\u11ab", Nfc), "\ud55c");
  EXPECT_EQ(normalized("", Nfc), "");
}

TEST(NormalForm, InvalidBytesStayAndSeparate) {
  using enum NormalForm;
  EXPECT_EQ(normalized("e\xcc\xff\u0301\xe2\x82", Nfc), "e\xcc\xff\u0301\xe2\x82");
  EXPECT_EQ(normalized("\xff"
                       "e\u0301\xff",
                       Nfc),
            "\xff\u00e9\xff");
}

/// U+1715 has a class since Unicode 14; U+11938 can be composed since Unicode 13: `tokenizers` has Unicode 9.
TEST(NormalForm, LaterCharactersStay) {
  using enum NormalForm;
  EXPECT_EQ(normalized("\u0301\u1715\u0334", Nfd), "\u0301\u1715\u0334");
  EXPECT_EQ(normalized("\U00011935\U00011930", Nfc), "\U00011935\U00011930");
  EXPECT_EQ(normalized("\U00011938", Nfd), "\U00011938");
}

}  // namespace
}  // namespace weft::tokenizer
