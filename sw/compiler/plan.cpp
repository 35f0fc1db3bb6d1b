#include "sw/compiler/plan.hpp"

#include <bit>

#include "sw/base/bf16.hpp"
#include "sw/compiler/check.hpp"
#include "sw/compiler/load.hpp"
#include "sw/compiler/lower.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/no_label.hpp"
#include "sw/compiler/program.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

void append(std::vector<Message>& to, const std::vector<Message>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Plan make_plan(const ModelShape& model, const WaferShape& asked, const Mask& mask, Placement placement,
               bool generation = false) {
  check(model, asked);
  const WaferShape wafer = with_sequence_columns(model, asked);
  const Graph graph(model);
  Plan plan;
  plan.model = model;
  plan.wafer = wafer;
  plan.tensors = model_tensors(model, graph.network);
  plan.parameters = parameter_count(plan.tensors);
  plan.mask = mask;
  const auto kept =
      mask.empty() ? nullptr : std::make_shared<const std::vector<bool>>(kept_parameters(plan.tensors, mask));
  const bool in_order = placement == Placement::InOrder || kept == nullptr;
  const auto held =
      std::make_shared<const Spaces>(model, wafer.rows, in_order ? Loads{} : count_loads(model, plan.tensors, *kept));
  const Spaces& spaces = *held;
  const MemoryPlan memory(model, wafer, spaces, graph);
  plan.program = assemble_kernels(model, wafer, memory);

  plan.tokens_per_column = memory.tokens_per_column;
  plan.padded_seq = memory.padded_seq;
  plan.memory_map = memory.map(wafer);
  plan.arrays = array_symbols(memory);
  plan.row_constants = row_constants(model, wafer, spaces);
  plan.token_address = static_cast<std::uint16_t>(memory.token);
  for (int id = 0; id < model.vocab; ++id)
    plan.token_index.push_back(
        static_cast<std::uint16_t>(spaces.vocab.row(id) << wafer.row_shift() | spaces.vocab.slot(id)));
  append(plan.load, route_messages(wafer));
  append(plan.load, program_messages(plan.program));
  append(plan.load, constant_messages(model, wafer, spaces, memory, plan.program));

  Lowering lowering(model, wafer, graph, held, memory, plan.tensors, kept, plan.program);
  const Schedule schedule = generation ? generation_schedule(graph.network) : graph.training;
  for (std::size_t n = 0; n < schedule.steps.size(); ++n) {
    lowering.lower(schedule.steps[n]);
    if (n + 1 == schedule.forward) plan.forward_ops = lowering.ops.size();
  }
  plan.ops = std::move(lowering.ops);
  return plan;
}

/// What a PE knows of a token.
struct TokenWords {
  std::uint16_t id, label, valid;
};

/// `at(column, t)`: the token of position t (0..T-1) of a column.
template <class At>
std::vector<Message> token_messages(const Plan& plan, const At& at) {
  std::vector<Message> list;
  std::vector<TokenWords> tokens(static_cast<std::size_t>(plan.tokens_per_column));
  for (int c = 0; c < plan.wafer.cols; ++c) {
    for (int t = 0; t < plan.tokens_per_column; ++t) tokens[static_cast<std::size_t>(t)] = at(c, t);
    list.push_back(Message::select({.col = c}));
    list.push_back(Message::command(Command::Maddr, 0, plan.token_address));
    for (const auto word : {&TokenWords::id, &TokenWords::label, &TokenWords::valid}) {
      for (const TokenWords& token : tokens) list.push_back(Message::command(Command::Mdata, 0, token.*word));
    }
  }
  list.push_back(Message::select());
  return list;
}

}  // namespace

Plan compile(const ModelShape& model, const WaferShape& wafer, const Mask& mask, Placement placement) {
  return make_plan(model, wafer, mask, placement);
}

Plan compile_generation(const ModelShape& model, const WaferShape& wafer, const Mask& mask, int texts) {
  ModelShape at_once = model;
  at_once.micro_batch = texts;
  return make_plan(at_once, wafer, mask, Placement::ByLoad, true);
}

int Plan::token_at(int column, int t, int sequences) const {
  const int parts = wafer.sequence_columns;  // sequences are dealt to columns, or groups of them
  const int sequence = t / padded_seq * (wafer.cols / parts) + column / parts;
  const int position = column % parts * padded_seq + t % padded_seq;
  return sequence < sequences && position < model.seq ? sequence * model.seq + position : -1;
}

std::vector<Message> Plan::tokens(std::span<const std::uint16_t> inputs, std::span<const std::uint16_t> labels) const {
  const int sequences = static_cast<int>(inputs.size()) / model.seq;
  return token_messages(*this, [&](int c, int t) {
    const int at = token_at(c, t, sequences);
    if (at < 0) return TokenWords{token_index[0], kNoLabel, 0};
    if (labels[at] == kNoLabel) return TokenWords{token_index.at(inputs[at]), kNoLabel, 0};
    return TokenWords{token_index.at(inputs[at]), token_index.at(labels[at]), kOneBf16};
  });
}

std::vector<Message> Plan::texts(std::span<const std::span<const std::uint16_t>> texts) const {
  const int count = static_cast<int>(texts.size());
  return token_messages(*this, [&](int c, int t) {
    const int at = token_at(c, t, count), n = at / model.seq, position = at % model.seq;
    const int size = at < 0 ? 0 : static_cast<int>(texts[n].size());
    if (at < 0 || position >= size) return TokenWords{token_index[0], kNoLabel, 0};
    const bool asked = n == 0 && position + 1 == size;
    return TokenWords{token_index.at(texts[n][position]), kNoLabel, asked ? kOneBf16 : std::uint16_t{0}};
  });
}

std::vector<Message> Plan::ask_next(std::span<const std::span<const std::uint16_t>> texts, std::size_t n) const {
  std::vector<Message> list;
  const int parts = wafer.sequence_columns, together = wafer.cols / parts;
  const auto put = [&](std::size_t text, std::uint16_t valid) {  // as token_at() has them
    const int position = static_cast<int>(texts[text].size()) - 1, sequence = static_cast<int>(text);
    const int column = sequence % together * parts + position / padded_seq;
    const int t = sequence / together * padded_seq + position % padded_seq;
    list.push_back(Message::select({.col = column}));
    list.push_back(
        Message::command(Command::Maddr, 0, static_cast<std::uint16_t>(token_address + 2 * tokens_per_column + t)));
    list.push_back(Message::command(Command::Mdata, 0, valid));
  };
  put(n - 1, 0);
  put(n, kOneBf16);
  list.push_back(Message::select());
  return list;
}

}  // namespace weft
