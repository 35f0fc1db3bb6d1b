/// Ends a generated text at stop sequences.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace weft::generate {

/// Forwards a text of bytes or tokens, and ends it before the first complete stop sequence (before the longest, if
/// several are completed by the same unit). A possible beginning of a stop sequence is held back until it is decided.
/// The result does not depend on the division into push() calls.
template <class Unit>
class StopSequences {
 public:
  using Text = std::basic_string<Unit>;

  /// The sequences must not be empty.
  explicit StopSequences(std::vector<Text> sequences = {}) : sequences_(std::move(sequences)) {}

  /// Returns the units that are final now. Returns nothing after a stop sequence.
  Text push(const Text& more) {
    for (const Unit unit : more) {
      if (stopped_) break;
      held_ += unit;
      std::size_t most = 0;
      for (const Text& sequence : sequences_)
        if (held_.ends_with(sequence)) most = std::max(most, sequence.size());
      stopped_ = most > 0;
      held_.resize(held_.size() - most);
    }
    if (stopped_) return std::exchange(held_, {});
    const std::size_t certain = first_begin();
    const Text text = held_.substr(0, certain);
    held_.erase(0, certain);
    return text;
  }
  /// Returns the units held back, because the text has ended.
  Text end() { return std::exchange(held_, {}); }
  bool stopped() const { return stopped_; }

 private:
  /// The first position from which on the held units may be the beginning of a sequence.
  std::size_t first_begin() const {
    for (std::size_t at = 0; at < held_.size(); ++at)
      for (const Text& sequence : sequences_)
        if (sequence.starts_with(held_.substr(at))) return at;
    return held_.size();
  }

  std::vector<Text> sequences_;
  Text held_;
  bool stopped_ = false;
};

}  // namespace weft::generate
