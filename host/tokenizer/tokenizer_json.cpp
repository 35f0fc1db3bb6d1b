#include "host/tokenizer/tokenizer_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "host/checkpoint/json_room.hpp"
#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::array<std::string, 256> utf8_letters() {
  std::array<std::string, 256> letters;
  for (std::size_t byte = 0; byte < 256; ++byte) letters[byte] = utf8(byte_letters()[byte]);
  return letters;
}

/// The words in order of their ids, if these are 0, 1, 2, ...; otherwise nothing.
std::optional<std::vector<std::string>> words_of(const nlohmann::json& vocabulary) {
  std::vector<std::string> words(vocabulary.size());
  std::vector<bool> there(words.size());
  for (const auto& [word, id] : vocabulary.items()) {
    if (!id.is_number_unsigned() || id >= words.size() || there[id.get<std::size_t>()]) return std::nullopt;
    there[id.get<std::size_t>()] = true;
    words[id.get<std::size_t>()] = word;
  }
  return words;
}

OrderedJson byte_model() {
  OrderedJson words = OrderedJson::object();
  for (const std::string& letter : utf8_letters()) words[letter] = words.size();
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", nullptr},
          {"fuse_unk", false},
          {"byte_fallback", false},
          {"continuing_subword_prefix", nullptr},
          {"vocab", std::move(words)},
          {"end_of_word_suffix", nullptr},
          {"merges", OrderedJson::array()}};
}

OrderedJson character_model(const Tokenizer& tokenizer) {
  OrderedJson words = OrderedJson::object();
  for (const char32_t c : tokenizer.characters()) words[utf8(c)] = words.size();
  // An unknown character is an error in that library too: "[UNK]" is not in the vocabulary.
  return {{"type", "WordLevel"}, {"vocab", std::move(words)}, {"unk_token", "[UNK]"}};
}

}  // namespace

std::string tokenizer_json(const Tokenizer& tokenizer) {
  if (tokenizer.kind() == Tokenizer::Kind::Bpe) return tokenizer.file();
  const bool bytes = tokenizer.is_bytes();
  const OrderedJson level{
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", false}};
  const OrderedJson each{
      {"type", "Split"}, {"pattern", {{"Regex", R"([\s\S])"}}}, {"behavior", "Isolated"}, {"invert", false}};
  const OrderedJson json{{"version", "1.0"},
                         {"truncation", nullptr},
                         {"padding", nullptr},
                         {"added_tokens", OrderedJson::array()},
                         {"normalizer", nullptr},
                         {"pre_tokenizer", bytes ? level : each},
                         {"post_processor", nullptr},
                         {"decoder", bytes ? level : OrderedJson{{"type", "Fuse"}}},
                         {"model", bytes ? byte_model() : character_model(tokenizer)}};
  return dump_json(json, {.indent = 2}) + "\n";
}

std::string tokenizer_config_json(int length) {
  const OrderedJson json{{"tokenizer_class", "PreTrainedTokenizerFast"},
                         {"model_max_length", length},
                         {"clean_up_tokenization_spaces", false}};
  return dump_json(json, {.indent = 2}) + "\n";
}

std::optional<Tokenizer> parse_tokenizer_json(std::string_view text) {
  using Json = nlohmann::json;  // ordered_json compares each new key with all others
  checkpoint::check_json_fits(text, "");
  const Json json = parse_json_or_discard(text);
  const bool whole =
      json.is_object() && json.contains("model") && json["model"].is_object() && json["model"].contains("vocab");
  if (!whole) throw Refusal("", "is not a tokenizer", "take another copy");
  const Json& model = json["model"];
  if (!model["vocab"].is_object()) return std::nullopt;  // a unigram model
  const auto words = words_of(model["vocab"]);
  const auto has = [](const Json& object, const char* key, std::string_view value) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() && *at == value;
  };
  const Json splits = json.value("pre_tokenizer", Json::object()), none;
  if (!words || !json.value("normalizer", none).is_null() || !splits.is_object()) return std::nullopt;
  if (!json.value("added_tokens", Json::array()).empty()) return std::nullopt;
  if (has(model, "type", "BPE") && has(splits, "type", "ByteLevel") && model.value("merges", none) == Json::array() &&
      std::ranges::equal(*words, utf8_letters())) {
    return Tokenizer::bytes();
  }
  if (!has(model, "type", "WordLevel") || !has(splits, "type", "Split") || !has(splits, "behavior", "Isolated"))
    return std::nullopt;
  std::vector<char32_t> characters;
  for (const std::string& word : *words) {
    std::vector<char32_t> one;
    try {
      one = characters_of(word);
    } catch (const Refusal&) {  // invalid UTF-8
    }
    if (one.size() != 1 || utf8(one[0]) != word || (!characters.empty() && one[0] <= characters.back()))
      return std::nullopt;
    characters.push_back(one[0]);
  }
  return Tokenizer::characters(std::move(characters));
}

}  // namespace weft::tokenizer
