#include "sw/base/bf16.hpp"
#include "sw/compiler/program/program.hpp"
#include "tests/compiler/written_out/gpt_ops.hpp"

namespace weft::compiler::written_out {

void GptOps::layernorm(std::string name, int x, int xhat, int rstd) {
  OpBuilder builder = op(std::move(name));
  builder.call("layernorm",
               {{"x", x}, {"xhat", xhat}, {"rstd", rstd}, {"upper", memory_.dys_above}, {"lower", memory_.dys_below}});
  add(builder);
}

void GptOps::affine(const std::string& norm, int xhat, int y, bool again) {
  OpBuilder builder = op(norm + (again ? ".affine.again" : ".affine"));
  builder.reads(tensor(norm + ".weight")).reads(tensor(norm + ".bias"));
  builder.call("affine", {{"xhat", xhat}, {"y", y}, {"slots", spaces_.hidden.slots()}});
  for (int slot = 0; slot < spaces_.hidden.slots(); ++slot) builder.output(affine_elements(norm, slot, xhat, true));
  add(builder);
}

void GptOps::embedding() {
  OpBuilder builder = op("embedding");
  builder.reads(tensor("wte.weight")).reads(tensor("wpe.weight"));
  builder.call(wafer_.psum_cycles == 2 ? "embed_rotating" : "embed", {{"ids", memory_.token},
                                                                      {"positions", memory_.position},
                                                                      {"outputs", model_.hidden},
                                                                      {"y", memory_.residual},
                                                                      {"homes", memory_.table_hidden}});
  const auto one_hot = [&](const Space& ids, const std::string& name, int o) {
    std::vector<Element> elements;
    for (int id = 0; id < ids.features(); ++id)
      elements.push_back(
          {ids.row(id), ids.slot(id),
           static_cast<std::uint64_t>(offset(name) + static_cast<std::uint64_t>(id) * model_.hidden + o)});
    builder.output(elements);
  };
  for (int home = 0; home < wafer_.rows; ++home) {
    for (const int o : spaces_.hidden.on_row(home)) {
      one_hot(spaces_.vocab, "wte.weight", o);
      one_hot(spaces_.position, "wpe.weight", o);
    }
  }
  add(builder);
}

void GptOps::attention(const std::string& layer, const Gpt2Memory::Layer& memory) {
  const int one = nearest_bf16(1);
  OpBuilder builder = op(layer + "attn");
  per_head(builder,
           {{"probs", {{"q", memory.q}, {"k", memory.k}}, {{"p", memory_.dprobs}}},
            {"attend", {{"src", memory.v}, {"dst", memory.heads}}, {{"factor", one}, {"matrix", memory_.dprobs}}}});
  add(builder);
}

void GptOps::layer_forward(int l) {
  const Gpt2Memory::Layer& m = memory_.layers[l];
  const std::string layer = layer_name(l, "");
  const int h = model_.hidden, f = model_.filter;

  layernorm(layer + "ln_1", memory_.residual, m.xhat1, m.rstd1);
  affine(layer + "ln_1", m.xhat1, memory_.ln_out);
  const std::string attn = layer + "attn.c_attn";
  const int qkv[] = {m.q, m.k, m.v};
  for (int which = 0; which < 3; ++which) {
    OpBuilder builder = op(attn + "." + "qkv"[which]);
    builder.reads(tensor(attn + ".weight")).reads(tensor(attn + ".bias"));
    const auto first = static_cast<std::uint64_t>(which) * h;
    gemm(std::move(builder), {{spaces_.hidden, memory_.ln_out, {offset(attn + ".weight") + first, 3 * h, 1}}},
         offset(attn + ".bias") + first, false, spaces_.head, qkv[which]);
  }
  attention(layer, m);

  const auto project = [&](const std::string& name, const Space& in, int x, int in_features_stride, bool residual,
                           const Space& out, int y) {
    OpBuilder builder = op(name);
    builder.reads(tensor(name + ".weight")).reads(tensor(name + ".bias"));
    gemm(std::move(builder), {{in, x, {offset(name + ".weight"), in_features_stride, 1}}}, offset(name + ".bias"),
         residual, out, y);
  };
  project(layer + "attn.c_proj", spaces_.head, m.heads, h, true, spaces_.hidden, memory_.residual);
  layernorm(layer + "ln_2", memory_.residual, m.xhat2, m.rstd2);
  affine(layer + "ln_2", m.xhat2, memory_.ln_out);
  project(layer + "mlp.c_fc", spaces_.hidden, memory_.ln_out, f, false, spaces_.filter, m.u);
  OpBuilder gelu = op(layer + "mlp.gelu");
  gelu.call("gelu", {{"x", m.u}, {"y", memory_.gelu}});
  add(gelu);
  project(layer + "mlp.c_proj", spaces_.filter, memory_.gelu, h, true, spaces_.hidden, memory_.residual);
}

void GptOps::logits() {
  embedding();
  for (int l = 0; l < model_.layers; ++l) layer_forward(l);
  layernorm("ln_f", memory_.residual, memory_.xhat_final, memory_.rstd_final);
  affine("ln_f", memory_.xhat_final, memory_.ln_out);
  OpBuilder head = op("lm_head");
  head.reads(tensor(model_.tied ? "wte.weight" : "lm_head.weight"));
  gemm(std::move(head), {{spaces_.hidden, memory_.ln_out, head_matrix()}}, kNoBias, false, spaces_.vocab,
       memory_.logits);
}

void GptOps::forward() {
  logits();
  OpBuilder loss = op("loss");
  loss.call("loss", {{"logits", memory_.logits}, {"beside", memory_.dys(memory_.logits)}});
  std::vector<std::uint32_t> words(wafer_.rows, 0);
  words[0] = 2 * wafer_.cols * memory_.tokens_per_column;
  loss.returns(Returns::Loss, words);
  add(loss);
}

}  // namespace weft::compiler::written_out
