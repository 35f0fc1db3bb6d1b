/// Trainings of random shape: what a stranger might ask for.
#pragma once

#include <cstdint>
#include <ostream>

#include "sw/compiler/plan.hpp"
#include "tests/random.hpp"

namespace weft {

/// A model, a mesh and a batch.
struct Job {
  ModelShape model;
  WaferShape wafer;
  int micro_batches = 1;  ///< of a step
  int num_csx = 1;
  std::uint64_t seed = 1;  ///< of parameters, tokens and masks
  double sparsity = 0;     ///< of the transformer blocks' matrices

  /// Multiply-adds of a step's forward pass, about: what it costs to run.
  double work() const;
};

/// The job's masks, random.
Mask job_mask(const Job& job);

/// All of a job in one line.
std::ostream& operator<<(std::ostream& out, const Job& job);

/// What is drawn.
struct Range {
  int rows, cols;  ///< at most
  bool any_lanes;  ///< 2, 4, 8 or 16 instead of 4
  double work;     ///< Job::work() at most; larger ones are drawn again
};

inline constexpr Range kForModel{12, 8, true, 2e7};
inline constexpr Range kForLargeMeshes{128, 128, true, 3e7};
inline constexpr Range kForGradients{12, 8, true, 4e6};  ///< the reference is slow
inline constexpr Range kForRtl{6, 4, true, 2e6};
inline constexpr Range kForRefusals{128, 128, true, 2e8};
inline constexpr Range kForRtlSmall{4, 3, false, 2e5};

/// A job out of `range`; it need not fit the wafer.
Job random_job(test::Dice& dice, const Range& range);

/// A job that compile() takes.
Job random_legal_job(test::Dice& dice, const Range& range);

}  // namespace weft
