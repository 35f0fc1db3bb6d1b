#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft {

void Lowering::embedding(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  StreamDescriptor descriptor = descriptor_of(spaces_.hidden);
  std::vector<Argument> arguments = {{"ids", memory_.token},
                                     {"positions", memory_.position},
                                     {"y", address(from.out[0])},
                                     {"homes", memory_.table_hidden}};
  const bool interleaved = memory_.positions > 0 && memory_.blocks == 1;
  if (interleaved)
    interleave(descriptor, 0, arguments);  // pads are multiplied by 1 or 0
  else
    arguments.push_back(outputs(spaces_.hidden));
  const std::string kernel = interleaved ? "embed_interleaved" : memory_.blocks == 1 ? "embed" : "embed_blocks";
  builder.call(wafer_.psum_cycles == 2 ? kernel + "_rotating" : kernel, arguments);
  for (const Input& block : one_hot(from)) descriptor.lines.push_back(line(block, block.address));
  descriptor.lines.emplace_back();  // the kernel takes a line of positions, even if empty
  if (from.tensors.size() > 1)
    descriptor.lines.back() = line({spaces_.position, 0, {offset(from, 1), model_.hidden, 1}}, 0);
  add(builder.descriptor(std::move(descriptor)));
}

std::vector<Lowering::Input> Lowering::one_hot(const NetworkOperation& embed) const {
  const Input tokens{spaces_.vocab, 0, {offset(embed, 0), model_.hidden, 1}};
  return in_blocks({&tokens, 1});
}

void Lowering::embedding_gradient(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  if (step.n == 0) {
    const std::vector<Input> blocks = one_hot(from);
    for (std::size_t block = 0; block < blocks.size(); ++block)
      one_hot_gradient(part_name(step.name, block), from, blocks[block],
                       memory_.token + static_cast<int>(block) * memory_.tokens_per_column);
  } else {
    one_hot_gradient(step.name, from, {spaces_.position, 0, {offset(from, 1), model_.hidden, 1}}, memory_.position);
  }
}

void Lowering::one_hot_gradient(const std::string& name, const NetworkOperation& from, const Input& table, int ids) {
  OpBuilder builder = op(name);
  StreamDescriptor descriptor = descriptor_of(spaces_.hidden, StreamDescriptor::Values::Indices);
  descriptor.lines = {line(table, table.address)};
  const StreamCounts counts(descriptor);
  builder.call("gradient_onehot", {{"ids", ids},
                                   {"outputs", model_.hidden},
                                   {"dy", gradient_address(from.out[0])},
                                   {"homes", memory_.table_hidden},
                                   {"buffers", memory_.dys(ids)},
                                   {"group", even_group(counts)}});
  add(builder.descriptor(std::move(descriptor), counts));
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
  const int logits = address(graph_.op(step).in[0]);
  builder.call("loss", {{"logits", logits}, {"beside", memory_.dys(logits)}});
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

/// Computed as gradients: each logit times the validity, summed over all positions. One position is valid, so each sum
/// is its logit, bit for bit.
void Lowering::logits(const Step& step) {
  const Input whole{spaces_.vocab, address(step.value), {0, 1, 0}};
  const std::vector<Input> blocks = in_blocks({&whole, 1});
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const int at = blocks[block].address;
    OpBuilder builder = op(part_name(step.name, block));
    builder.call("gradient_local", {{"x", at}, {"slots", 1}, {"dy", memory_.valid}, {"buffers", memory_.dys(at)}});
    StreamDescriptor descriptor;  // logits have no mask
    descriptor.values = StreamDescriptor::Values::Indices;
    descriptor.outputs = std::make_shared<const Space>(Space::interleaved({0}, wafer_.rows));
    descriptor.lines = {line(blocks[block], at)};
    add(builder.descriptor(std::move(descriptor), Returns::Logits));
  }
}

void Lowering::flags(const Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("status", {});
  builder.returns(Returns::Flags, std::vector<std::uint32_t>(static_cast<std::size_t>(wafer_.rows), 1));
  add(builder);
}

}  // namespace weft
