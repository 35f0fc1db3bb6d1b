/// The tensors of a file, held against those of a model.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Gives out the tensors of a file one by one, and knows in the end whether any is left. All throw Refusal.
class ModelTensors {
 public:
  /// `file`, for errors, must outlive this.
  ModelTensors(const std::string& file, std::vector<TensorView> tensors);

  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// The tensor `name`, of the shape of `like`, as fp32.
  void take_floats(const std::string& name, const TensorInfo& like, std::span<float> out);
  std::vector<bool> take_mask(const std::string& name, const TensorInfo& like);
  /// An error if some tensor was not taken.
  void finish() const;

  [[noreturn]] void fail(std::string_view tensor, std::string_view problem, std::string_view hint) const;

 private:
  TensorView take(const std::string& name, const TensorInfo& like);

  const std::string& file_;
  std::map<std::string, TensorView, std::less<>> tensors_;
};

}  // namespace weft
