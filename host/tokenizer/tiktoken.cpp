#include "host/tokenizer/tiktoken.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <vector>

#include "host/tokenizer/lines.hpp"
#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr auto kAgain = "fetch the file again, or give the tokenizer.json of the same model";

constexpr std::string_view kGpt4Pattern = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
                                          R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt4oPattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwenPattern = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
                                          R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct Known {
  std::size_t tokens;  // in the file
  std::string_view name, pattern;
  std::vector<SpecialToken> (*special)();
};

template <std::uint32_t kId>
std::vector<SpecialToken> end_of_text() {
  return {{"<|endoftext|>", kId}};
}

std::vector<SpecialToken> of_gpt4() {
  return {{"<|endoftext|>", 100257},
          {"<|fim_prefix|>", 100258},
          {"<|fim_middle|>", 100259},
          {"<|fim_suffix|>", 100260},
          {"<|endofprompt|>", 100276}};
}

std::vector<SpecialToken> of_gpt4o() { return {{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}}; }

/// Llama 3 has 256; the reserved ones are numbered apart from the named ones between them.
std::vector<SpecialToken> of_llama3() {
  constexpr std::string_view kNamed[] = {"begin_of_text",   "end_of_text",   "", "",      "", "",
                                         "start_header_id", "end_header_id", "", "eot_id"};
  std::vector<SpecialToken> tokens;
  std::uint32_t reserved = 0;
  for (std::uint32_t n = 0; n < 256; ++n) {
    const std::string_view name = n < std::size(kNamed) ? kNamed[n] : "";
    tokens.push_back(
        {name.empty() ? fmt::format("<|reserved_special_token_{}|>", reserved++) : fmt::format("<|{}|>", name),
         128000 + n});
  }
  return tokens;
}

std::vector<SpecialToken> of_qwen() {
  std::vector<SpecialToken> tokens = {{"<|endoftext|>", 151643}, {"<|im_start|>", 151644}, {"<|im_end|>", 151645}};
  for (std::uint32_t n = 0; n < 205; ++n) tokens.push_back({fmt::format("<|extra_{}|>", n), 151646 + n});
  return tokens;
}

const Known kKnown[] = {
    {50256, "r50k_base", kGpt2Pattern, end_of_text<50256>},
    {50280, "p50k_base", kGpt2Pattern, end_of_text<50256>},
    {100256, "cl100k_base", kGpt4Pattern, of_gpt4},
    {128000, "Llama 3", kGpt4Pattern, of_llama3},
    {151643, "Qwen", kQwenPattern, of_qwen},
    {199998, "o200k_base", kGpt4oPattern, of_gpt4o},
};

/// The bytes that a word in base64 with its padding stands for (RFC 4648).
std::optional<std::string> bytes_of_base64(std::string_view word) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (word.empty() || word.size() % 4 != 0) return std::nullopt;
  std::size_t padding = word.ends_with("==") ? 2 : word.ends_with("=") ? 1 : 0;
  std::string bytes;
  std::uint32_t bits = 0;
  for (std::size_t n = 0; n < word.size(); ++n) {
    const std::size_t digit = n + padding >= word.size() ? 0 : kDigits.find(word[n]);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (n % 4 == 3)
      for (const int shift : {16, 8, 0}) bytes += static_cast<char>(bits >> shift);
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

/// Adds the token of a line; the lines have the ranks in order, as tiktoken writes them.
void add_line(std::string_view row, std::size_t line, BpeParts& parts) {
  const std::size_t space = row.find(' ');
  const auto bytes = bytes_of_base64(row.substr(0, space));
  std::uint32_t rank = 0;
  const std::string_view digits = space == std::string_view::npos ? std::string_view() : row.substr(space + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
  if (!bytes || error != std::errc() || end != digits.data() + digits.size() || rank > kMostId)
    throw Refusal(std::to_string(line), "is not a token in base64 and its rank", kAgain);
  if (!parts.tokens.emplace(rank, *bytes).second)
    throw Refusal(std::to_string(line), fmt::format("has the rank {} of an earlier line", rank), kAgain);
}

/// tiktoken merges two adjacent tokens if their bytes are a token, those of the lowest rank first: a merge for each way
/// to cut a token in two tokens.
void add_merges(BpeParts& parts) {
  std::unordered_map<std::string_view, std::uint32_t> ids;
  for (const auto& [id, bytes] : parts.tokens) {
    if (!ids.emplace(bytes, id).second)
      throw Refusal("", fmt::format("has the token \"{}\" twice", one_line(letters_of_bytes(bytes), 80)), kAgain);
  }
  for (const auto& [id, bytes] : parts.tokens) {
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      const std::string_view left = std::string_view(bytes).substr(0, cut), right = std::string_view(bytes).substr(cut);
      if (ids.contains(left) && ids.contains(right)) parts.merges.emplace_back(left, right);
    }
  }
}

}  // namespace

BpeParts parse_tiktoken(std::string_view text) {
  BpeParts parts;
  for_each_line(text, [&](std::string_view row, std::size_t line) {
    if (!row.empty()) add_line(row, line, parts);
  });
  const auto* const known = std::ranges::find(kKnown, parts.tokens.size(), &Known::tokens);
  if (known == std::end(kKnown)) {
    std::string all;
    for (const Known& one : kKnown) all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", one.name, one.tokens);
    throw Refusal(
        "",
        fmt::format("has {} tokens, as no vocabulary of tiktoken whose pattern is known: {}", parts.tokens.size(), all),
        kAgain);
  }
  add_merges(parts);
  parts.splits = {{.pattern = std::string(known->pattern)}};
  parts.special = known->special();
  parts.whole_words = true;
  parts.ranks_by_result = true;
  return parts;
}

}  // namespace weft::tokenizer
