/// All prompts and their continuations so far.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "host/config/config.hpp"
#include "host/generate/continuation.hpp"
#include "host/generate/output.hpp"
#include "host/generate/prompts.hpp"
#include "host/generate/sampler.hpp"

namespace weft::generate {

class Texts {
 public:
  /// Prints the prompts. All references must outlive this.
  Texts(const config::RunConfig& run, const Prompts& prompts, Output& output);

  std::size_t size() const { return texts_.size(); }
  const std::vector<TokenId>& tokens(std::size_t n) const { return texts_[n].tokens; }
  bool ended(std::size_t n) const { return texts_[n].ended; }
  bool all_ended() const { return std::ranges::all_of(texts_, &Text::ended); }
  /// Chooses the next token of text n, which must not have ended, and prints the output that is final. `logits`:
  /// [vocab].
  void add(std::size_t n, const std::vector<float>& logits);
  /// Number of tokens added to all texts.
  int added() const { return added_; }

 private:
  struct Text {
    std::vector<TokenId> tokens;
    Continuation printed;
    Sampler sampler;
    int added = 0;
    bool ended = false;
  };

  const config::RunConfig& run_;
  const Prompts& prompts_;
  Output& output_;
  std::vector<Text> texts_;
  int added_ = 0;
};

}  // namespace weft::generate
