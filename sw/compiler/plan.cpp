#include "sw/compiler/plan.hpp"

#include <bit>

#include "sw/compiler/check.hpp"
#include "sw/compiler/gpt_ops.hpp"
#include "sw/compiler/load.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/program.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

constexpr std::uint16_t kNoLabel = 0xffff;  // no physical index: compile() checks

void append(std::vector<Message>& to, const std::vector<Message>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Plan compile(const ModelShape& model, const WaferShape& wafer, const Mask& mask, Placement placement) {
  check(model, wafer);
  Plan plan;
  plan.model = model;
  plan.wafer = wafer;
  plan.tensors = gpt2_tensors(model);
  plan.parameters = parameter_count(plan.tensors);
  plan.mask = mask;
  const std::vector<bool> kept = kept_parameters(plan.tensors, mask);
  const Spaces spaces(model, wafer.rows, placement == Placement::InOrder ? Loads{} : count_loads(model, plan.tensors, kept));
  const MemoryPlan memory(model, wafer, spaces);
  const Program program = assemble_kernels(model, wafer, memory);
  check_program(program);

  plan.tokens_per_column = memory.tokens_per_column;
  plan.padded_seq = memory.padded_seq;
  plan.memory_map = memory.map(wafer);
  plan.token_address = static_cast<std::uint16_t>(memory.token);
  for (int id = 0; id < model.vocab; ++id)
    plan.token_index.push_back(
        static_cast<std::uint16_t>(spaces.vocab.row(id) << wafer.row_shift() | spaces.vocab.slot(id)));
  append(plan.load, route_messages(wafer));
  append(plan.load, program_messages(program));
  append(plan.load, constant_messages(model, wafer, spaces, memory, program));

  GptOps ops(model, wafer, spaces, memory, plan.tensors, kept, program);
  ops.forward();
  plan.forward_ops = ops.ops.size();
  ops.backward();
  plan.ops = std::move(ops.ops);
  return plan;
}

bool Plan::is_token(int column, int t, int sequences) const {
  const int sequence = t / padded_seq * wafer.cols + column;  // sequences are dealt to the columns
  return sequence < sequences && t % padded_seq < model.seq;
}

std::vector<Message> Plan::tokens(std::span<const std::uint16_t> inputs, std::span<const std::uint16_t> labels) const {
  const int sequences = static_cast<int>(inputs.size()) / model.seq;
  std::vector<Message> list;
  const auto write = [&](std::uint16_t value) { list.push_back(Message::command(Command::MData, 0, value)); };
  for (int c = 0; c < wafer.cols; ++c) {
    list.push_back(Message::command(Command::Select, 0, static_cast<std::uint16_t>(255 << 8 | c)));
    list.push_back(Message::command(Command::MAddr, 0, token_address));
    const auto each = [&](auto&& value_of, std::uint16_t otherwise) {
      for (int t = 0; t < tokens_per_column; ++t) {
        const int at = (t / padded_seq * wafer.cols + c) * model.seq + t % padded_seq;
        write(is_token(c, t, sequences) ? value_of(at) : otherwise);
      }
    };
    each([&](int at) { return token_index.at(inputs[at]); }, token_index[0]);
    each([&](int at) { return token_index.at(labels[at]); }, kNoLabel);
    each([](int) { return bf16_bits(1); }, 0);
  }
  list.push_back(Message::command(Command::Select, 0, 255 << 8 | 255));
  return list;
}

void expand(const Op& op, std::span<const float> parameters, std::vector<Message>& messages) {
  messages.resize(op.stream.size());
  for (std::size_t k = 0; k < op.stream.size(); ++k) {
    const StreamEntry& entry = op.stream[k];
    if (entry.source >= StreamEntry::kLiteral) {
      messages[k] = {entry.data, entry.source == StreamEntry::kCtrl};
      continue;
    }
    // To bf16, nearest even; subnormals, before and after, to zero of their sign (docs/numbers.md).
    const std::uint32_t u = std::bit_cast<std::uint32_t>(parameters[entry.source]);
    const std::uint32_t magnitude = u & 0x7fffffff;
    std::uint32_t b = magnitude < 0x00800000 ? (u & 0x80000000) >> 16 : (u + 0x7fff + (u >> 16 & 1)) >> 16;
    if (magnitude > 0x7f800000) b = 0x7fc0;
    messages[k] = {entry.data | b, false};
  }
}

}  // namespace weft
