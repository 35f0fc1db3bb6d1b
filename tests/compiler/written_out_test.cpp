/// Descriptors expand to the messages that plans had when every message was written out, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sw/base/bf16.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/gpt2_memory.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/written_out/gpt_ops.hpp"

namespace weft::compiler {
namespace {

constexpr int kShapes = 50;

struct Drawn {
  ModelShape model;
  machine::WaferShape wafer;
  double kept = 1;  ///< fraction of a mask's weights; 1: no mask
};

Drawn draw(std::mt19937& random) {
  const auto from = [&](int first, int last) { return first + static_cast<int>(random() % (last - first + 1)); };
  Drawn d;
  d.model = {.vocab = from(2, 60), .layers = from(1, 2), .heads = from(1, 5), .seq = from(1, 9)};
  d.model.hidden = d.model.heads * from(1, 8);
  d.model.filter = d.model.hidden + from(0, 30);
  d.model.tied = random() % 2 == 0;
  d.model.micro_batch = from(1, 4);
  d.wafer = {.rows = from(1, 9), .cols = from(1, 3), .lanes = 4, .sram_kib = 128};
  d.wafer.psum_cycles = random() % 2 == 0 ? 2 : 4;
  const double kept[] = {1, 0.6, 0.4, 0.1, 0};
  d.kept = kept[random() % std::size(kept)];
  return d;
}

Mask draw_mask(const std::vector<TensorInfo>& tensors, double kept, std::mt19937& random) {
  Mask mask;
  if (kept == 1) return mask;
  for (const TensorInfo& t : tensors) {
    if (random() % 3 == 0) continue;
    std::vector<bool>& bits = mask[t.name];
    for (std::uint64_t k = 0; k < t.size; ++k) bits.push_back(random() % 1000 < 1000 * kept);
  }
  return mask;
}

/// The op's stream with one output after the other, and without commands: interleaving calls other kernels. The order
/// of an output's weights is that of the reference; stream_descriptor_test checks how outputs are interleaved.
Op one_by_one(const Op& interleaved) {
  Op op = interleaved;
  op.descriptor.interleave.reset();
  if (op.descriptor.residual && op.descriptor.residual->line == 1) {  // beyond the reach of a numbered weight
    op.descriptor.residual->line = 0;
    op.descriptor.lines.resize(1);
  }
  op.commands.clear();
  return op;
}

/// A reference's stream without commands. Its indices begin at the op's base, which reaches the pads' feature, too.
std::vector<StreamEntry> without_commands(std::vector<StreamEntry> stream, const Op& op, bool numbered) {
  const std::uint32_t end = machine::Message::command(machine::Command::CR, 0, 0).data;
  std::erase_if(stream, [=](const StreamEntry& e) { return e.source == StreamEntry::kCtrl && e.data != end; });
  const auto is_weight = [](const StreamEntry& e) { return e.source != StreamEntry::kCtrl; };
  const std::vector<StreamEntry> made = entries(op);
  const auto ours = std::ranges::find_if(made, is_weight);
  const auto theirs = std::ranges::find_if(stream, is_weight);
  if (ours == made.end() || theirs == stream.end()) return stream;
  if (numbered) return stream;  // only rows are compared
  const std::uint32_t further = (ours->data & 0xffff0000) - (theirs->data & 0xffff0000);
  for (StreamEntry& e : stream)
    if (is_weight(e)) e.data += further;
  return stream;
}

void expect_same(const Op& made, const written_out::WrittenOp& reference, const std::vector<float>& parameters) {
  Op op = made;
  written_out::WrittenOp old = reference;
  // Numbered weights may name another array of ones, and their residual may have a base of its own: only rows are
  // equal.
  const bool numbered = made.descriptor.interleave && made.descriptor.interleave->numbered;
  if (op.descriptor.interleave) op = one_by_one(made), old.stream = without_commands(reference.stream, op, numbered);
  const std::uint32_t local =
      numbered ? ((1U << machine::WaferShape{.rows = made.descriptor.outputs->rows()}.row_shift()) - 1) << 16 : 0;
  SCOPED_TRACE(op.name);
  ASSERT_EQ(op.name, old.name);
  EXPECT_EQ(op.tensors, old.tensors);
  EXPECT_EQ(op.returns, old.returns);
  EXPECT_EQ(op.returned, old.returned);
  std::vector<machine::Message> messages, expected;
  expand(op, parameters, messages);
  for (const StreamEntry& entry : old.stream) {
    const bool weight = entry.source < StreamEntry::kLiteral;
    expected.push_back({weight ? entry.data | to_bf16(as_bits(parameters[entry.source])) : entry.data,
                        entry.source == StreamEntry::kCtrl});
  }
  for (std::vector<machine::Message>* const list : {&messages, &expected})
    for (machine::Message& message : *list)
      if (!message.ctrl) message.data &= ~local;
  EXPECT_TRUE(messages == expected);
  const std::vector<StreamEntry> listed = entries(op);
  ASSERT_EQ(listed.size(), old.stream.size());
  for (std::size_t k = 0; k < listed.size(); ++k) {
    const std::uint32_t compared = listed[k].source == StreamEntry::kCtrl ? ~0U : ~local;
    ASSERT_EQ(listed[k].data & compared, old.stream[k].data & compared) << k;
    ASSERT_EQ(listed[k].source, old.stream[k].source) << k;
  }
  if (op.returns != Returns::Gradient) return;
  EXPECT_EQ(gradient_parameters(op), old.gradient);
}

TEST(WrittenOut, DescriptorsExpandToTheSameMessages) {
  std::mt19937 random(5);
  int compiled = 0;
  for (int n = 0; compiled < kShapes && n < 20 * kShapes; ++n) {
    const Drawn d = draw(random);
    SCOPED_TRACE(n);
    Plan plan;
    try {
      plan = compile(d.model, d.wafer);
      plan = compile(d.model, d.wafer, draw_mask(plan.tensors, d.kept, random));
    } catch (const Refusal&) {
      continue;
    }
    ++compiled;
    const std::vector<bool> kept = kept_parameters(plan.tensors, plan.mask);
    const Spaces spaces(d.model, d.wafer.rows, count_loads(d.model, plan.tensors, kept));
    const Gpt2Memory memory(d.model, d.wafer, spaces);
    written_out::GptOps ops(d.model, d.wafer, spaces, memory, plan.tensors, kept, plan.program);
    ops.forward();
    EXPECT_EQ(plan.forward_ops, ops.ops.size());
    ops.backward();
    ASSERT_EQ(plan.ops.size(), ops.ops.size());
    const std::vector<float> parameters = random_parameters(plan, static_cast<unsigned>(n));
    for (std::size_t k = 0; k < ops.ops.size() && !HasFailure(); ++k) expect_same(plan.ops[k], ops.ops[k], parameters);
    if (HasFailure()) return;
  }
  EXPECT_EQ(compiled, kShapes);
}

}  // namespace
}  // namespace weft::compiler
