/// Random training jobs, as an arbitrary user might request.
#pragma once

#include <cstdint>
#include <ostream>

#include "sw/compiler/plan/plan.hpp"
#include "tests/random.hpp"

namespace weft::test {

/// A model, a mesh and a batch.
struct Job {
  compiler::ModelShape model;
  machine::WaferShape wafer;
  int micro_batches = 1;  ///< micro-batches of a step
  int num_csx = 1;
  std::uint64_t seed = 1;  ///< seed of parameters, tokens and masks
  double sparsity = 0;     ///< sparsity of the transformer blocks' matrices

  /// Approximate number of multiply-adds of a step's forward pass, as a measure of cost.
  double work() const;
};

/// Random masks for the job.
compiler::Mask job_mask(const Job& job);

/// Prints the whole job in one line.
std::ostream& operator<<(std::ostream& out, const Job& job);

/// Limits of the random draw.
struct Range {
  int rows, cols;  ///< at most
  bool any_lanes;  ///< 2, 4, 8 or 16 instead of 4
  double work;     ///< upper limit of Job::work(); larger jobs are drawn again
};

inline constexpr Range kForModel{12, 8, true, 2e7};
inline constexpr Range kForLargeMeshes{128, 128, true, 3e7};
inline constexpr Range kForGradients{12, 8, true, 4e6};  ///< the reference is slow
inline constexpr Range kForRtl{6, 4, true, 2e6};
inline constexpr Range kForRefusals{128, 128, true, 2e8};
inline constexpr Range kForRtlSmall{4, 3, false, 2e5};

/// A job within `range`; it may not fit the wafer.
Job random_job(Rng& rng, const Range& range);

/// A job that compile() accepts.
Job random_legal_job(Rng& rng, const Range& range);

}  // namespace weft::test
