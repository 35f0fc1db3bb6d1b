#include "host/formats/llmc.hpp"

#include <fmt/format.h>

#include "host/formats/hf_config.hpp"
#include "sw/base/invariant.hpp"

namespace weft::formats {
namespace {

constexpr std::string_view kOfBlock[] = {
    "ln_1.weight", "ln_1.bias", "attn.c_attn.weight", "attn.c_attn.bias", "attn.c_proj.weight", "attn.c_proj.bias",
    "ln_2.weight", "ln_2.bias", "mlp.c_fc.weight",    "mlp.c_fc.bias",    "mlp.c_proj.weight",  "mlp.c_proj.bias"};

void check_model(const compiler::ModelShape& model) {
  if (const HfKind kind = hf_kind(model); kind != HfKind::Gpt2)
    throw Refusal("model.network", kind == HfKind::Bert ? "llm.c has no bert" : "llm.c has no gptj", "use gpt2");
  if (has_exact_gelu(model)) throw Refusal("model.network", "llm.c has no GELU by erf", "use gpt2");
  if (!model.tied)
    throw Refusal("model.share_embedding_weights", "is false, but llm.c has no separate head", "set it true");
  if (model.filter != 4 * model.hidden) {
    throw Refusal("model.filter_size",
                  fmt::format("is {}, but llm.c has 4 x hidden_size, {}", model.filter, 4 * model.hidden),
                  fmt::format("use {}", 4 * model.hidden));
  }
  if (model.ln_eps != 1e-5F) {
    throw Refusal("model.layer_norm_epsilon", fmt::format("is {}, but llm.c has 1e-05", model.ln_eps), "use 1e-05");
  }
}

}  // namespace

LlmcLayout llmc_layout(const compiler::ModelShape& model, std::span<const compiler::TensorInfo> tensors,
                       int padded_vocab) {
  check_model(model);
  LlmcLayout layout{.padded_vocab = padded_vocab, .elements = 0, .places = {}};
  const auto add = [&](const std::string& name, bool turned) {
    const auto at = std::ranges::find(tensors, name, &compiler::TensorInfo::name);
    invariant(at != tensors.end(), "GPT-2 has the tensors of GPT-2");
    layout.places.push_back({static_cast<std::size_t>(at - tensors.begin()), layout.elements, turned});
    layout.elements += at->size;
  };
  add("wte.weight", false);
  layout.elements += static_cast<std::uint64_t>(padded_vocab - model.vocab) * static_cast<std::uint64_t>(model.hidden);
  add("wpe.weight", false);
  for (const std::string_view name : kOfBlock) {
    const bool turned = name.ends_with(".weight") && !name.starts_with("ln_");
    for (int layer = 0; layer < model.layers; ++layer) add(fmt::format("h.{}.{}", layer, name), turned);
  }
  add("ln_f.weight", false);
  add("ln_f.bias", false);
  return layout;
}

std::vector<std::int32_t> llmc_header(const compiler::ModelShape& model, checkpoint::Dtype dtype, int padded_vocab) {
  std::vector<std::int32_t> header(kLlmcHeader / sizeof(std::int32_t));
  const std::int32_t values[] = {kLlmcMagic,   dtype == checkpoint::Dtype::BF16 ? 5 : 3,
                                 model.seq,    model.vocab,
                                 model.layers, model.heads,
                                 model.hidden, padded_vocab};
  std::ranges::copy(values, header.begin());
  return header;
}

}  // namespace weft::formats
