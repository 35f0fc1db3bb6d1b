#include "host/tokenizer/train_bpe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using Pair = std::uint64_t;  // left id, right id
Pair pair_of(std::uint32_t left, std::uint32_t right) { return Pair{left} << 32 | right; }

/// A candidate for the next merge, and the words that contain it.
struct Candidate {
  std::int64_t count;
  Pair pair;
  std::vector<std::uint32_t> words;

  bool operator<(const Candidate& other) const {
    return count != other.count ? count < other.count : pair > other.pair;
  }
};

class Trainer {
 public:
  Trainer(const WordCounts& words, const BpeTraining& training) : training_(training) {
    add_first_tokens();
    std::vector<std::pair<std::string_view, std::uint64_t>> sorted(words.begin(), words.end());
    std::ranges::sort(sorted);  // for a deterministic order of memory accesses
    for (const auto& [word, count] : sorted) {
      std::vector<std::uint32_t> symbols;
      for (const char c : word) symbols.push_back(ids_.at(std::string(1, c)));
      symbols_.push_back(std::move(symbols));
      counts_.push_back(static_cast<std::int64_t>(count));
    }
    count_pairs();
  }

  BpeParts train(const std::function<void(std::uint32_t)>& progress) {
    while (ids_.size() < training_.vocab_size && !queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end());
      Candidate best = std::move(queue_.back());
      queue_.pop_back();
      const std::int64_t now = pairs_[best.pair];
      if (best.count != now) {  // the count has decreased since it was queued
        if (now > 0) push({now, best.pair, std::move(best.words)});
        continue;
      }
      if (now < std::max<std::int64_t>(1, static_cast<std::int64_t>(training_.min_frequency))) break;
      merge(best);
      if (progress) progress(static_cast<std::uint32_t>(ids_.size()));
    }
    parts_.splits = {{.pattern = std::string(kGpt2Pattern)}};
    return std::move(parts_);
  }

 private:
  std::uint32_t add(const std::string& bytes) {
    const auto [at, added] = ids_.emplace(bytes, static_cast<std::uint32_t>(ids_.size()));
    if (added) parts_.tokens[at->second] = bytes;
    return at->second;
  }

  void add_first_tokens() {
    constexpr auto kLetters = byte_letters();
    if (training_.vocab_size < training_.special.size() + 256)
      throw Refusal("",
                    fmt::format("{} tokens are fewer than the 256 bytes and the special tokens", training_.vocab_size),
                    fmt::format("use {} or more", training_.special.size() + 257));
    for (const std::string& token : training_.special) {
      if (token.size() < 2 || ids_.contains(token))
        throw Refusal("--special",
                      fmt::format("token \"{}\" {}", one_line(token, 80),
                                  token.size() < 2 ? "has fewer than 2 bytes" : "occurs twice"),
                      "leave it out");
      parts_.special.push_back({token, add(token)});
    }
    std::vector<std::uint32_t> bytes(256);
    std::iota(bytes.begin(), bytes.end(), 0);
    std::ranges::sort(bytes, {}, [&](std::uint32_t b) { return kLetters[b]; });
    for (const std::uint32_t b : bytes) add(std::string(1, static_cast<char>(b)));
  }

  void push(Candidate candidate) {
    queue_.push_back(std::move(candidate));
    std::push_heap(queue_.begin(), queue_.end());
  }

  void count_pairs() {
    std::unordered_map<Pair, std::vector<std::uint32_t>> where;
    for (std::uint32_t w = 0; w < symbols_.size(); ++w) {
      for (std::size_t i = 0; i + 1 < symbols_[w].size(); ++i) {
        const Pair pair = pair_of(symbols_[w][i], symbols_[w][i + 1]);
        pairs_[pair] += counts_[w];
        auto& words = where[pair];
        if (words.empty() || words.back() != w) words.push_back(w);
      }
    }
    for (auto& [pair, words] : where) push({pairs_[pair], pair, std::move(words)});
  }

  /// Merges the pair in each word from left to right. A pair with the new token is counted for each neighbour it has at
  /// that moment.
  void merge(const Candidate& best) {
    const auto left = static_cast<std::uint32_t>(best.pair >> 32), right = static_cast<std::uint32_t>(best.pair);
    const std::string &a = parts_.tokens.at(left), &b = parts_.tokens.at(right);
    const std::uint32_t made = add(a + b);
    parts_.merges.emplace_back(a, b);
    std::unordered_map<Pair, std::vector<std::uint32_t>> grown;
    for (const std::uint32_t w : best.words) {
      std::vector<std::uint32_t>& word = symbols_[w];
      const auto change = [&](Pair pair, bool more) {
        pairs_[pair] += more ? counts_[w] : -counts_[w];
        if (!more) return;
        auto& words = grown[pair];
        if (words.empty() || words.back() != w) words.push_back(w);
      };
      std::size_t kept = 0;
      for (std::size_t i = 0; i < word.size(); ++i, ++kept) {
        if (word[i] != left || i + 1 == word.size() || word[i + 1] != right) {
          word[kept] = word[i];
          continue;
        }
        if (kept > 0) change(pair_of(word[kept - 1], left), false), change(pair_of(word[kept - 1], made), true);
        if (i + 2 < word.size()) change(pair_of(right, word[i + 2]), false), change(pair_of(made, word[i + 2]), true);
        word[kept] = made;
        ++i;
      }
      word.resize(kept);
    }
    for (auto& [pair, words] : grown)
      if (pairs_[pair] > 0) push({pairs_[pair], pair, std::move(words)});
  }

  const BpeTraining& training_;
  BpeParts parts_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::vector<std::uint32_t>> symbols_;  // [word][symbol]: ids
  std::vector<std::int64_t> counts_;                 // [word]
  std::unordered_map<Pair, std::int64_t> pairs_;     // number of occurrences
  std::vector<Candidate> queue_;                     // a heap
};

}  // namespace

BpeParts train_bpe(const WordCounts& words, const BpeTraining& training,
                   const std::function<void(std::uint32_t)>& progress) {
  return Trainer(words, training).train(progress);
}

}  // namespace weft::tokenizer
