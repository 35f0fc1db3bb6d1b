#include <cmath>

#include "sw/base/bf16.hpp"
#include "sw/compiler/program/program.hpp"
#include "tests/compiler/written_out/gpt_ops.hpp"

namespace weft::compiler::written_out {

void GptOps::layernorm_back(const std::string& norm, int xhat, int rstd) {
  const int slots = spaces_.hidden.slots();
  OpBuilder gradient = op(norm + ".dw");
  const bool together = sums_together(norm);
  gradient.call(
      together ? "gradient_norm" : "gradient_local",
      {{together ? "xhat" : "x", xhat}, {"slots", slots}, {"dy", memory_.delta}, {"buffers", memory_.dys(xhat)}});
  for (int slot = 0; slot < slots;) {
    std::vector<Element> elements;
    for (int n = 0; n < (together ? 8 : 1) && slot < slots; ++n, ++slot)
      for (const Element& element : affine_elements(norm, slot, xhat, true)) elements.push_back(element);
    gradient.gradient(elements);
  }
  add(gradient);

  OpBuilder back = op(norm + ".dx");
  back.reads(tensor(norm + ".weight"));
  back.call("layernorm_back", {{"dy", memory_.delta},
                               {"dyg", memory_.delta_scaled},
                               {"slots", slots},
                               {"xhat", xhat},
                               {"rstd", rstd},
                               {"dx", memory_.dresidual},
                               {"upper", xhat < memory_.upper_half ? memory_.dys_above : memory_.dys_below},
                               {"lower", xhat < memory_.upper_half ? memory_.dys_below : memory_.dys_above}});
  for (int slot = 0; slot < slots; ++slot) back.output(affine_elements(norm, slot, memory_.delta, false));
  add(back);
}

void GptOps::attention_back(const std::string& layer, const Gpt2Memory::Layer& m) {
  const Gpt2Memory& p = memory_;
  const int one = nearest_bf16(1),
            scale = nearest_bf16(1 / std::sqrt(static_cast<double>(model_.hidden) / model_.heads));
  OpBuilder builder = op(layer + "attn.dx");
  const auto sum = [](std::string_view kernel, int src, int dst, int factor, int matrix) {
    return HeadCall{kernel, {{"src", src}, {"dst", dst}}, {{"factor", factor}, {"matrix", matrix}}};
  };
  const int sp = p.padded_seq, lanes = wafer_.lanes;
  const auto to_lower = [&](int src, int step, int mask, int mask_step) {
    return HeadCall{
        "to_lower",
        {},
        {{"src", src}, {"dst", p.probs}, {"step", step & 0xffff}, {"mask", mask}, {"mask_step", mask_step & 0xffff}}};
  };
  per_head(builder, {{"probs", {{"q", m.q}, {"k", m.k}}, {{"p", p.probs}}},
                     {"dprobs", {{"dout", p.dheads}, {"v", m.v}}},
                     sum("attend", m.k, p.dq, scale, p.dprobs),
                     to_lower(p.probs, sp, p.triangle_lower, lanes),
                     sum("attend_lower", p.dheads, p.dv, one, p.probs),
                     to_lower(p.dprobs + (lanes - 1) * sp, -sp, p.triangle + (lanes - 1) * lanes, -lanes),
                     sum("attend_lower", m.q, p.dk, scale, p.probs)});
  add(builder);
}

void GptOps::layer_backward(int l) {
  const Gpt2Memory::Layer& m = memory_.layers[l];
  const Gpt2Memory& p = memory_;
  const std::string layer = layer_name(l, ""), fc = layer + "mlp.c_fc", fc2 = layer + "mlp.c_proj",
                    attn = layer + "attn.c_attn", proj = layer + "attn.c_proj";
  const int h = model_.hidden, f = model_.filter;

  OpBuilder gelu = op(layer + "mlp.gelu.again");
  gelu.call("gelu", {{"x", m.u}, {"y", p.gelu}});
  add(gelu);
  const Input dx{spaces_.hidden, p.dresidual, {offset(fc2 + ".weight"), 1, h}};
  weight_gradients(fc2, fc2 + ".weight", {spaces_.filter, p.gelu, {offset(fc2 + ".weight"), h, 1}},
                   offset(fc2 + ".bias"), {dx});
  OpBuilder dgelu = op(fc2 + ".dx");
  gemm(std::move(dgelu.reads(tensor(fc2 + ".weight"))), {dx}, kNoBias, false, spaces_.filter, p.dgelu);
  OpBuilder du = op(layer + "mlp.gelu.dx");
  du.call("gelu_back", {{"x", m.u}, {"dy", p.dgelu}, {"scratch", p.gelu_scratch}});
  add(du);
  affine(layer + "ln_2", m.xhat2, p.ln_out, true);
  const Input du_input{spaces_.filter, p.dgelu, {offset(fc + ".weight"), 1, f}};
  weight_gradients(fc, fc + ".weight", {spaces_.hidden, p.ln_out, {offset(fc + ".weight"), f, 1}}, offset(fc + ".bias"),
                   {du_input});
  OpBuilder dln2 = op(fc + ".dx");
  gemm(std::move(dln2.reads(tensor(fc + ".weight"))), {du_input}, kNoBias, false, spaces_.hidden, p.delta);
  layernorm_back(layer + "ln_2", m.xhat2, m.rstd2);

  const Input dproj{spaces_.hidden, p.dresidual, {offset(proj + ".weight"), 1, h}};
  weight_gradients(proj, proj + ".weight", {spaces_.head, m.heads, {offset(proj + ".weight"), h, 1}},
                   offset(proj + ".bias"), {dproj});
  OpBuilder dheads = op(proj + ".dx");
  gemm(std::move(dheads.reads(tensor(proj + ".weight"))), {dproj}, kNoBias, false, spaces_.head, p.dheads);
  attention_back(layer, m);
  affine(layer + "ln_1", m.xhat1, p.ln_out, true);
  const auto w = offset(attn + ".weight");
  const int dqkv[] = {p.dq, p.dk, p.dv};
  std::vector<Input> deltas;
  for (int which = 0; which < 3; ++which)
    deltas.push_back({spaces_.head, dqkv[which], {w + static_cast<std::uint64_t>(which) * h, 1, 3 * h}});
  weight_gradients(attn, attn + ".weight", {spaces_.hidden, p.ln_out, {w, 3 * h, 1}}, offset(attn + ".bias"), deltas);
  OpBuilder dln1 = op(attn + ".dx");
  gemm(std::move(dln1.reads(tensor(attn + ".weight"))), deltas, kNoBias, false, spaces_.hidden, p.delta);
  layernorm_back(layer + "ln_1", m.xhat1, m.rstd1);
}

void GptOps::embedding_gradient() {
  const auto one_hot = [&](const std::string& name, const Space& ids, int address) {
    const std::uint64_t table = offset(name + ".weight");
    OpBuilder builder = op(name + ".dw");
    std::vector<Element> elements;
    for (int home = 0; home < wafer_.rows; ++home) {
      for (const int o : spaces_.hidden.on_row(home)) {
        elements.clear();
        for (int id = 0; id < ids.features(); ++id)
          elements.push_back({ids.row(id), ids.slot(id), table + static_cast<std::uint64_t>(id) * model_.hidden + o});
        builder.gradient(elements);
      }
    }
    builder.call_before("gradient_onehot",
                        {{"ids", address},
                         {"outputs", model_.hidden},
                         {"dy", memory_.dresidual},
                         {"homes", memory_.table_hidden},
                         {"buffers", memory_.dys(address)},
                         {"group", group_size(builder.indices(), memory_.tokens_per_column / wafer_.lanes)}});
    add(builder);
  };
  one_hot("wte", spaces_.vocab, memory_.token);
  one_hot("wpe", spaces_.position, memory_.position);
}

void GptOps::backward() {
  const Gpt2Memory& p = memory_;
  OpBuilder start = op("loss.dx");
  start.call("loss_back", {{"logits", p.logits}});
  start.call("clear", {{"first", p.dresidual}, {"words", spaces_.hidden.slots() * p.tokens_per_column / wafer_.lanes}});
  add(start);
  const std::string head = model_.tied ? "wte.weight" : "lm_head.weight";
  const Input dlogits{spaces_.vocab, p.logits, {offset(head), model_.hidden, 1}};
  weight_gradients("lm_head", head, {spaces_.hidden, p.ln_out, head_matrix()}, kNoBias, {dlogits});
  OpBuilder delta = op("lm_head.dx");
  gemm(std::move(delta.reads(tensor(head))), {dlogits}, kNoBias, false, spaces_.hidden, p.delta);
  layernorm_back("ln_f", p.xhat_final, p.rstd_final);
  for (int l = model_.layers - 1; l >= 0; --l) layer_backward(l);
  embedding_gradient();
  flags();
}

void GptOps::flags() {
  OpBuilder status = op("flags");
  status.call("status", {}).returns(Returns::Flags, std::vector<std::uint32_t>(wafer_.rows, 1));
  add(status);
}

}  // namespace weft::compiler::written_out
