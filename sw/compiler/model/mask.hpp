/// Sparsity masks: the weights that a model has, for single tensors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace weft::compiler {

struct TensorInfo;

/// [tensor name]: a bit for each element, row major; true: the weight exists. A pruned weight is zero, and is neither
/// streamed nor trained. A tensor without an entry is dense.
using Mask = std::map<std::string, std::vector<bool>, std::less<>>;

/// The mask over the flat parameter vector; empty if all are kept. Throws std::invalid_argument if the mask names an
/// unknown tensor, or has another number of bits than its tensor has elements.
std::vector<bool> kept_parameters(const std::vector<TensorInfo>& tensors, const Mask& mask);

/// Number of parameters that are kept.
std::uint64_t count_kept(const std::vector<TensorInfo>& tensors, const Mask& mask);

/// Zeroes the elements of `values` (flat, as the parameters) that the mask leaves out. Throws as `kept_parameters`.
void prune(const std::vector<TensorInfo>& tensors, const Mask& mask, std::span<float> values);

}  // namespace weft::compiler
