/// Heads of queries that share a head of keys and values (docs/explanation/grouped_heads.md).
#pragma once

#include <cstdint>

namespace weft::compiler {

/// Each head of queries has a copy of the keys and values that it reads, computed from the parameters that its group
/// shares: heads 0 .. times - 1 from those of head 0 of keys and values, and so on.
struct HeadCopies {
  static constexpr int kMost = 128;  ///< copies: gradients of a parameter are counted in a byte (ExactSum)

  int features = 1;  ///< of a head
  int times = 1;     ///< copies; 1: each feature has parameters of its own

  /// The feature of the tensor, for a feature of the heads of queries.
  std::uint64_t parameter(std::uint64_t feature) const {
    if (times == 1) return feature;
    const auto size = static_cast<std::uint64_t>(features);
    return feature / (size * static_cast<std::uint64_t>(times)) * size + feature % size;
  }
  /// An upper bound of parameter() of `count` features, at least one: the last feature of the last head.
  std::uint64_t last(std::uint64_t count) const {
    if (times == 1) return count - 1;
    const auto size = static_cast<std::uint64_t>(features);
    return ((count - 1) / (size * static_cast<std::uint64_t>(times)) + 1) * size - 1;
  }
  friend bool operator==(const HeadCopies&, const HeadCopies&) = default;
};

}  // namespace weft::compiler
