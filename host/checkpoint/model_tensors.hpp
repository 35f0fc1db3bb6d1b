/// Compares the tensors of a file with those of a model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::checkpoint {

/// Returns the tensors of a file one by one, and checks in the end that none is left. All functions throw Refusal.
class ModelTensors {
 public:
  /// `tensors` are in `source`, and `file` is for errors: both must outlive this.
  ModelTensors(const std::string& file, const ByteSource& source, std::vector<TensorView> tensors);

  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// The tensor `name`, which must have the shape of `like` and a floating-point type.
  TensorView take_floats(const std::string& name, const compiler::TensorInfo& like);
  /// Describes the first faulty value, e.g. "element 17 is not finite"; `first` is the number of the first value.
  using Fault = std::optional<std::string> (*)(std::span<const float> values, std::uint64_t first);
  std::optional<std::string> first_fault(const TensorView& tensor, Fault fault) const;
  std::vector<bool> take_mask(const std::string& name, const compiler::TensorInfo& like);
  /// Throws if a tensor was not taken.
  void finish() const;

  [[noreturn]] void fail(std::string_view tensor, std::string_view problem, std::string_view hint) const;

 private:
  TensorView take(const std::string& name, const compiler::TensorInfo& like);

  const std::string& file_;
  const ByteSource& source_;
  std::map<std::string, TensorView, std::less<>> tensors_;
};

/// Calls `work` for `count` elements of a tensor of `source` from `first` on, as fp32, in chunks.
void for_each_float(const ByteSource& source, const TensorView& tensor, std::uint64_t first, std::uint64_t count,
                    const std::function<void(std::span<const float>)>& work);

}  // namespace weft::checkpoint
