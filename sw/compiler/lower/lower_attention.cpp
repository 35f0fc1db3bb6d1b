#include <cmath>

#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"

namespace weft {

void Lowering::per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const {
  const int dim = model_.hidden / model_.heads;
  const bool spread = rows_per_head(model_.heads, dim, wafer_.rows, model_.head_unit()) > 1;
  const int heads = spread ? 1 : (model_.heads + wafer_.rows - 1) / wafer_.rows;  // of the fullest row
  for (int head = 0; head < heads; ++head) {
    for (int sequence = 0; sequence < memory_.sequences; ++sequence) {
      const int at = head * dim * memory_.tokens_per_column + sequence * memory_.padded_seq;
      for (const HeadCall& call : calls) {
        std::vector<Argument> arguments = call.arrays;
        for (Argument& array : arguments) array.value += at;
        for (Argument array : call.sequences) {
          array.value += sequence * memory_.padded_seq;
          arguments.push_back(array);
        }
        arguments.insert(arguments.end(), call.others.begin(), call.others.end());
        arguments.push_back({"head", head});
        builder.call(call.kernel, arguments);
      }
    }
  }
}

void Lowering::rotary(const Step& step) {
  const bool back = step.kind == Step::Kind::RotaryBack;
  const NetworkOperation& from = graph_.op(step);
  const int each = memory_.positions > 0 ? 1 : 0;
  OpBuilder builder = op(step.name);
  for (const int v : from.out)
    per_head(builder, {{each > 0 ? "rotary_one" : "rotary",
                        {{"x", back ? gradient_address(v) : address(v), per_position(v)}},
                        {{"cos", memory_.rotary_cos, each},
                         {"sin", back ? memory_.rotary_minus : memory_.rotary_sin, each},
                         {"minus", back ? memory_.rotary_sin : memory_.rotary_minus, each},
                         {"count", memory_.rotary_count}}}});
  add(builder);
}

Lowering::HeadCall Lowering::probs(int q, int k, int p) const {
  const bool several = wafer_.sequence_columns > 1, documents = model_.has_documents();
  HeadCall call{several ? "probs_long" : "probs", {{"q", q}, {"k", k}}};
  if (!several) call.others = {{"p", p}};
  if (documents) {
    call.kernel = several ? "probs_long_documents" : "probs_documents";
    call.sequences = {{"documents", memory_.document}};
  }
  return call;
}

void Lowering::attention(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
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

void Lowering::attention_back(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
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

Lowering::HeadCall Lowering::p_to_lower() const {
  return {"to_lower",
          {},
          {{"src", memory_.probs},
           {"dst", memory_.probs},
           {"step", memory_.padded_seq},
           {"mask", memory_.triangle_lower},
           {"mask_step", wafer_.lanes}}};
}

Lowering::HeadCall Lowering::ds_to_lower() const {
  const int last = wafer_.lanes - 1;
  return {"to_lower",
          {},
          {{"src", memory_.dprobs + last * memory_.padded_seq},
           {"dst", memory_.probs},
           {"step", 0x10000 - memory_.padded_seq},
           {"mask", memory_.triangle + last * wafer_.lanes},
           {"mask_step", 0x10000 - wafer_.lanes}}};
}

}  // namespace weft
