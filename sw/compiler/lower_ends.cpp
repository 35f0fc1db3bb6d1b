#include "sw/compiler/lower.hpp"
#include "sw/compiler/sweep_counts.hpp"

namespace weft {

void Lowering::embedding(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  Sweep sweep = sweep_of(spaces_.hidden);
  std::vector<Argument> arguments = {{"ids", memory_.token},
                                     {"positions", memory_.position},
                                     {"y", address(from.out[0])},
                                     {"homes", memory_.table_hidden}};
  const bool dealt = memory_.positions > 0;
  if (dealt)
    deal(sweep, 0, arguments);  // pads times 1 or 0
  else
    arguments.push_back({"outputs", model_.hidden});
  const std::string kernel = dealt ? "embed_dealt" : "embed";
  builder.call(wafer_.psum_cycles == 2 ? kernel + "_in_turn" : kernel, arguments);
  sweep.lines = {line({spaces_.vocab, 0, {offset(from, 0), model_.hidden, 1}}, 0), {}};  // the kernel takes two
  if (from.tensors.size() > 1) sweep.lines[1] = line({spaces_.position, 0, {offset(from, 1), model_.hidden, 1}}, 0);
  add(builder.sweep(std::move(sweep)));
}

void Lowering::embedding_gradient(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  const int ids = n == 0 ? memory_.token : memory_.position;
  OpBuilder builder = op(step.name);
  Sweep sweep = sweep_of(spaces_.hidden, Sweep::Values::Indices);
  sweep.lines = {line({n == 0 ? spaces_.vocab : spaces_.position, 0, {offset(from, n), model_.hidden, 1}}, 0)};
  builder.call("gradient_onehot", {{"ids", ids},
                                   {"outputs", model_.hidden},
                                   {"dy", gradient_address(from.out[0])},
                                   {"homes", memory_.table_hidden},
                                   {"buffers", memory_.dys(ids)},
                                   {"group", even_group(sweep)}});
  add(builder.sweep(std::move(sweep)));
}

void Lowering::gelu(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const int u = address(from.in[0]);
  OpBuilder builder = op(step.name);
  if (step.kind == Step::Kind::Gelu) {
    builder.call("gelu", {{"u", u}, {"g", address(from.out[0])}});
  } else {
    builder.call("gelu_back",
                 {{"u", u}, {"dg", gradient_address(from.out[0])}, {"scratch", memory_.at("gelu_scratch")}});
  }
  add(builder);
}

void Lowering::loss(const Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("loss", {{"logits", address(graph_.op(step).in[0])}});
  std::vector<std::uint32_t> words(static_cast<std::size_t>(wafer_.rows), 0);
  words[0] = static_cast<std::uint32_t>(2 * wafer_.cols * memory_.tokens_per_column);
  builder.returns(Returns::Loss, words);
  add(builder);
}

void Lowering::loss_back(const Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("loss_back", {{"logits", address(step.value)}});
  for (const int v : step.clears)
    builder.call("clear", {{"first", gradient_address(v)},
                           {"words", space(v).slots() * memory_.tokens_per_column / wafer_.lanes}});
  add(builder);
}

/// As if these were gradients: each logit times the validity, summed over all positions. One position is valid, so that
/// each sum is its logit, bit for bit.
void Lowering::logits(const Step& step) {
  const int at = address(step.value);
  OpBuilder builder = op(step.name);
  builder.call("gradient_local", {{"x", at}, {"slots", 1}, {"dy", memory_.valid}, {"buffers", memory_.dys(at)}});
  Sweep sweep;  // logits have no mask
  sweep.values = Sweep::Values::Indices;
  sweep.outputs = std::make_shared<const Space>(Space::dealt({0}, wafer_.rows));
  sweep.lines = {line({spaces_.vocab, at, {0, 1, 0}}, at)};
  add(builder.sweep(std::move(sweep), Returns::Logits));
}

void Lowering::flags(const Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("status", {});
  builder.returns(Returns::Flags, std::vector<std::uint32_t>(static_cast<std::size_t>(wafer_.rows), 1));
  add(builder);
}

}  // namespace weft
