#include "host/tokenizer/vocabulary.hpp"

#include <gtest/gtest.h>

#include "sw/base/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::tokenizer::vocabulary_test {
namespace {

std::string problem(std::string_view json) {
  try {
    parse_vocabulary(json);
  } catch (const Refusal& e) {
    return e.problem();
  }
  return "no error";
}

TEST(Vocabulary, IsAListInOrderOfTheTokens) {
  EXPECT_EQ(vocabulary_text(Tokenizer::characters({'b', '\n', '"', 0xef})),
            R"({"tokenizer":"char","characters":["\n","\"","b","ï"],"crc32c":"0f6a6fe6"})"
            "\n");
  const std::string bytes = R"({"tokenizer":"byte","run":"0123456789abcdef","crc32c":"1e761c9a"})";
  EXPECT_EQ(vocabulary_text(Tokenizer::bytes(), "0123456789abcdef"), bytes + "\n");
}

TEST(Vocabulary, IsRefusedIfABitOfItIsAnother) {
  const std::string text = vocabulary_text(Tokenizer::characters({'a', 'b', 'c'}), "0123456789abcdef");
  EXPECT_EQ(problem(text), "no error");
  for (std::size_t at = 0; at < text.size() - 1; ++at) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 2);
    EXPECT_NE(problem(flipped), "no error") << flipped;
  }
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":["a","b"]})"), "no error") << "an older one";
}

TEST(Vocabulary, HasANameForCheckpoints) {
  EXPECT_EQ(vocabulary_name(std::nullopt), "none");
  EXPECT_EQ(vocabulary_name(Tokenizer::bytes()), "byte");
  EXPECT_EQ(vocabulary_name(Tokenizer::characters({'a', 'b'})), vocabulary_name(Tokenizer::characters({'b', 'a'})));
  EXPECT_NE(vocabulary_name(Tokenizer::characters({'a', 'b'})), vocabulary_name(Tokenizer::characters({'a', 'c'})));
}

TEST(Vocabulary, IsReadBackAsItWasSaved) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(load_vocabulary(folder.path()).has_value());
  std::vector<char32_t> all;
  for (char32_t c = 0; c < 0x300; ++c) all.push_back(c);
  all.push_back(0x1f9f5);
  save_vocabulary(folder.path(), Tokenizer::characters(all));
  EXPECT_EQ(load_vocabulary(folder.path())->characters(), all);
  save_vocabulary(folder.path(), Tokenizer::bytes());
  EXPECT_TRUE(load_vocabulary(folder.path())->is_bytes());
  EXPECT_FALSE(std::filesystem::exists(folder / "vocab.json.tmp"));
  for (int i = 0; i < 2; ++i) {
    save_vocabulary(folder.path(), std::nullopt);
    EXPECT_FALSE(has_vocabulary(folder.path()));
  }
}

TEST(Vocabulary, AnEmptyFileSaysWhatBelongsThere) {
  test::TemporaryFolder folder;
  const std::string file = folder.write("vocab.json", "");
  try {
    load_vocabulary(folder.path());
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_EQ(std::string(e.what()), file +
                                         ": is empty. HINT: a vocab.json is a JSON object with the tokens: restore the "
                                         "file, or remove it: it is then made from the training text.");
  }
}

TEST(Vocabulary, AForeignOrDamagedFileIsRefused) {
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":["a","b"]})"), "no error");
  EXPECT_EQ(problem(""), "is not a vocabulary");
  EXPECT_EQ(problem("[1, 2"), "is not a vocabulary");
  EXPECT_EQ(problem("{}"), "is not a vocabulary");
  EXPECT_EQ(problem("{\"bpe\": " + std::string(300000, '[') + std::string(300000, ']') + "}"), "is not a vocabulary");
  EXPECT_EQ(problem(R"({"tokenizer":"words"})"), "is not a vocabulary");
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":[1]})"), "is not a vocabulary");
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":["ab"]})"), "has an entry that is not one character");
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":["aa"]})"), "has an entry that is not one character");
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":["b","a"]})"),
            "has characters that are not in order of their code points");
  EXPECT_EQ(problem(R"({"tokenizer":"char","characters":[]})"), "has no characters");
}

}  // namespace
}  // namespace weft::tokenizer::vocabulary_test
