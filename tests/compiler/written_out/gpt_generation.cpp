#include "tests/compiler/written_out/gpt_ops.hpp"

namespace weft::compiler::written_out {

void GptOps::generation() {
  logits();
  returned_logits();
  flags();
}

/// Returns the logits as if they were gradients: each logit times the validity, summed over all positions. Exactly one
/// position is valid, so each sum is its logit, bit for bit.
void GptOps::returned_logits() {
  static const std::vector<bool> all;  // logits have no mask
  OpBuilder builder(wafer_, program_, "logits", all);
  builder.call("gradient_local",
               {{"x", memory_.logits}, {"slots", 1}, {"dy", memory_.valid}, {"buffers", memory_.dys(memory_.logits)}});
  std::vector<Element> elements;
  for (int id = 0; id < spaces_.vocab.features(); ++id)
    elements.push_back({spaces_.vocab.row(id), spaces_.vocab.slot(id), static_cast<std::uint64_t>(id)});
  builder.gradient(elements, Returns::Logits);
  add(builder);
}

}  // namespace weft::compiler::written_out
