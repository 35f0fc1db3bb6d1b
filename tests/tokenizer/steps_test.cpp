#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

/// The ids of a tokenizer.json and of what is written from it are the same.
TEST(TokenizerSteps, NormalizersAndSplitsAreAppliedAndWritten) {
  using Json = nlohmann::json;
  const Json good = Json::parse(tokenizer_json(
      train_bpe({{" the", 9}, {" then", 5}, {"\u00e9t\u00e9", 4}}, {.vocab_size = 264, .special = {"<|endoftext|>"}})));
  const auto ids = [](const std::string& text, const std::string& json) {
    const ByteBpe bpe(parse_bpe_tokenizer_json(json));
    EXPECT_EQ(ids_of(ByteBpe(parse_bpe_tokenizer_json(tokenizer_json(bpe.parts()))), text), ids_of(bpe, text)) << text;
    return ids_of(bpe, text);
  };
  const auto plain = [&](const std::string& text) {
    return ids_of(ByteBpe(parse_bpe_tokenizer_json(good.dump())), text);
  };
  const auto normalizer = [&](const Json& value, const std::string& text) {
    Json object = good;
    object["normalizer"] = value;
    object["added_tokens"].push_back(
        {{"id", good["model"]["vocab"].size()}, {"content", "e\u0301!"}, {"normalized", true}});
    return ids(text, object.dump());
  };
  const Json nfc = {{"type", "NFC"}}, nfkd = {{"type", "NFKD"}};
  EXPECT_EQ(normalizer(nfc, "th e\u0301<|endoftext|>e\u0301"), plain("th \u00e9<|endoftext|>\u00e9"));
  EXPECT_EQ(normalizer({{"type", "Sequence"}, {"normalizers", {nfkd, nfc}}}, "\ufb01 e\u0301"), plain("fi \u00e9"));
  EXPECT_EQ(normalizer(nfkd, "\u00e9"), plain("e\u0301"));
  EXPECT_EQ(normalizer(nfc, "\u00e9!"),
            std::vector<std::uint32_t>{static_cast<std::uint32_t>(good["model"]["vocab"].size())});
  const auto step = [&](const Json& first, const std::string& text) {
    Json object = good;
    object["pre_tokenizer"] = {
        {"type", "Sequence"},
        {"pretokenizers", {first, {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
    return ids(text, object.dump());
  };
  const auto joined = [&](std::initializer_list<const char*> words) {
    std::vector<std::uint32_t> all;
    for (const char* word : words)
      for (const std::uint32_t id : plain(word)) all.push_back(id);
    return all;
  };
  const Json removed = {{"type", "Split"}, {"pattern", {{"String", "."}}}, {"behavior", "Removed"}, {"invert", false}};
  EXPECT_EQ(step(removed, "the.then.xa"), joined({"the", "then", "xa"}));
  const Json kept = {{"type", "Split"}, {"pattern", {{"Regex", "th"}}}, {"behavior", "Removed"}, {"invert", true}};
  EXPECT_EQ(step(kept, "the th"), joined({"th", "th"}));
  EXPECT_EQ(step({{"type", "Digits"}, {"individual_digits", true}}, "the12"), joined({"the", "1", "2"}));
  EXPECT_EQ(step({{"type", "Digits"}}, "the12"), joined({"the", "12"}));
}

}  // namespace
}  // namespace weft::tokenizer
