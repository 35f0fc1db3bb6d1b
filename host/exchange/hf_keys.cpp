#include "host/exchange/hf_keys.hpp"

namespace weft {
namespace {

/// GELU by tanh has three names in Hugging Face; "gelu" alone is by erf, another function.
constexpr HfConstant kGelu{"activation_function", R"("gelu_new")", {R"("gelu_pytorch_tanh")", R"("gelu_fast")"}};

constexpr HfConstant kGpt2[] = {kGelu,
                                {"scale_attn_weights", "true"},
                                {"scale_attn_by_inverse_layer_idx", "false"},
                                {"reorder_and_upcast_attn", "false", {"true"}},  // the order of sums, no other value
                                {"add_cross_attention", "false"}};
constexpr HfConstant kGptJ[] = {kGelu};

}  // namespace

std::span<const HfConstant> hf_constants(HfKind kind) {
  if (kind == HfKind::Gpt2) return kGpt2;
  return kGptJ;
}

HfDefaults hf_defaults(HfKind kind) {
  if (kind == HfKind::Gpt2) return {50257, 1024, 768, 12, 12, 0};
  return {50400, 2048, 4096, 28, 16, 64};
}

}  // namespace weft
