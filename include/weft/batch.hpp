/// Samples that a program gives to a run, in place of files.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/export.hpp"

namespace weft {
inline namespace v0 {

/// Token ids and the label of each, [sequences][model.max_sequence_length]. A label below 0 does not count. Both have
/// the same size.
///
/// In a model with segments an input is the token plus 2^24 times its kind of segment. With train_input.use_vsl, 2^23
/// is added to the first token of each document. Labels of a network with other losses than that of tokens:
/// docs/reference/network.md, Losses.
struct Batch {
  std::vector<std::int32_t> inputs, labels;
};

}  // namespace v0
}  // namespace weft
