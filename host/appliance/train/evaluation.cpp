#include "host/appliance/train/evaluation.hpp"

#include <algorithm>

namespace weft {

EvalResult Evaluation::run(Swarm& swarm, std::uint64_t step, MemoryX& memoryx) {
  // The sum of a chunk's losses is exact, and has room for 2^31 nats (host/swarmx/loss.hpp): 512 a token.
  constexpr std::uint64_t kChunkTokens = 1 << 22;
  const std::uint64_t each = std::max<std::uint64_t>(data_.micro_batch(0).inputs.size(), 1);
  const auto all = static_cast<std::uint32_t>(data_.micro_batches());
  const auto chunk = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kChunkTokens / each, 1, all));
  EvalResult result;
  double sum = 0;
  for (std::uint32_t first = 0; first < all; first += chunk) {
    first_ = first;
    const StepResult part = swarm.evaluate(step, std::min(chunk, all - first), memoryx);
    sum += part.loss * static_cast<double>(part.tokens);
    result.tokens += part.tokens;
  }
  result.loss = sum / static_cast<double>(result.tokens);
  return result;
}

MicroBatch Evaluation::batch(const BatchRequest& request) const {
  Batch batch = data_.micro_batch(static_cast<int>(first_ + request.micro_batch));
  return {std::move(batch.inputs), std::move(batch.labels)};
}

}  // namespace weft
