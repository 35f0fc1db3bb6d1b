#include "host/generate/decoder.hpp"

#include <algorithm>
#include <stdexcept>

#include "sw/compiler/plan/decode.hpp"

namespace weft::generate {

std::vector<std::vector<float>> Decoder::next(std::span<const Next> texts) {
  if (position_ >= plan_.model.seq) throw std::out_of_range("all positions of the texts are used");
  std::vector<TokenId> tokens;
  for (const Next& text : texts) tokens.push_back(text.token);
  passes_.feed(compiler::decode_messages(plan_, tokens, position_));
  const bool any = std::ranges::any_of(texts, &Next::asked);
  const std::size_t ops = any ? plan_.ops.size() : compiler::decode_filling(plan_);
  const std::span<const compiler::Op> logits = passes_.logits_ops();
  for (std::size_t n = 0; n < ops; ++n) {
    const compiler::Op& op = plan_.ops[n];
    if (op.returns != compiler::Returns::Logits) {
      op.returns == compiler::Returns::Nothing ? passes_.feed(compiler::decode_op(plan_, n, tokens, position_))
                                               : passes_.feed(op);
      continue;
    }
    if (&op != &logits.front()) continue;
    for (std::size_t text = 0; text < texts.size(); ++text) {
      if (!texts[text].asked) continue;
      if (const int now = static_cast<int>(text); now != asked_) {
        passes_.feed(compiler::decode_ask(plan_, now, asked_));
        asked_ = now;
      }
      for (const compiler::Op& one : logits) passes_.feed(one);
    }
  }
  ++position_;
  return any ? passes_.finish() : std::vector<std::vector<float>>{};
}

std::unique_ptr<Wafer> Decoder::release() {
  std::unique_ptr<Wafer> wafer = passes_.release();
  wafer->reset();
  return wafer;
}

}  // namespace weft::generate
