/// Evaluation: the loss of a model over a whole set of samples.
#pragma once

#include <atomic>
#include <optional>

#include "host/data/data.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "sw/base/elementary.hpp"

namespace weft::train {

struct EvalResult {
  double loss = 0;                  ///< sum of the means of all losses, nats
  std::uint64_t tokens = 0;         ///< of the last loss
  std::vector<double> losses = {};  ///< mean of each, in the order of the plan
  /// Exponential of the last loss, which is that of the tokens.
  double perplexity() const { return rounded_exp(losses.back()); }
};

/// Evaluates on the same samples each time. The result is bitwise the same for every number of wafers.
class Evaluation {
 public:
  explicit Evaluation(data::EvalData data) : data_(std::move(data)) {}

  /// Runs all samples through the wafers, whose GetBatch must call batch() for requests that are not for training.
  /// Returns nothing if the run is interrupted meanwhile (signals.hpp). Throws as Swarm::evaluate.
  std::optional<EvalResult> run(swarmx::Swarm& swarm, std::uint64_t step, swarmx::MemoryXClient& memory);

  /// The micro-batch that a wafer requests. Thread-safe.
  swarmx::MicroBatch batch(const swarmx::BatchRequest& request) const;
  const data::EvalData& data() const { return data_; }

 private:
  data::EvalData data_;
  std::atomic<std::uint32_t> first_ = 0;  // first micro-batch of the current chunk
};

}  // namespace weft::train
