#include "host/formats/hf_keys.hpp"

namespace weft::formats {
namespace {

/// GELU by tanh has three names in Hugging Face; "gelu" is computed by erf: of GPT-2's class, it is
/// the network cerebras_gpt.
constexpr HfConstant kGelu{"activation_function", R"("gelu_new")", {R"("gelu_pytorch_tanh")", R"("gelu_fast")"}};

constexpr HfConstant kGpt2[] = {
    kGelu,
    {"scale_attn_weights", "true", {"1"}},
    {"scale_attn_by_inverse_layer_idx", "false", {"null", "0"}},
    {"reorder_and_upcast_attn", "false", {"true", "null"}},  // the order of sums, not their values
    {"add_cross_attention", "false", {"null", "0"}}};
constexpr HfConstant kGptJ[] = {kGelu};
constexpr HfConstant kLlama[] = {{"hidden_act", R"("silu")", {R"("swish")"}},
                                 {"attention_bias", "false", {"null", "0"}},
                                 {"mlp_bias", "false", {"null", "0"}},
                                 {"pretraining_tp", "1", {"2", "4", "8"}}};  // the order of sums, not their values

constexpr HfOtherName kOtherNames[] = {{"hidden_size", "n_embd"},
                                       {"num_hidden_layers", "n_layer"},
                                       {"num_attention_heads", "n_head"},
                                       {"max_position_embeddings", "n_positions"}};
constexpr HfUnreadName kUnreadNames[] = {{"intermediate_size", "n_inner"},
                                         {"layer_norm_eps", "layer_norm_epsilon"},
                                         {"rms_norm_eps", "layer_norm_epsilon", HfUnreadName::Another},
                                         {"hidden_act", "activation_function"},
                                         {"num_key_value_heads", "n_head", HfUnreadName::Another},
                                         {"num_layers", "n_layer", HfUnreadName::Instead},
                                         {"n_layers", "n_layer", HfUnreadName::Instead},
                                         {"d_model", "n_embd", HfUnreadName::Instead},
                                         {"num_heads", "n_head", HfUnreadName::Instead},
                                         {"n_heads", "n_head", HfUnreadName::Instead},
                                         {"n_ctx", "n_positions", HfUnreadName::Instead},
                                         {"block_size", "n_positions", HfUnreadName::Instead},
                                         {"d_ff", "n_inner", HfUnreadName::Instead}};

}  // namespace

std::span<const HfOtherName> hf_other_names() { return kOtherNames; }
std::span<const HfUnreadName> hf_unread_names() { return kUnreadNames; }

std::span<const HfConstant> hf_constants(HfKind kind) {
  if (kind == HfKind::Gpt2) return kGpt2;
  if (kind == HfKind::Llama) return kLlama;
  return kGptJ;
}

HfDefaults hf_defaults(HfKind kind) {
  if (kind == HfKind::Gpt2) return {50257, 1024, 768, 12, 12, 0};
  return {50400, 2048, 4096, 28, 16, 64};
}

}  // namespace weft::formats
