#include "host/swarmx/protocol/loss.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "host/swarmx/base/error.hpp"
#include "sw/base/elementary.hpp"
#include "sw/base/exact_math.hpp"
#include "sw/base/invariant.hpp"
#include "sw/base/token_id.hpp"

namespace weft::swarmx {

double LossSum::mean() const {
  return tokens == 0 ? 0 : std::ldexp(static_cast<double>(sum), -kLossBits) / static_cast<double>(tokens);
}

LossSum loss_of(const compiler::Plan& plan, std::span<const std::uint32_t> words, int sequences,
                std::span<const TokenId> labels, std::size_t n) {
  const auto tokens = static_cast<std::size_t>(plan.wafer.cols) * static_cast<std::size_t>(plan.tokens_per_column);
  invariant(words.size() == 2 * tokens, "the loss has two words per token position");
  LossSum total;
  std::size_t at = 0;
  for (int column = 0; column < plan.wafer.cols; ++column) {
    for (int t = 0; t < plan.tokens_per_column; ++t, ++at) {
      const int token = plan.token_at(column, t, sequences);
      if (token < 0 ||
          (!labels.empty() && compiler::label_of(plan.losses, labels[static_cast<std::size_t>(token)], n) == kNoLabel))
        continue;
      const double sum = std::bit_cast<float>(words[at]);
      const double gap = std::bit_cast<float>(words[tokens + at]);
      const double loss = rounded_log(sum) + gap;
      if (!(std::fabs(loss) < 0x1p20)) {  // 2^20 nats: 2048 such tokens still fit, and no model is that wrong
        throw LossNotFinite(
            "the loss of the token in column " + std::to_string(column) + ", place " + std::to_string(t) +
            " is not a finite number (softmax sum " + std::to_string(sum) + ", max - logit " + std::to_string(gap) +
            "). HINT: the weights have diverged; lower optimizer.learning_rate and start from earlier ones, with "
            "--checkpoint_path in another runconfig.model_dir.");
      }
      const auto fixed = static_cast<std::int64_t>(std::llrint(std::ldexp(loss, kLossBits)));
      if (__builtin_add_overflow(total.sum, fixed, &total.sum)) throw SwarmError("the loss of a micro-batch overflows");
      ++total.tokens;
    }
  }
  return total;
}

}  // namespace weft::swarmx
