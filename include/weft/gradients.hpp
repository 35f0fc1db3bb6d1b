/// Loss and gradients of a program's own weights, for an optimizer of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weft/batch.hpp"
#include "weft/config.hpp"
#include "weft/export.hpp"
#include "weft/log.hpp"

namespace weft {
inline namespace v0 {

struct LossAndGradient {
  double loss = 0;              ///< mean over labels that count, nats
  std::uint64_t tokens = 0;     ///< number of labels that count
  std::vector<float> gradient;  ///< of the mean, for each element of the flat parameter vector
};

/// Forward and backward passes on wafers without an optimizer step. MemoryX sums the gradients of a batch exactly, so
/// that all results are the same for every num_csx and backend. Reads and writes no file of model_dir. Used by one
/// thread at a time; a call during another one throws Error. All functions throw Error, and can be called again
/// afterwards.
class WEFT_API Gradients {
 public:
  /// train_input.data_dir is only a name. Starts the wafers.
  explicit Gradients(const Config& config, Log log = {});
  ~Gradients();
  Gradients(const Gradients&) = delete;
  Gradients& operator=(const Gradients&) = delete;

  /// `weights`: the flat parameter vector. `batch`: train_input.batch_size samples. Gradients of
  /// optimizer.frozen_params are 0.
  LossAndGradient compute(std::span<const float> weights, const Batch& batch);
  /// The forward pass alone, over any number of samples; the result has no gradient.
  LossAndGradient loss(std::span<const float> weights, const Batch& batch);

  /// Number of elements of the flat parameter vector.
  std::uint64_t parameters() const;
  /// The configuration with all choices made.
  const Config& config() const;

 private:
  class WEFT_LOCAL Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace v0
}  // namespace weft
