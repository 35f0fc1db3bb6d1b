/// The loss of a model over a whole set of samples.
#pragma once

#include <atomic>
#include <optional>

#include "host/data/data.hpp"
#include "host/swarmx/swarm.hpp"
#include "sw/base/elementary.hpp"

namespace weft {

struct EvalResult {
  double loss = 0;  ///< mean over tokens, nats
  std::uint64_t tokens = 0;
  double perplexity() const { return rounded_exp(loss); }
};

/// Evaluates on the same samples each time. Bitwise the same for every number of wafers.
class Evaluation {
 public:
  explicit Evaluation(EvalData data) : data_(std::move(data)) {}

  /// Runs all samples through the wafers, whose GetBatch must come here for what is not training. Nothing if the run is
  /// interrupted meanwhile (interrupt.hpp). Throws as Swarm::evaluate.
  std::optional<EvalResult> run(Swarm& swarm, std::uint64_t step, Memory& memory);

  /// What a wafer asks for. Thread-safe.
  MicroBatch batch(const BatchRequest& request) const;
  const EvalData& data() const { return data_; }

 private:
  EvalData data_;
  std::atomic<std::uint32_t> first_ = 0;  // micro-batch of the chunk that runs
};

}  // namespace weft
