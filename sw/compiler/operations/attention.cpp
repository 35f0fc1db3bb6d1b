#include <cmath>

#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class AttentionLowering : private LoweringTools {
 public:
  explicit AttentionLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    step.kind == network::Step::Kind::Forward ? forward(step) : input_gradient(step);
  }

 private:
  void forward(const network::Step& step);
  void input_gradient(const network::Step& step);
  /// Attention weights, at p; forward and backward compute them in the same way.
  HeadCall probs(int q, int k, int p) const;
  /// P, and later dS, in the lower layout at the place of P, at the end of SRAM. Vectors that are multiplied with their
  /// rows are in the lower half of SRAM, as dS is.
  HeadCall p_to_lower() const;
  HeadCall ds_to_lower() const;
};

AttentionLowering::HeadCall AttentionLowering::probs(int q, int k, int p) const {
  const bool several = wafer_.sequence_columns > 1, documents = model_.has_documents();
  HeadCall call{several ? "probs_long" : "probs", {{"q", q}, {"k", k}}};
  if (!several) call.others = {{"p", p}};
  if (documents) {
    call.kernel = several ? "probs_long_documents" : "probs_documents";
    call.sequences = {{"documents", memory_.document}};
  }
  return call;
}

void AttentionLowering::forward(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const bool several = wafer_.sequence_columns > 1;
  OpBuilder builder = op(step.name);
  if (memory_.positions > 0) {
    const Argument count{"count", 1, 1};
    per_head(builder, {{"probs_one", {{"q", address(from.in[0])}, {"k", address(from.in[1])}}, {count}},
                       {"attend_one", {{"v", address(from.in[2])}, {"dst", address(from.out[0])}}, {count}}});
    return add(builder);
  }
  const int p = memory_.forward_probs();
  per_head(builder, {probs(address(from.in[0]), address(from.in[1]), p),
                     {several ? "attend_long" : "attend",
                      {{"src", address(from.in[2])}, {"dst", address(from.out[0])}},
                      {{"factor", kOneBf16}, {"matrix", p}}}});
  add(builder);
}

void AttentionLowering::input_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const int q = address(from.in[0]), k = address(from.in[1]), v = address(from.in[2]);
  const int dout = gradient_address(from.out[0]),
            scale = nearest_bf16(1 / std::sqrt(static_cast<double>(model_.hidden) / model_.heads));
  OpBuilder builder = op(step.name);
  const auto sum = [](std::string_view kernel, int src, int dst, int factor, int matrix) {
    return HeadCall{kernel, {{"src", src}, {"dst", dst}}, {{"factor", factor}, {"matrix", matrix}}};
  };
  if (wafer_.sequence_columns > 1)
    per_head(builder, {probs(q, k, memory_.probs),
                       {"dprobs_long", {{"dout", dout}, {"v", v}}},
                       sum("attend_long", k, gradient_address(from.in[0]), scale, memory_.dprobs),
                       {"to_lower_long", {}},
                       sum("attend_lower_long", dout, gradient_address(from.in[2]), kOneBf16, memory_.probs),
                       sum("attend_lower_long", q, gradient_address(from.in[1]), scale, memory_.dprobs)});
  else
    per_head(builder, {probs(q, k, memory_.probs),
                       {"dprobs", {{"dout", dout}, {"v", v}}},
                       sum("attend", k, gradient_address(from.in[0]), scale, memory_.dprobs),
                       p_to_lower(),
                       sum("attend_lower", dout, gradient_address(from.in[2]), kOneBf16, memory_.probs),
                       ds_to_lower(),
                       sum("attend_lower", q, gradient_address(from.in[1]), scale, memory_.probs)});
  add(builder);
}

AttentionLowering::HeadCall AttentionLowering::p_to_lower() const {
  return {"to_lower",
          {},
          {{"src", memory_.probs},
           {"dst", memory_.probs},
           {"step", memory_.padded_seq},
           {"mask", memory_.triangle_lower},
           {"mask_step", wafer_.lanes}}};
}

AttentionLowering::HeadCall AttentionLowering::ds_to_lower() const {
  const int last = wafer_.lanes - 1;
  return {"to_lower",
          {},
          {{"src", memory_.dprobs + last * memory_.padded_seq},
           {"dst", memory_.probs},
           {"step", 0x10000 - memory_.padded_seq},
           {"mask", memory_.triangle + last * wafer_.lanes},
           {"mask_step", 0x10000 - wafer_.lanes}}};
}

}  // namespace

void attention_lowering(const LoweringTools& tools, const network::Step& step) { AttentionLowering(tools).lower(step); }

}  // namespace weft::compiler
