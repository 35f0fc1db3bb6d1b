/// Where a text ends that goes on until one of some words comes.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Passes a text on as it comes, of bytes or of tokens, and ends it before the first stop word that is complete (of
/// several that are complete with the same unit, before the longest). What may be the begin of one is held back until
/// that is known. How the text is cut into pieces changes nothing.
template <class Unit>
class StopWords {
 public:
  using Text = std::basic_string<Unit>;

  /// None of them empty.
  explicit StopWords(std::vector<Text> words = {}) : words_(std::move(words)) {}

  /// What is certain now. Nothing any more after a stop word.
  Text put(const Text& more) {
    for (const Unit unit : more) {
      if (stopped_) break;
      held_ += unit;
      std::size_t most = 0;
      for (const Text& word : words_)
        if (held_.ends_with(word)) most = std::max(most, word.size());
      stopped_ = most > 0;
      held_.resize(held_.size() - most);
    }
    if (stopped_) return std::exchange(held_, {});
    const std::size_t certain = first_begin();
    const Text text = held_.substr(0, certain);
    held_.erase(0, certain);
    return text;
  }
  /// What was held back, as nothing more comes.
  Text end() { return std::exchange(held_, {}); }
  bool stopped() const { return stopped_; }

 private:
  /// The first place from which on all may be the begin of a word.
  std::size_t first_begin() const {
    for (std::size_t at = 0; at < held_.size(); ++at)
      for (const Text& word : words_)
        if (word.starts_with(held_.substr(at))) return at;
    return held_.size();
  }

  std::vector<Text> words_;
  Text held_;
  bool stopped_ = false;
};

}  // namespace weft
