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

/// Under the names of the model without its head.
std::vector<TensorView> renamed(const std::string& file, std::vector<TensorView> tensors) {
  std::vector<TensorView> result;
  for (TensorView& tensor : tensors) {
    if (tensor.name.starts_with("weft.")) {
      throw file_error<DamagedFile>(file, tensor.name, "has no weft.format beside it", "take another checkpoint");
    }
    if (is_buffer(tensor.name)) continue;
    constexpr std::string_view kPrefix = "transformer.";
    if (tensor.name.starts_with(kPrefix)) tensor.name.erase(0, kPrefix.size());
    result.push_back(std::move(tensor));
  }
  return result;
}

/// A head of a model that has none of its own must be wte.
void check_tied_head(ModelTensors& tensors, const TensorInfo& wte, std::span<const float> weights) {
  std::vector<float> head(wte.size);
  tensors.take_floats(kHead, wte, head);
  if (std::ranges::equal(head, weights.subspan(wte.offset, wte.size))) return;
  tensors.fail(kHead, "differs from wte.weight", "set model.share_embedding_weights false");
}

}  // namespace

void load_foreign(const std::string& file, std::vector<TensorView> views, std::span<const TensorInfo> infos,
                  std::span<float> weights) {
  ModelTensors tensors(file, renamed(file, std::move(views)));
  for (const TensorInfo& t : infos) {
    const std::span<float> own = weights.subspan(t.offset, t.size);
    tensors.take_floats(t.name, t, own);
    if (const auto problem = beyond_limit(own)) tensors.fail(t.name, *problem, "take another file");
  }
  const auto wte = std::ranges::find(infos, "wte.weight", &TensorInfo::name);
  if (wte != infos.end() && tensors.has(kHead)) check_tied_head(tensors, *wte, weights);
  tensors.finish();
}

}  // namespace weft
