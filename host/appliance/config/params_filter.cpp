#include "host/appliance/config/params_filter.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <string>

#include "host/appliance/config/keys.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

bool matches(const std::string& pattern, const TensorInfo& tensor) {
  return fnmatch(pattern.c_str(), tensor.name.c_str(), 0) == 0;
}

bool is_matrix(const TensorInfo& tensor) { return tensor.dims.size() == 2; }

/// "h.*.mlp.c_fc.weight" of "h.3.mlp.c_fc.weight".
std::string of_all_layers(const std::string& name) {
  return name.starts_with("h.") ? "h.*" + name.substr(name.find('.', 2)) : name;
}

/// A pattern that chooses nothing: says whether it matches vectors, and names the matrix it is most like.
Refusal chooses_nothing(const Config& config, const std::string& pattern, const std::vector<TensorInfo>& tensors) {
  std::vector<std::string> patterns;
  std::vector<std::string_view> names;
  for (const TensorInfo& tensor : tensors) {
    if (!is_matrix(tensor)) continue;
    names.push_back(tensor.name);
    const std::string all = of_all_layers(tensor.name);
    if (std::ranges::find(patterns, all) == patterns.end()) patterns.push_back(all);
  }
  names.insert(names.begin(), patterns.begin(), patterns.end());
  const std::string near = nearest(pattern, names);
  const auto vector = std::ranges::find_if(tensors, [&](const TensorInfo& t) { return matches(pattern, t); });
  const std::string problem =
      vector == tensors.end()
          ? fmt::format("\"{}\" matches no tensor", pattern)
          : fmt::format("\"{}\" matches {}, which is no matrix: only matrices can be sparse", pattern, vector->name);
  return config.error("sparsity.params_filter", problem,
                      near.empty() ? fmt::format("use patterns such as {}", fmt::join(patterns, ", "))
                                   : fmt::format("did you mean {}?", near));
}

}  // namespace

std::vector<TensorInfo> sparse_tensors(const Config& config) {
  if (config.sparsity.sparsity == 0 && config.sparsity.init_method != "checkpoint") return {};
  std::vector<TensorInfo> tensors = model_tensors(config.model);
  const std::vector<std::string>& filter = config.sparsity.params_filter;
  constexpr std::size_t kMost = 256;  // patterns, or bytes of one: each is held against every tensor
  if (filter.size() > kMost) {
    throw config.error("sparsity.params_filter", fmt::format("has {} patterns, more than {}", filter.size(), kMost),
                       "use patterns that match more");
  }
  for (const std::string& pattern : filter) {
    if (pattern.size() > kMost) {
      throw config.error("sparsity.params_filter",
                         fmt::format("has a pattern of {} bytes, more than {}", pattern.size(), kMost),
                         "use names of tensors, e.g. h.*.mlp.c_fc.weight");
    }
    if (std::ranges::none_of(tensors, [&](const TensorInfo& t) { return is_matrix(t) && matches(pattern, t); }))
      throw chooses_nothing(config, pattern, tensors);
  }
  std::erase_if(tensors, [&](const TensorInfo& tensor) {
    return !is_matrix(tensor) ||
           std::ranges::none_of(filter, [&](const std::string& pattern) { return matches(pattern, tensor); });
  });
  return tensors;
}

}  // namespace weft
