#include "host/config/keys/params_filter.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "host/config/keys/keys.hpp"
#include "sw/base/did_you_mean.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::config {
namespace {

bool matches(const std::string& pattern, const compiler::TensorInfo& tensor) {
  return fnmatch(pattern.c_str(), tensor.name.c_str(), 0) == 0;
}

bool is_matrix(const compiler::TensorInfo& tensor) { return tensor.dims.size() == 2; }

/// Replaces the layer number: "h.*.mlp.c_fc.weight" for "h.3.mlp.c_fc.weight".
std::string of_all_layers(const std::string& name) {
  return name.starts_with("h.") ? "h.*" + name.substr(name.find('.', 2)) : name;
}

/// Tensors among which the patterns of a key choose.
struct Choice {
  const char* key;
  std::size_t dims;  ///< only tensors of so many dimensions; 0: of any number
  const char* only;  ///< explanation for a pattern that matches other tensors

  bool may_be(const compiler::TensorInfo& tensor) const { return dims == 0 || tensor.dims.size() == dims; }
};

/// Error for a pattern that chooses nothing: reports another tensor that it matches, if any, and suggests the most
/// similar name.
Refusal chooses_nothing(const Config& config, const Choice& choice, const std::string& pattern,
                        const std::vector<compiler::TensorInfo>& tensors) {
  std::vector<std::string> patterns;
  std::vector<std::string_view> names;
  for (const compiler::TensorInfo& tensor : tensors) {
    if (!choice.may_be(tensor)) continue;
    names.push_back(tensor.name);
    const std::string all = of_all_layers(tensor.name);
    if (std::ranges::find(patterns, all) == patterns.end()) patterns.push_back(all);
  }
  names.insert(names.begin(), patterns.begin(), patterns.end());
  const std::string near = nearest(pattern, names);
  const auto other = std::ranges::find_if(tensors, [&](const compiler::TensorInfo& t) { return matches(pattern, t); });
  const std::string problem = other == tensors.end()
                                  ? fmt::format("\"{}\" matches no tensor", pattern)
                                  : fmt::format("\"{}\" matches {}, which is {} matrix: {}", pattern, other->name,
                                                is_matrix(*other) ? "a" : "not a", choice.only);
  return config.error(choice.key, problem,
                      near.empty() ? fmt::format("use patterns such as {}", fmt::join(patterns, ", "))
                                   : fmt::format("did you mean {}?", near));
}

std::vector<compiler::TensorInfo> chosen(const Config& config, const Choice& choice,
                                         const std::vector<std::string>& filter) {
  std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
  constexpr std::size_t kMost = 256;  // patterns, or bytes per pattern; each is matched against every tensor
  if (filter.size() > kMost) {
    throw config.error(choice.key, fmt::format("has {} patterns, more than {}", filter.size(), kMost),
                       "use patterns that match more");
  }
  for (const std::string& pattern : filter) {
    if (pattern.size() > kMost) {
      throw config.error(choice.key, fmt::format("has a pattern of {} bytes, more than {}", pattern.size(), kMost),
                         "use names of tensors, e.g. h.*.mlp.c_fc.weight");
    }
    if (std::ranges::none_of(tensors,
                             [&](const compiler::TensorInfo& t) { return choice.may_be(t) && matches(pattern, t); }))
      throw chooses_nothing(config, choice, pattern, tensors);
  }
  std::erase_if(tensors, [&](const compiler::TensorInfo& tensor) {
    return !choice.may_be(tensor) ||
           std::ranges::none_of(filter, [&](const std::string& pattern) { return matches(pattern, tensor); });
  });
  return tensors;
}

std::vector<std::string> names_of(const std::vector<compiler::TensorInfo>& tensors) {
  std::vector<std::string> names;
  for (const compiler::TensorInfo& tensor : tensors) names.push_back(tensor.name);
  return names;
}

}  // namespace

std::vector<compiler::TensorInfo> sparse_tensors(const Config& config) {
  if (config.sparsity.sparsity == 0 && config.sparsity.init_method != "checkpoint") return {};
  return chosen(config, {"sparsity.params_filter", 2, "only matrices can be sparse"}, config.sparsity.params_filter);
}

std::vector<std::string> no_decay_tensors(const Config& config) {
  return names_of(chosen(config, {"optimizer.no_decay_params", 2, "others decay only if decay_params names them"},
                         config.optimizer.no_decay_params));
}

std::vector<std::string> decay_tensors(const Config& config) {
  return names_of(
      chosen(config, {"optimizer.decay_params", 1, "matrices decay without it"}, config.optimizer.decay_params));
}

std::vector<std::string> frozen_tensors(const Config& config) {
  return names_of(chosen(config, {"optimizer.frozen_params", 0, ""}, config.optimizer.frozen_params));
}

}  // namespace weft::config
