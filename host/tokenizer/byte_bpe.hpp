/// Byte-level BPE, the tokenizer of GPT-2.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/tokenizer/merges.hpp"
#include "host/tokenizer/special_tokens.hpp"
#include "host/tokenizer/splitter.hpp"
#include "host/tokenizer/text_tokenizer.hpp"
#include "host/tokenizer/unicode/normal_form.hpp"

namespace weft::tokenizer {

/// The contents of the files, with bytes instead of the letters that stand for them.
struct BpeParts {
  std::map<std::uint32_t, std::string> tokens;  ///< by id
  std::set<std::uint32_t> verbatim =
      {};  ///< ids of tokens that a vocabulary file has as their own text, not in letters
  std::vector<std::pair<std::string, std::string>> merges;  ///< in order of rank; each result is a token
  std::vector<SpecialToken> special;                        ///< special tokens found in a first pass over the text
  std::vector<SpecialToken> added;    ///< special tokens found in a second pass, in the remaining text
  std::vector<NormalForm> normal_forms = {};  ///< applied in turn to the text between tokens of `special`
  std::vector<Split> splits;                  ///< each splits the words of the previous one; empty: a text is one word
  /// add_prefix_space of the pre-tokenizer ByteLevel: the input of the split with this index (or of the merges, if
  /// there is no such split) is prefixed with a space unless it begins with one.
  std::optional<std::size_t> prefix_space = {};
  bool whole_words = false;  ///< a word that is a token becomes that token, regardless of the merges
  /// Merges with the same result have the rank of the first of them, as in tiktoken.
  bool ranks_by_result = false;
};

class ByteBpe final : public TextTokenizer {
 public:
  /// Throws Refusal without a subject if a merge has no tokens, or a pattern is not supported (make_splitter).
  explicit ByteBpe(BpeParts parts);

  std::uint32_t size() const override { return size_; }
  std::unique_ptr<TextEncoder> encoder() const override;
  std::string decode(std::span<const std::uint32_t> ids) const override;
  std::string piece(std::uint32_t id) const override { return id < size_ ? texts_[id] : ""; }
  std::optional<std::uint32_t> id_of(std::string_view token) const override;
  /// <|endoftext|>, if the vocabulary has it.
  std::optional<std::uint32_t> end() const override { return id_of("<|endoftext|>"); }
  std::size_t cut(std::string_view text, std::size_t least) const override;

  const BpeParts& parts() const { return parts_; }

 private:
  friend class ByteBpeEncoder;
  std::vector<Merge> merges() const;

  BpeParts parts_;
  std::uint32_t size_ = 0;
  std::vector<std::string> texts_;                      // [id]: bytes; empty if there is no such token
  std::unordered_map<std::string, std::uint32_t> ids_;  // by bytes
  std::vector<std::uint32_t> byte_ids_;                 // [byte]: MergeTable::kNone if it is not a token
  MergeTable table_;
  SpecialTokens special_, added_;
  std::vector<std::unique_ptr<Splitter>> splitters_;
  bool cuts_ = false;  // a document may be cut at spaces
};

}  // namespace weft::tokenizer
