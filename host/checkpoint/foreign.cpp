#include "host/checkpoint/foreign.hpp"

#include <algorithm>
#include <string_view>

#include "host/checkpoint/model_tensors.hpp"
#include "host/checkpoint/unusable.hpp"

namespace weft {
namespace {

constexpr const char* kHead = "lm_head.weight";

/// PyTorch's GPT-2 and GPT-J keep causal masks and angles as buffers beside the weights.
bool is_buffer(std::string_view name) {
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias") || name.ends_with(".attn.embed_positions");
}

/// Under the names of the model without its head. A buffer's name may be that of a tensor of another network.
std::vector<TensorView> renamed(const std::string& file, std::vector<TensorView> tensors,
                                std::span<const TensorInfo> infos) {
  std::vector<TensorView> result;
  for (TensorView& tensor : tensors) {
    if (tensor.name.starts_with("weft.")) {
      throw file_error<DamagedFile>(file, tensor.name, "has no weft.format beside it", "take another checkpoint");
    }
    constexpr std::string_view kPrefix = "transformer.";
    if (tensor.name.starts_with(kPrefix)) tensor.name.erase(0, kPrefix.size());
    if (is_buffer(tensor.name) && std::ranges::find(infos, tensor.name, &TensorInfo::name) == infos.end()) continue;
    result.push_back(std::move(tensor));
  }
  return result;
}

/// Whether two tensors have the same numbers, read side by side.
bool are_equal(const ByteSource& source, const TensorView& one, const TensorView& other, std::uint64_t size) {
  constexpr std::uint64_t kSome = ByteSource::kSome / sizeof(float);
  std::vector<float> mine;
  bool equal = true;
  for (std::uint64_t at = 0; at < size && equal; at += kSome) {
    const std::uint64_t count = std::min(kSome, size - at);
    mine.clear();
    for_each_float(source, one, at, count, [&](auto values) { mine.insert(mine.end(), values.begin(), values.end()); });
    auto next = mine.begin();
    for_each_float(source, other, at, count, [&](auto values) {
      equal &= std::ranges::equal(values, std::span(next, values.size()));
      next += static_cast<std::ptrdiff_t>(values.size());
    });
  }
  return equal;
}

}  // namespace

std::vector<TensorView> take_foreign(const std::string& file, const ByteSource& source, std::vector<TensorView> views,
                                     std::span<const TensorInfo> infos) {
  ModelTensors tensors(file, source, renamed(file, std::move(views), infos));
  std::vector<TensorView> taken;
  for (const TensorInfo& t : infos) {
    taken.push_back(tensors.take_floats(t.name, t));
    if (const auto problem = tensors.first_fault(taken.back(), beyond_limit)) {
      tensors.fail(t.name, *problem, "take another file");
    }
  }
  // A head of a model that has none of its own must be wte.
  const auto wte = std::ranges::find(infos, "wte.weight", &TensorInfo::name);
  if (wte != infos.end() && tensors.has(kHead)) {
    const TensorView head = tensors.take_floats(kHead, *wte);
    if (!are_equal(source, head, taken[static_cast<std::size_t>(wte - infos.begin())], wte->size))
      tensors.fail(kHead, "differs from wte.weight", "set model.share_embedding_weights false");
  }
  tensors.finish();
  return taken;
}

}  // namespace weft
