#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::compiler {
namespace {

class EmbedLowering : private LoweringTools {
 public:
  explicit EmbedLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    step.kind == network::Step::Kind::Forward ? forward(step) : weight_gradient(step);
  }

 private:
  void forward(const network::Step& step);
  void weight_gradient(const network::Step& step);
  /// The table of tokens, one input for each block.
  std::vector<Input> one_hot(const network::NetworkOperation& embed) const;
  /// The tables of tokens, positions and segments, of which the last two may be missing.
  network::Role role_of(const network::NetworkOperation& embed, std::size_t n) const {
    return graph_.network.tensor(embed, n).shape[0].role;
  }
  Input table(const network::NetworkOperation& embed, std::size_t n) const {
    return {role_of(embed, n) == network::Role::Segment ? spaces_.segment : spaces_.position,
            0,
            {offset(embed, n), model_.hidden, 1}};
  }
  void one_hot_gradient(const std::string& name, const network::NetworkOperation& from, const Input& table, int ids);
};

void EmbedLowering::forward(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  OpBuilder builder = op(step.name);
  for (const int tensor : from.tensors) builder.reads(tensor);
  StreamDescriptor descriptor = descriptor_of(spaces_.hidden);
  std::vector<Argument> arguments = {{"ids", memory_.token},
                                     {"positions", memory_.position},
                                     {"y", address(from.out[0])},
                                     {"homes", memory_.table_hidden}};
  for (const Input& block : one_hot(from)) descriptor.lines.push_back(line(block, block.address));
  // Segments are one more block of tokens. The kernel takes a line of positions, even if empty.
  std::vector<StreamDescriptor::Input> positions;
  for (std::size_t n = 1; n < from.tensors.size(); ++n) {
    if (role_of(from, n) == network::Role::Segment)
      descriptor.lines.push_back(line(table(from, n), 0));
    else
      positions = line(table(from, n), 0);
  }
  descriptor.lines.push_back(positions);
  const std::string in_cycles = wafer_.psum_cycles == 2 ? "_rotating" : "", groups = "embed_interleaved" + in_cycles;
  const bool one = memory_.blocks == 1 && memory_.segment == 0;
  std::string kernel = (one ? "embed" : "embed_blocks") + in_cycles;
  if (one && has_short_vectors(spaces_.hidden, groups)) {
    may_call(kernel);
    interleave(descriptor, {0, 0});  // pads are multiplied by 1 or 0
    if (has(kernel) && !is_faster_interleaved(descriptor)) descriptor.interleave.reset();
  }
  if (descriptor.interleave) {
    add_groups(descriptor, arguments);
    kernel = groups;
  } else {
    arguments.push_back(outputs(spaces_.hidden));
  }
  builder.call(kernel, arguments);
  add(builder.descriptor(std::move(descriptor)));
}

std::vector<EmbedLowering::Input> EmbedLowering::one_hot(const network::NetworkOperation& embed) const {
  const Input tokens{spaces_.vocab, 0, {offset(embed, 0), model_.hidden, 1}};
  return in_blocks({&tokens, 1});
}

void EmbedLowering::weight_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const auto n = static_cast<std::size_t>(step.n);
  if (n == 0) {
    const std::vector<Input> blocks = one_hot(from);
    for (std::size_t block = 0; block < blocks.size(); ++block)
      one_hot_gradient(part_name(step.name, block), from, blocks[block],
                       memory_.token + static_cast<int>(block) * memory_.tokens_per_column);
  } else {
    const bool segments = role_of(from, n) == network::Role::Segment;
    one_hot_gradient(step.name, from, table(from, n), segments ? memory_.segment : memory_.position);
  }
}

void EmbedLowering::one_hot_gradient(const std::string& name, const network::NetworkOperation& from, const Input& table,
                                     int ids) {
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

}  // namespace

const OperationLowering& embed_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { EmbedLowering(tools).lower(step); },
      .constants =
          [](assembler::Constants& constants, const KernelShape& shape) {
            constants["BLOCKS"] = shape.memory.blocks + (shape.memory.segment > 0 ? 1 : 0);
          }};
  return lowering;
}

}  // namespace weft::compiler
