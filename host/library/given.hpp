/// Samples that a program gives: checks, and conversion to those of a run.
#pragma once

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "weft/batch.hpp"

namespace weft::library {

/// Throws Refusal for a configuration whose evaluation reads files: the samples of evaluations are given, too.
void check_given(const config::Config& config);

/// `batch` as samples. `samples`: the number that it must have; 0: any but none. Throws Refusal for a wrong size and
/// for ids that are not below the size of the vocabulary.
data::Batch given_batch(const config::Config& config, const Batch& batch, std::size_t samples);

/// All samples of `batch`, for an evaluation. Throws as given_batch.
data::EvalData given_evaluation(const config::Config& config, const Batch& batch);

}  // namespace weft::library
