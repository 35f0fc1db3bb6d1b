#include "sw/compiler/model/mask.hpp"

#include <algorithm>
#include <stdexcept>

#include "sw/compiler/model/tensors.hpp"

namespace weft::compiler {
namespace {

/// The tensor of a mask's entry, which must have one bit per element.
const TensorInfo& tensor_of(const std::vector<TensorInfo>& tensors, const Mask::value_type& entry) {
  const auto& [name, bits] = entry;
  const auto at = std::ranges::find(tensors, name, &TensorInfo::name);
  if (at == tensors.end()) throw std::invalid_argument("a mask for " + name + ", which the model does not have");
  if (at->size == bits.size()) return *at;
  throw std::invalid_argument("a mask of " + std::to_string(bits.size()) + " bits for the " + std::to_string(at->size) +
                              " elements of " + name);
}

}  // namespace

std::vector<bool> kept_parameters(const std::vector<TensorInfo>& tensors, const Mask& mask) {
  if (mask.empty()) return {};
  std::vector<bool> kept(parameter_count(tensors), true);
  for (const auto& entry : mask)
    std::copy(entry.second.begin(), entry.second.end(),
              kept.begin() + static_cast<std::ptrdiff_t>(tensor_of(tensors, entry).offset));
  return kept;
}

std::uint64_t count_kept(const std::vector<TensorInfo>& tensors, const Mask& mask) {
  std::uint64_t kept = parameter_count(tensors);
  for (const auto& [name, bits] : mask) kept -= static_cast<std::uint64_t>(std::ranges::count(bits, false));
  return kept;
}

void prune(const std::vector<TensorInfo>& tensors, const Mask& mask, std::span<float> values) {
  for (const auto& entry : mask) {
    auto bit = entry.second.begin();  // branch-free: bits are unpredictable
    for (float& value : values.subspan(tensor_of(tensors, entry).offset, entry.second.size()))
      value = *bit++ ? value : 0.0F;
  }
}

}  // namespace weft::compiler
