#include "host/checkpoint/model_tensors.hpp"

#include <algorithm>

#include "host/checkpoint/convert.hpp"

namespace weft::checkpoint {
namespace {

constexpr const char* kOtherModel =
    "give the model the checkpoint's shape, or take another checkpoint or runconfig.model_dir";

template <class List>
std::string text(const List& list) {
  return fmt::format("[{}]", fmt::join(list, ", "));
}

}  // namespace

ModelTensors::ModelTensors(const std::string& file, const ByteSource& source, std::vector<TensorView> tensors)
    : file_(file), source_(source) {
  for (TensorView& tensor : tensors) {
    const std::string name = tensor.name;
    if (!tensors_.emplace(name, std::move(tensor)).second) fail(name, "occurs twice", "remove one");
  }
}

void ModelTensors::fail(std::string_view tensor, std::string_view problem, std::string_view hint) const {
  throw file_error(file_, tensor, problem, hint);
}

TensorView ModelTensors::take(const std::string& name, const compiler::TensorInfo& like) {
  const auto at = tensors_.find(name);
  if (at == tensors_.end()) {
    fail(name, "is missing from the file",
         name == "lm_head.weight" ? "set model.share_embedding_weights true, or take another file" : kOtherModel);
  }
  TensorView tensor = std::move(at->second);
  tensors_.erase(at);
  if (!std::ranges::equal(tensor.shape, like.dims, {}, {}, [](int dim) { return static_cast<std::uint64_t>(dim); })) {
    fail(name, fmt::format("shape is {}, the model's is {}", text(tensor.shape), text(like.dims)), kOtherModel);
  }
  return tensor;
}

TensorView ModelTensors::take_floats(const std::string& name, const compiler::TensorInfo& like) {
  TensorView tensor = take(name, like);
  if (!is_float(tensor.dtype)) {
    fail(name, fmt::format("has the type {}", dtype_name(tensor.dtype)), "write it as F32, F16 or BF16");
  }
  return tensor;
}

std::optional<std::string> ModelTensors::first_fault(const TensorView& tensor, Fault fault) const {
  std::optional<std::string> found;
  std::uint64_t first = 0;
  for_each_float(source_, tensor, 0, tensor.bytes / dtype_bytes(tensor.dtype), [&](std::span<const float> values) {
    if (!found) found = fault(values, first);
    first += values.size();
  });
  return found;
}

std::vector<bool> ModelTensors::take_mask(const std::string& name, const compiler::TensorInfo& like) {
  const TensorView tensor = take(name, like);
  if (tensor.dtype != Dtype::Bool) {
    fail(name, fmt::format("has the type {}", dtype_name(tensor.dtype)), "write it as BOOL");
  }
  std::vector<bool> mask;
  mask.reserve(like.size);
  source_.for_each(tensor.begin, tensor.bytes,
                   [&](std::span<const std::uint8_t> bytes) { mask.insert(mask.end(), bytes.begin(), bytes.end()); });
  return mask;
}

void ModelTensors::finish() const {
  if (!tensors_.empty()) fail(tensors_.begin()->first, "is not a tensor of the model", kOtherModel);
}

void for_each_float(const ByteSource& source, const TensorView& tensor, std::uint64_t first, std::uint64_t count,
                    const std::function<void(std::span<const float>)>& work) {
  const std::size_t size = dtype_bytes(tensor.dtype);
  std::vector<float> floats;
  source.for_each(tensor.begin + first * size, count * size, [&](std::span<const std::uint8_t> bytes) {
    floats.resize(bytes.size() / size);
    to_float(tensor.dtype, bytes, floats);
    work(floats);
  });
}

}  // namespace weft::checkpoint
