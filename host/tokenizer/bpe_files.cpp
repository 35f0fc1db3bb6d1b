#include "host/tokenizer/bpe_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "host/tokenizer/json_text.hpp"
#include "host/tokenizer/lines.hpp"
#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr auto kWhole = "fetch the files again, both from one tokenizer";
constexpr auto kTheirs = "tokenize with the tokenizer's own program, and train on its shards";

std::string merge_token(std::string_view letters, std::size_t line) {
  if (const auto bytes = bytes_of_letters(letters)) return *bytes;
  throw Refusal(std::to_string(line),
                fmt::format("\"{}\" has a letter that does not represent a byte", one_line(letters, 80)), kWhole);
}

/// Marks tokens that are neither bytes nor made by merges as special: such a token can only result from its literal
/// text.
void find_special(BpeParts& parts) {
  std::unordered_set<std::string> made;
  for (const auto& [left, right] : parts.merges) made.insert(left + right);
  for (const auto& [id, text] : parts.tokens)
    if (text.size() > 1 && !made.contains(text)) parts.special.push_back({text, id});
}

/// Rejects a word-level BPE, which marks the ends of words and would give other ids here. In a byte-level BPE, each
/// half of a merge is a byte or the result of another merge.
void check_no_marks(const BpeParts& parts) {
  constexpr std::string_view kMark = "</w>";
  std::unordered_set<std::string> made;
  for (const auto& [left, right] : parts.merges) made.insert(left + right);
  for (const auto& [left, right] : parts.merges)
    if (right.size() > kMark.size() && right.ends_with(kMark) && !made.contains(right))
      throw Refusal("",
                    fmt::format("has the symbol \"{}\": it belongs to a BPE of words with end marks, as CLIP's and the "
                                "first GPT's, not to a byte-level BPE",
                                one_line(letters_of_bytes(right), 80)),
                    kTheirs);
}

[[noreturn]] void not_a_merge(std::string_view row, std::size_t line) {
  throw Refusal(std::to_string(line),
                fmt::format("\"{}\" is not two tokens with a space between them", one_line(row, 80)), kWhole);
}

}  // namespace

BpeParts parse_bpe_vocabulary(std::string_view vocab) {
  const nlohmann::json object = parse_json(vocab);
  if (!object.is_object()) throw Refusal("", "is not a vocabulary: it is not {\"token\": id, ...}", kWhole);
  BpeParts parts;
  for (const auto& [token, id] : object.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > kMostId)
      throw Refusal("", fmt::format("token \"{}\" has no id that is a number of 0 to {}", one_line(token, 80), kMostId),
                    kWhole);
    const std::optional<std::string> bytes = bytes_of_letters(token);
    const auto [at, added] = parts.tokens.emplace(id.get<std::uint32_t>(), bytes.value_or(token));
    if (!added)
      throw Refusal("", fmt::format("two tokens have the id {}, one is \"{}\"", at->first, one_line(token, 80)),
                    kWhole);
    if (!bytes) parts.verbatim.insert(at->first);
  }
  if (parts.tokens.empty()) throw Refusal("", "has no tokens", kWhole);
  parts.splits = {{.pattern = std::string(kGpt2Pattern)}};
  return parts;
}

void parse_merges(std::string_view text, BpeParts& parts) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::unordered_set<std::string_view> known;
  for (const auto& [id, token] : parts.tokens) known.insert(token);
  std::optional<std::size_t> empty;  // the first empty line; only empty ones may follow
  for_each_line(text, [&](std::string_view row, std::size_t line) {
    if (row.empty()) {
      empty = empty.value_or(line);
      return;
    }
    if (empty) not_a_merge("", *empty);
    if (row.starts_with("#version")) return;
    const std::size_t space = row.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == row.size() ||
        row.find(' ', space + 1) != row.npos)
      not_a_merge(row, line);
    std::string left = merge_token(row.substr(0, space), line), right = merge_token(row.substr(space + 1), line);
    for (const std::string& token : {left, right, left + right}) {
      if (known.contains(token)) continue;
      const std::string shown = one_line(letters_of_bytes(token), 80);
      if (known.contains(token + "@@") || known.contains("##" + token))
        throw Refusal(std::to_string(line),
                      fmt::format("\"{}\" is in the vocabulary with a mark ({}): the BPE is one of words, not of bytes",
                                  shown, known.contains(token + "@@") ? shown + "@@" : "##" + shown),
                      kTheirs);
      throw Refusal(std::to_string(line), fmt::format("\"{}\" is not a token of the vocabulary", shown), kWhole);
    }
    parts.merges.emplace_back(std::move(left), std::move(right));
  });
  check_no_marks(parts);
  find_special(parts);
}

std::unordered_map<std::string, std::uint32_t> ids_in_vocabulary(const BpeParts& parts) {
  std::unordered_map<std::string, std::uint32_t> ids;
  for (const auto& [id, bytes] : parts.tokens)
    ids.emplace(parts.verbatim.contains(id) ? bytes : letters_of_bytes(bytes), id);
  return ids;
}

std::string vocabulary_json(const BpeParts& parts) {
  std::unordered_set<std::uint32_t> special;
  for (const SpecialToken& token : parts.special) special.insert(token.id);
  std::vector<std::string> names;
  std::unordered_map<std::string, std::uint32_t> ids;  // if two tokens have the same text, the last one
  for (const auto& [id, text] : parts.tokens) {
    const auto [at, added] = ids.insert_or_assign(special.contains(id) ? text : letters_of_bytes(text), id);
    if (added) names.push_back(at->first);
  }
  // Written by hand: ordered_json compares each new key with all others.
  std::string object = "{";
  for (const std::string& name : names)
    object += fmt::format("{}{}:{}", object.size() > 1 ? "," : "", dump_json(nlohmann::json(name)), ids.at(name));
  return object + "}\n";
}

std::string merges_text(const BpeParts& parts) {
  std::string text = std::string(kOwnMerges) + "\n";
  for (const auto& [left, right] : parts.merges) text += letters_of_bytes(left) + " " + letters_of_bytes(right) + "\n";
  return text;
}

}  // namespace weft::tokenizer
