#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/json_text.hpp"
#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using Json = nlohmann::json;

/// A key of `model` that only Weft writes: the package `tokenizers`, which ignores it, has a rank for each merge.
constexpr auto kRanksByResult = "weft_ranks_by_result";

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("", what, "tokenize with the tokenizer's own program, and train on its shards");
}

/// True if the value is null, false, "", 0, or missing.
bool is_nothing(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() || at->is_null() || *at == false || *at == "" || *at == 0;
}

std::string type_of(const Json& part) { return part.is_object() ? part.value("type", "") : std::string(); }

constexpr NormalForm kNormalForms[] = {NormalForm::Nfc, NormalForm::Nfd, NormalForm::Nfkc, NormalForm::Nfkd};
constexpr std::string_view kBehaviors[] = {"Isolated", "Removed", "MergedWithPrevious", "MergedWithNext",
                                           "Contiguous"};  // in the order of SplitBehavior

void add_normalizer(const Json& normalizer, BpeParts& parts) {
  if (normalizer.is_null()) return;
  const std::string type = type_of(normalizer);
  if (type == "Sequence") {
    for (const Json& one : normalizer.at("normalizers")) add_normalizer(one, parts);
    return;
  }
  const auto* const form = std::ranges::find(kNormalForms, type, name_of);
  if (form == std::end(kNormalForms))
    refuse(fmt::format("normalizer {} is not supported, only NFC, NFD, NFKC and NFKD",
                       type.empty() ? "without a type" : type));
  parts.normal_forms.push_back(*form);
}

/// The pattern that matches a text literally.
std::string literal(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

Split split_of(const Json& step) {
  const Json& pattern = step.at("pattern");
  const bool is_literal = pattern.contains("String");
  if (!is_literal && !pattern.contains("Regex")) refuse("pre-tokenizer Split has neither a Regex nor a String");
  const std::string name = step.at("behavior");
  const auto* const behavior = std::ranges::find(kBehaviors, name);
  if (behavior == std::end(kBehaviors))
    refuse(fmt::format("pre-tokenizer Split has the behavior {}", one_line(name, 80)));
  return {
      .pattern = is_literal ? literal(pattern.at("String").get<std::string>()) : pattern.at("Regex").get<std::string>(),
      .behavior = static_cast<SplitBehavior>(behavior - std::begin(kBehaviors)),
      .invert = !is_nothing(step, "invert")};
}

/// Adds the splits of one step of the pre-tokenizer; sets `bytes` if the step maps bytes to letters.
void add_step(const Json& step, BpeParts& parts, bool& bytes) {
  const std::string type = type_of(step);
  if (type == "Sequence") {
    for (const Json& one : step.at("pretokenizers")) add_step(one, parts, bytes);
  } else if (bytes) {
    refuse(fmt::format("pre-tokenizer {} follows ByteLevel", type));
  } else if (type == "ByteLevel") {
    if (step.value("add_prefix_space", true)) parts.prefix_space = parts.splits.size();
    if (step.value("use_regex", true)) parts.splits.push_back({.pattern = std::string(kGpt2Pattern)});
    bytes = true;
  } else if (type == "Split") {
    parts.splits.push_back(split_of(step));
  } else if (type == "Digits") {
    parts.splits.push_back({.pattern = is_nothing(step, "individual_digits") ? R"(\p{N}+)" : R"(\p{N})"});
  } else {
    refuse(fmt::format("pre-tokenizer {} is not supported, only ByteLevel, Split and Digits",
                       type.empty() ? "without a type" : type));
  }
}

/// Adds tokens as the package `tokenizers` does: a token without a text, or with the text of an earlier one, is
/// ignored; ids are assigned from the vocabulary or after all others.
void add_tokens(const Json& list, BpeParts& parts, bool ours) {
  const std::unordered_map<std::string, std::uint32_t> ids = ids_in_vocabulary(parts);
  std::unordered_set<std::string> added;
  auto next = static_cast<std::uint32_t>(parts.tokens.size());
  for (const Json& token : list) {
    const std::string text = token.at("content");
    if (text.empty() || !added.insert(text).second) continue;
    for (const char* key : {"lstrip", "rstrip", "single_word"})
      if (!is_nothing(token, key)) refuse(fmt::format("token \"{}\" has {}", one_line(text, 80), key));
    const std::uint64_t id = token.at("id");
    if (id > kMostId) refuse(fmt::format("token \"{}\" has the invalid id {}", one_line(text, 80), id));
    const auto known = ids.find(text);
    const std::uint32_t theirs = known != ids.end() ? known->second : next;
    if (id != theirs && !ours)
      refuse(fmt::format("token \"{}\" has the id {}, but would get {} from the package tokenizers", one_line(text, 80),
                         id, theirs));
    next = std::max(next, theirs + 1);
    auto& pass = token.value("normalized", false) ? parts.added : parts.special;
    pass.push_back({text, static_cast<std::uint32_t>(id)});
  }
}

void read_model(const Json& model, BpeParts& parts) {
  if (const std::string type = model.value("type", "BPE"); type != "BPE")
    refuse("model " + type + " is not supported, only BPE");
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
    if (!is_nothing(model, key)) refuse(fmt::format("model BPE has {}", key));
  parts.whole_words = !is_nothing(model, "ignore_merges");
  parts.ranks_by_result = !is_nothing(model, kRanksByResult);
  const std::vector<Split> splits = std::move(parts.splits);
  BpeParts vocabulary = parse_bpe_vocabulary(dump_json(model.at("vocab")));
  parts.tokens = std::move(vocabulary.tokens);
  parts.verbatim = std::move(vocabulary.verbatim);
  std::unordered_set<std::string_view> known;
  for (const auto& [id, token] : parts.tokens) known.insert(token);
  bool all_bytes = true;
  for (int byte = 0; byte < 256; ++byte) all_bytes &= known.contains(std::string(1, static_cast<char>(byte)));
  if (!all_bytes && !is_nothing(model, "byte_fallback")) refuse("model BPE has byte_fallback, but not all 256 bytes");
  std::string merges;  // in the format of merges.txt
  for (const Json& merge : model.at("merges"))
    merges += merge.is_array() ? merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>() + "\n"
                               : merge.get<std::string>() + "\n";
  try {
    parse_merges(merges, parts);
  } catch (const Refusal& e) {
    throw Refusal("", fmt::format("merge {}: {}", e.subject(), e.problem()), e.hint());
  }
  parts.special.clear();
  parts.splits = splits;
}

}  // namespace

BpeParts parse_bpe_tokenizer_json(std::string_view text, bool ours) {
  const Json object = parse_json(text);
  try {
    BpeParts parts;
    if (!object.contains("model")) refuse("is not a tokenizer.json: it has no model");
    add_normalizer(object.value("normalizer", Json()), parts);
    bool bytes = false;
    if (!is_nothing(object, "pre_tokenizer")) add_step(object["pre_tokenizer"], parts, bytes);
    if (!bytes) refuse("has no pre-tokenizer ByteLevel: it is not a byte-level BPE");
    read_model(object["model"], parts);
    if (!is_nothing(object, "added_tokens")) add_tokens(object["added_tokens"], parts, ours);
    return parts;
  } catch (const Json::exception& e) {
    throw Refusal("", "is not a tokenizer.json: " + one_line(e.what(), 200), "fetch or write the file again");
  }
}

std::string tokenizer_json(const BpeParts& parts) {
  using Ordered = nlohmann::ordered_json;
  std::vector<Ordered> added;
  Ordered forms = Ordered::array(), steps = Ordered::array(), merges = Ordered::array();
  for (const bool normalized : {false, true}) {
    for (const SpecialToken& token : normalized ? parts.added : parts.special) {
      added.push_back({{"id", token.id},
                       {"content", token.text},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", normalized},
                       {"special", !normalized}});
    }
  }
  // In the order in which `tokenizers` would number them.
  std::ranges::stable_sort(added, {}, [](const Ordered& token) { return token["id"].get<std::uint32_t>(); });
  const Ordered tokens(added);
  // Splits before that of ByteLevel are separate steps.
  const bool plain =
      parts.splits.size() == 1 && parts.splits[0] == Split{std::string(kGpt2Pattern)} && parts.prefix_space != 1;
  const std::size_t before = plain ? 0 : parts.prefix_space.value_or(parts.splits.size());
  const Ordered level = {{"type", "ByteLevel"},
                         {"add_prefix_space", parts.prefix_space.has_value()},
                         {"trim_offsets", true},
                         {"use_regex", before < parts.splits.size()}};
  for (std::size_t n = 0; n < before; ++n)
    steps.push_back({{"type", "Split"},
                     {"pattern", {{"Regex", parts.splits[n].pattern}}},
                     {"behavior", kBehaviors[static_cast<std::size_t>(parts.splits[n].behavior)]},
                     {"invert", parts.splits[n].invert}});
  steps.push_back(level);
  for (const NormalForm form : parts.normal_forms) forms.push_back({{"type", name_of(form)}});
  for (const auto& [left, right] : parts.merges)
    merges.push_back(Ordered::array({letters_of_bytes(left), letters_of_bytes(right)}));
  Ordered model = {{"type", "BPE"},
                   {"dropout", nullptr},
                   {"unk_token", nullptr},
                   {"continuing_subword_prefix", nullptr},
                   {"end_of_word_suffix", nullptr},
                   {"fuse_unk", false},
                   {"byte_fallback", false},
                   {"ignore_merges", parts.whole_words},
                   {"vocab", Ordered::object()},
                   {"merges", merges}};
  if (parts.ranks_by_result) model[kRanksByResult] = true;
  const Ordered decoder = {
      {"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", true}, {"use_regex", true}};
  std::string text =
      dump_json(
          Ordered{{"version", "1.0"},
                  {"truncation", nullptr},
                  {"padding", nullptr},
                  {"added_tokens", tokens},
                  {"normalizer", forms.empty() ? Ordered() : Ordered{{"type", "Sequence"}, {"normalizers", forms}}},
                  {"pre_tokenizer", plain ? level : Ordered{{"type", "Sequence"}, {"pretokenizers", steps}}},
                  {"post_processor", level},
                  {"decoder", decoder},
                  {"model", model}}) +
      "\n";
  // Inserted as text: ordered_json compares each new key with all others. Quotes within strings are escaped.
  constexpr std::string_view kVocab = "\"vocab\":{}";
  std::string vocab = vocabulary_json(parts);
  vocab.pop_back();  // the newline
  return text.replace(text.find(kVocab), kVocab.size(), "\"vocab\":" + vocab);
}

}  // namespace weft::tokenizer
