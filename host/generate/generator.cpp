#include "host/generate/generator.hpp"

#include <algorithm>

#include "sw/compiler/plan/embedding.hpp"

namespace weft::generate {

std::vector<std::vector<float>> Generator::logits(const std::vector<std::span<const TokenId>>& texts) {
  std::vector<std::span<const TokenId>> windows;
  for (const auto& text : texts)
    windows.push_back(text.last(std::min(text.size(), static_cast<std::size_t>(plan_.model.seq))));
  passes_.feed(plan_.texts(windows));
  passes_.feed(compiler::embedding_of(plan_, windows));  // the first op
  const std::span<const compiler::Op> logits = passes_.logits_ops();
  for (const compiler::Op& op : std::span(plan_.ops).subspan(1)) {
    passes_.feed(op);
    if (&op != &logits.back()) continue;
    for (std::size_t n = 1; n < windows.size(); ++n) {
      passes_.feed(plan_.ask_next(windows, n));
      for (const compiler::Op& again : logits) passes_.feed(again);
    }
  }
  return passes_.finish();
}

std::vector<float> Generator::logits_of(std::span<const TokenId> sample, std::size_t at) {
  std::vector<TokenId> labels(sample.size(), kNoLabel);
  labels.at(at) = 0;  // any label makes its token the valid one
  passes_.feed(plan_.tokens(sample, labels));
  for (const compiler::Op& op : plan_.ops) passes_.feed(op);
  return passes_.finish()[0];
}

}  // namespace weft::generate
