#include "host/tokenizer/byte_bpe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "host/tokenizer/word_cache.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr std::uint32_t kMostIds = 1 << 24;  // bound of the ids, because vectors are indexed by id

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || c == '\n'; }

/// True if a cut between a letter and a space could split the token.
bool spans_cut(const SpecialToken& token) {
  for (std::size_t i = 0; i + 1 < token.text.size(); ++i)
    if (is_letter(token.text[i]) && is_space(token.text[i + 1])) return true;
  return false;
}

std::unordered_map<std::string, std::uint32_t> ids_of(const std::map<std::uint32_t, std::string>& tokens) {
  std::unordered_map<std::string, std::uint32_t> ids;
  for (const auto& [id, text] : tokens) ids.emplace(text, id);
  return ids;
}

/// Tokens of the second pass are found in the text after normalization, by their own normal forms.
std::vector<SpecialToken> normalized_texts(const BpeParts& parts) {
  std::vector<SpecialToken> tokens = parts.added;
  for (SpecialToken& token : tokens)
    for (const NormalForm form : parts.normal_forms) token.text = normalized(token.text, form);
  return tokens;
}

}  // namespace

class ByteBpeEncoder final : public TextEncoder {
 public:
  explicit ByteBpeEncoder(const ByteBpe& bpe) : bpe_(bpe), merger_(bpe.table_), ends_(bpe.splitters_.size() + 1) {}

  void encode(std::string_view text, std::vector<std::uint32_t>& ids) override {
    const auto keep = [&](std::uint32_t id) { ids.push_back(id); };
    bpe_.special_.part(
        text,
        [&](std::string_view part, std::size_t at) {
          std::string form;
          for (const NormalForm one : bpe_.parts_.normal_forms) part = form = normalized(part, one);
          bpe_.added_.part(
              part, [&](std::string_view words, std::size_t more) { split(words, at + more, 0, ids); }, keep);
        },
        keep);
  }

 private:
  /// Splits by the splits from `level` on. `at`: offset of the text in the document.
  void split(std::string_view text, std::size_t at, std::size_t level, std::vector<std::uint32_t>& ids) {
    if (bpe_.parts_.prefix_space != level || text.starts_with(' ')) return split_words(text, at, level, ids);
    split_words(" " + std::string(text), at, level, ids);
  }

  void split_words(std::string_view text, std::size_t at, std::size_t level, std::vector<std::uint32_t>& ids) {
    if (level == bpe_.splitters_.size()) return word(text, at, ids);
    std::vector<std::uint32_t>& ends = ends_[level];
    ends.clear();
    bpe_.splitters_[level]->split(text, ends);
    std::uint32_t begin = 0;
    for (const std::uint32_t mark : ends) {
      const std::uint32_t end = mark & ~Splitter::kRemoved;
      if (mark == end) split(text.substr(begin, end - begin), at + begin, level + 1, ids);
      begin = end;
    }
  }

  void word(std::string_view text, std::size_t at, std::vector<std::uint32_t>& ids) {
    if (text.size() > WordCache::kMostBytes) return merge(text, at, ids);
    const WordCache::Key key = WordCache::key(text);
    if (cache_.find(key, ids)) return;
    const std::size_t before = ids.size();
    merge(text, at, ids);
    cache_.keep(key, std::span(ids).subspan(before));
  }

  void merge(std::string_view text, std::size_t at, std::vector<std::uint32_t>& ids) {
    if (bpe_.parts_.whole_words) {
      if (const auto whole = bpe_.ids_.find(std::string(text)); whole != bpe_.ids_.end())
        return ids.push_back(whole->second);
    }
    symbols_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      symbols_.push_back(bpe_.byte_ids_[static_cast<unsigned char>(text[i])]);
      if (symbols_.back() == MergeTable::kNone)
        throw Refusal("",
                      fmt::format("byte 0x{:02x} at offset {} is not in the vocabulary",
                                  static_cast<unsigned char>(text[i]), at + i),
                      "use a vocabulary that has all 256 bytes");
    }
    merger_.merge(symbols_);
    ids.insert(ids.end(), symbols_.begin(), symbols_.end());
  }

  const ByteBpe& bpe_;
  Merger merger_;
  WordCache cache_;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::vector<std::uint32_t>> ends_;  // [level]
};

ByteBpe::ByteBpe(BpeParts parts)
    : parts_(std::move(parts)),
      ids_(ids_of(parts_.tokens)),
      byte_ids_(256, MergeTable::kNone),
      table_(merges(), parts_.ranks_by_result),
      special_(parts_.special),
      added_(normalized_texts(parts_)) {
  for (const NormalForm form : parts_.normal_forms) normalized("", form);  // throws if the library is missing
  auto all = parts_.tokens;
  for (const auto* list : {&parts_.special, &parts_.added})
    for (const SpecialToken& token : *list) all[token.id] = token.text;
  if (!all.empty() && all.rbegin()->first >= kMostIds)
    throw Refusal("",
                  fmt::format("token \"{}\" has the id {}, but the ids of a vocabulary are below {}",
                              one_line(letters_of_bytes(all.rbegin()->second), 80), all.rbegin()->first, kMostIds),
                  "number the tokens 0, 1, 2, ..., or fetch the file again");
  size_ = all.empty() ? 0 : all.rbegin()->first + 1;
  texts_.resize(size_);
  for (auto& [id, text] : all) texts_[id] = std::move(text);
  for (std::size_t b = 0; b < 256; ++b)
    if (const auto id = ids_.find(std::string(1, static_cast<char>(b))); id != ids_.end()) byte_ids_[b] = id->second;
  for (const Split& split : parts_.splits) splitters_.push_back(make_splitter(split));
  const auto parts_at_spaces = [](const auto& splitter) { return splitter->parts_at_spaces(); };
  cuts_ = splitters_.size() == 1 && parts_at_spaces(splitters_[0]) && std::ranges::none_of(parts_.special, spans_cut) &&
          std::ranges::none_of(parts_.added, spans_cut);
}

std::vector<Merge> ByteBpe::merges() const {
  std::vector<Merge> merges;
  const auto id = [&](const std::string& token) {
    const auto at = ids_.find(token);
    if (at != ids_.end()) return at->second;
    throw Refusal(
        "",
        fmt::format("merge {} contains or makes \"{}\", which is not a token", merges.size() + 1, one_line(token, 80)),
        "fetch the files again, both from one tokenizer");
  };
  for (const auto& [left, right] : parts_.merges) merges.push_back({id(left), id(right), id(left + right)});
  return merges;
}

std::unique_ptr<TextEncoder> ByteBpe::encoder() const { return std::make_unique<ByteBpeEncoder>(*this); }

std::string ByteBpe::decode(std::span<const std::uint32_t> ids) const {
  std::string text;
  for (const std::uint32_t id : ids) text += piece(id);
  return text;
}

std::optional<std::uint32_t> ByteBpe::id_of(std::string_view token) const {
  for (const auto* list : {&parts_.special, &parts_.added})
    for (const SpecialToken& special : *list)
      if (special.text == token) return special.id;
  const auto at = ids_.find(std::string(token));
  return at == ids_.end() ? std::nullopt : std::optional(at->second);
}

std::size_t ByteBpe::cut(std::string_view text, std::size_t least) const {
  if (!cuts_) return std::string_view::npos;
  const bool only_spaces = parts_.prefix_space == 0;  // otherwise the next part would get a space
  for (std::size_t at = std::max<std::size_t>(least, 1); at < text.size(); ++at)
    if (is_letter(text[at - 1]) && (only_spaces ? text[at] == ' ' : is_space(text[at]))) return at;
  return std::string_view::npos;
}

}  // namespace weft::tokenizer
