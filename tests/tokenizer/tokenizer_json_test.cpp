/// tokenizer.json files of Weft's tokenizers; loading by the `tokenizers` library is tested in tests/interop.
#include "host/tokenizer/tokenizer_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using Json = nlohmann::ordered_json;

std::optional<Tokenizer> with(const Json& patch, const Tokenizer& tokenizer) {
  Json json = Json::parse(tokenizer_json(tokenizer));
  json.merge_patch(patch);
  return parse_tokenizer_json(json.dump());
}

const std::vector<char32_t> kSome = {U'\n', U' ', U'"', U'a', U'é', U'字', U'\U0001F600'};

TEST(TokenizerJson, WrittenFileIsReadBack) {
  const auto characters = parse_tokenizer_json(tokenizer_json(Tokenizer::characters(kSome)));
  ASSERT_TRUE(characters && !characters->is_bytes());
  EXPECT_EQ(characters->characters(), kSome);
  const auto bytes = parse_tokenizer_json(tokenizer_json(Tokenizer::bytes()));
  EXPECT_TRUE(bytes && bytes->is_bytes());
}

TEST(TokenizerJson, BytesHaveTheLettersOfByteLevelBpe) {
  const Json words = Json::parse(tokenizer_json(Tokenizer::bytes()))["model"]["vocab"];
  EXPECT_EQ(words.size(), 256U);
  EXPECT_EQ(words["!"], 33);
  EXPECT_EQ(words["Ġ"], 32) << "a space";
  EXPECT_EQ(words["Ċ"], 10) << "a new line";
  EXPECT_EQ(words["Ń"], 0xAD) << "the last that has no letter of its own";
}

TEST(TokenizerJson, AnotherKindIsNotTakenForOneOfOurs) {
  const Tokenizer bytes = Tokenizer::bytes(), characters = Tokenizer::characters(kSome);
  EXPECT_FALSE(with({{"model", {{"merges", {"a b"}}}}}, bytes));
  EXPECT_FALSE(with({{"model", {{"vocab", {{"!", 34}, {"\"", 33}}}}}}, bytes)) << "in another order";
  EXPECT_FALSE(with({{"normalizer", {{"type", "Lowercase"}}}}, characters));
  EXPECT_FALSE(with({{"added_tokens", {{{"id", 7}, {"content", "<s>"}}}}}, characters));
  EXPECT_FALSE(with({{"model", {{"vocab", {{"ab", 7}}}}}}, characters));
  EXPECT_FALSE(with({{"model", {{"vocab", {{"b", 9}}}}}}, characters)) << "a number is missing";
  EXPECT_FALSE(with({{"model", {{"vocab", {{"b", 7}}}}}}, characters)) << "not in order of code points";
  EXPECT_FALSE(with({{"pre_tokenizer", {{"type", "Whitespace"}}}}, characters));
  EXPECT_FALSE(with({{"model", {{"vocab", Json::array()}}}}, characters));
}

TEST(TokenizerJson, OtherJsonIsRejected) {
  for (const char* text : {"", "{", "[]", "{}", R"({"model": 3})", R"({"model": {}})"})
    EXPECT_THROW(parse_tokenizer_json(text), Refusal) << text;
}

}  // namespace
}  // namespace weft::tokenizer
