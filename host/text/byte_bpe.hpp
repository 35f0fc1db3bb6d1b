/// Byte-level BPE: GPT-2's kind of tokenizer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/text/merges.hpp"
#include "host/text/special.hpp"
#include "host/text/splitter.hpp"
#include "host/text/text_tokenizer.hpp"

namespace weft::text {

/// What the files say, with bytes instead of the letters that stand for them.
struct BpeParts {
  std::map<std::uint32_t, std::string> tokens;              ///< by id
  std::vector<std::pair<std::string, std::string>> merges;  ///< in order of rank; what they make is a token
  std::vector<SpecialToken> special;                        ///< those of each pass over the text: first these,
  std::vector<SpecialToken> added;                          ///< then, in what is left, these
  std::vector<std::string> patterns;  ///< each cuts the words of the one before it; none: a text is one word
  /// add_prefix_space of the pre-tokenizer ByteLevel: the input of the pattern of this number (or of the merges, if the
  /// number is behind the last pattern) gets a space before it, unless it begins with one.
  std::optional<std::size_t> prefix_space = {};
  bool whole_words = false;  ///< a word that is a token is that token, whatever its merges make
};

class ByteBpe final : public TextTokenizer {
 public:
  /// Throws Refusal without a subject if a merge has no tokens, or a pattern is not known (make_splitter).
  explicit ByteBpe(BpeParts parts);

  std::uint32_t size() const override { return size_; }
  std::unique_ptr<TextEncoder> encoder() const override;
  std::string decode(std::span<const std::uint32_t> ids) const override;
  std::string piece(std::uint32_t id) const override { return id < size_ ? texts_[id] : ""; }
  std::optional<std::uint32_t> id_of(std::string_view token) const override;
  /// <|endoftext|>, if it has that.
  std::optional<std::uint32_t> end() const override { return id_of("<|endoftext|>"); }
  std::size_t cut(std::string_view text, std::size_t least) const override;

  const BpeParts& parts() const { return parts_; }

 private:
  friend class ByteBpeEncoder;
  std::vector<Merge> merges() const;

  BpeParts parts_;
  std::uint32_t size_ = 0;
  std::vector<std::string> texts_;                      // [id]: bytes, empty if there is no such token
  std::unordered_map<std::string, std::uint32_t> ids_;  // of bytes
  std::vector<std::uint32_t> byte_ids_;                 // [byte]: MergeTable::kNone if it is no token
  MergeTable table_;
  SpecialTokens special_, added_;
  std::vector<std::unique_ptr<Splitter>> splitters_;
  bool cuts_ = false;  // a document may be cut at spaces
};

}  // namespace weft::text
