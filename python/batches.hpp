/// Batches of token ids from NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "weft/batch.hpp"

namespace weft_python {

using Ids = nanobind::ndarray<const std::int32_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

/// A batch of `inputs` and `labels`, [sequences][tokens]. Throws nanobind::type_error for other arrays.
inline weft::Batch batch_of(const Ids& inputs, const Ids& labels) {
  return {.inputs = {inputs.data(), inputs.data() + inputs.size()},
          .labels = {labels.data(), labels.data() + labels.size()}};
}

}  // namespace weft_python
