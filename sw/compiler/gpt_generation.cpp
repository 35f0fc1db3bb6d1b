#include "sw/compiler/gpt_ops.hpp"

namespace weft {

void GptOps::generation() {
  logits();
  returned_logits();
  flags();
}

/// As if these were gradients: each logit times the validity, summed over all positions. One position is valid, so that
/// each sum is its logit, bit for bit.
void GptOps::returned_logits() {
  OpBuilder builder = op("logits");
  builder.call("gradient_local",
               {{"x", memory_.logits}, {"slots", 1}, {"dy", memory_.valid}, {"buffers", memory_.dys(memory_.logits)}});
  Sweep sweep;  // logits have no mask
  sweep.values = Sweep::Values::Indices;
  sweep.outputs = std::make_shared<const Space>(Space::dealt({0}, wafer_.rows));
  sweep.lines = {line({{spaces_.vocab, memory_.logits, {0, 1, 0}}})};
  add(builder.sweep(std::move(sweep), Returns::Logits));
}

}  // namespace weft
