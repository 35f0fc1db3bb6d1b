/// The sparse GEMM wherever a plan uses it: with and without bias and residual, forward and delta, one input and three.
#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

/// An input, and its matrix: element (in, out) is parameter offset + in*in_stride + out*out_stride.
struct Input {
  const compiler::Space& space;
  int address;
  std::uint64_t offset;
  int in_stride, out_stride;
};

struct Extra {
  std::string bias;  ///< tensor, empty if there is none
  int bias_offset = 0;
  bool residual = false;
};

class Gemm : public KernelTest {
 protected:
  void check(const std::string& op, const std::vector<Input>& inputs, const compiler::Space& out, int y_address,
             const Extra& extra = {}) {
    stage.before(op);
    std::vector<Array> x;
    int terms = 2;
    for (const Input& in : inputs) x.push_back(stage.array(in.space, in.address)), terms += in.space.features();
    const Array old = stage.array(out, y_address);
    stage.step();
    const Array y = stage.array(out, y_address);
    Near near(op);
    for (int t = 0; t < y.tokens; ++t) {
      for (int o = 0; o < y.features; ++o) {
        double sum = 0, magnitude = 0;
        const auto add = [&](double v) { sum += v, magnitude += std::abs(v); };
        for (std::size_t k = 0; k < inputs.size(); ++k)
          for (int i = 0; i < x[k].features; ++i)
            add(x[k].at(t, i) * stage.weights[inputs[k].offset + i * inputs[k].in_stride + o * inputs[k].out_stride]);
        if (!extra.bias.empty()) add(stage.weights[stage.offset(extra.bias) + extra.bias_offset + o]);
        if (extra.residual) add(old.at(t, o));
        // Sums are fp32, around the ring as well; the output is rounded once.
        near(y.at(t, o), sum, 1.01 * kRound * std::abs(sum) + sum_error(terms + stage.plan.wafer.rows, magnitude), t,
             o);
      }
    }
  }
  std::string layer(int l) const { return "h." + std::to_string(l) + "."; }
};

TEST_P(Gemm, ForwardAddsBiasAndResidual) {
  const compiler::Gpt2Memory& p = stage.memory;
  const compiler::Spaces& s = stage.spaces;
  const int h = stage.plan.model.hidden, f = stage.plan.model.filter;
  for (int l = 0; l < stage.plan.model.layers; ++l) {
    const std::string attn = layer(l) + "attn.c_attn", proj = layer(l) + "attn.c_proj", fc = layer(l) + "mlp.c_fc",
                      fc2 = layer(l) + "mlp.c_proj";
    const compiler::Gpt2Memory::Layer& m = p.layers[l];
    const int qkv[] = {m.q, m.k, m.v};
    for (int n = 0; n < 3; ++n)
      check(attn + "." + "qkv" [n],
            {
              { s.hidden, p.ln_out, stage.offset(attn + ".weight") + n *h, 3 * h, 1 }
            },
            s.head, qkv[n], {attn + ".bias", n * h});
    check(proj, {{s.head, m.heads, stage.offset(proj + ".weight"), h, 1}}, s.hidden, p.residual,
          {proj + ".bias", 0, true});
    check(fc, {{s.hidden, p.ln_out, stage.offset(fc + ".weight"), f, 1}}, s.filter, m.u, {fc + ".bias"});
    check(fc2, {{s.filter, p.gelu, stage.offset(fc2 + ".weight"), h, 1}}, s.hidden, p.residual,
          {fc2 + ".bias", 0, true});
  }
  const char* head = stage.plan.model.tied ? "wte.weight" : "lm_head.weight";
  check("lm_head", {{s.hidden, p.ln_out, stage.offset(head), 1, h}}, s.vocab, p.logits);
}

TEST_P(Gemm, DeltaIsTheTransposedProduct) {
  const compiler::Gpt2Memory& p = stage.memory;
  const compiler::Spaces& s = stage.spaces;
  const int h = stage.plan.model.hidden, f = stage.plan.model.filter;
  const char* head = stage.plan.model.tied ? "wte.weight" : "lm_head.weight";
  check("lm_head.dx", {{s.vocab, p.logits, stage.offset(head), h, 1}}, s.hidden, p.delta);
  for (int l = stage.plan.model.layers - 1; l >= 0; --l) {
    const auto w = [&](const char* name) { return stage.offset(layer(l) + name + ".weight"); };
    check(layer(l) + "mlp.c_proj.dx", {{s.hidden, p.dresidual, w("mlp.c_proj"), 1, h}}, s.filter, p.dgelu);
    check(layer(l) + "mlp.c_fc.dx", {{s.filter, p.dgelu, w("mlp.c_fc"), 1, f}}, s.hidden, p.delta);
    check(layer(l) + "attn.c_proj.dx", {{s.hidden, p.dresidual, w("attn.c_proj"), 1, h}}, s.head, p.dheads);
    const auto qkv = w("attn.c_attn");
    check(layer(l) + "attn.c_attn.dx",
          {{s.head, p.dq, qkv, 1, 3 * h}, {s.head, p.dk, qkv + h, 1, 3 * h}, {s.head, p.dv, qkv + 2 * h, 1, 3 * h}},
          s.hidden, p.delta);
  }
}

WEFT_KERNEL_CASES(Gemm);

}  // namespace
}  // namespace weft::kernels
