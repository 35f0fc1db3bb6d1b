/// Checkpoints as NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "weft/checkpoint.hpp"

namespace weft_python {

/// (step, metadata, [(name, array), ...]): arrays take the numbers of `checkpoint` without a copy.
nanobind::tuple to_arrays(weft::Checkpoint&& checkpoint);

/// `arrays`: [(name, array), ...], of float32 or bool, in C order on the CPU. Throws nanobind::type_error.
weft::Checkpoint from_arrays(std::uint64_t step, const std::map<std::string, std::string>& metadata,
                             const nanobind::list& arrays);

/// A vector of float32 that takes `values` without a copy.
nanobind::object to_array(std::vector<float>&& values);

}  // namespace weft_python
