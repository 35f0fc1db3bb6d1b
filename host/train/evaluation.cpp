#include "host/train/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "host/swarmx/protocol/loss.hpp"
#include "host/system/signals.hpp"

namespace weft::train {
namespace {

/// A loss over all samples.
struct Sum {
  __int128 sum = 0;
  std::uint64_t tokens = 0;
};

}  // namespace

std::optional<EvalResult> Evaluation::run(swarmx::Swarm& swarm, std::uint64_t step, swarmx::MemoryXClient& memory) {
  // The sum of a chunk's losses is limited to 2^31 nats (host/swarmx/protocol/loss.hpp): 512 per token. Interrupts are
  // handled between chunks.
  constexpr std::uint64_t kTokens = 1 << 22, kPasses = 8;
  const std::uint64_t each = std::max<std::uint64_t>(data_.micro_batch(0).inputs.size(), 1);
  const auto all = static_cast<std::uint32_t>(data_.micro_batches());
  const std::uint64_t some = std::min(kTokens / each, kPasses * static_cast<std::uint64_t>(swarm.wafers()));
  const auto chunk = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(some, 1, all));
  EvalResult result;
  std::vector<Sum> sums;  // exact, so the result does not depend on the chunks
  for (std::uint32_t first = 0; first < all; first += chunk) {
    if (system::interrupted()) return std::nullopt;
    first_ = first;
    const swarmx::StepResult part = swarm.evaluate(step, std::min(chunk, all - first), memory);
    sums.resize(part.losses.size());
    for (std::size_t n = 0; n < sums.size(); ++n)
      sums[n].sum += part.losses[n].sum, sums[n].tokens += static_cast<std::uint64_t>(part.losses[n].tokens);
  }
  for (const Sum& of : sums) {
    result.losses.push_back(of.tokens == 0 ? 0
                                           : std::ldexp(static_cast<double>(of.sum), -swarmx::kLossBits) /
                                                 static_cast<double>(of.tokens));
    result.loss += result.losses.back();
  }
  result.tokens = sums.back().tokens;
  return result;
}

swarmx::MicroBatch Evaluation::batch(const swarmx::BatchRequest& request) const {
  data::Batch batch = data_.micro_batch(static_cast<int>(first_ + request.micro_batch));
  return {std::move(batch.inputs), std::move(batch.labels), batch.class_weight};
}

}  // namespace weft::train
