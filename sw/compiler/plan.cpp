#include "sw/compiler/plan.hpp"

#include <string>

#include "sw/base/refusal.hpp"
#include "sw/compiler/blocks.hpp"
#include "sw/compiler/check.hpp"
#include "sw/compiler/decode.hpp"
#include "sw/compiler/load.hpp"
#include "sw/compiler/lower.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/program.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

void append(std::vector<Message>& to, const std::vector<Message>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void check_documents(const ModelShape& model, const Graph& graph) {
  if (model.has_documents() && !graph.has(NetworkOperation::Kind::Attention))
    throw Refusal("model.document_end", "network " + model.network + " has no attention", "leave it out");
}

/// What a stream calls each feature, of an array in blocks of so many slots.
template <class Index>
std::vector<Index> indices(const Space& space, const WaferShape& wafer, int slots) {
  std::vector<Index> list;
  for (int f = 0; f < space.features(); ++f)
    list.push_back(
        static_cast<Index>(block_index(space.slot(f) / slots, space.row(f), space.slot(f) % slots, wafer.row_shift())));
  return list;
}

enum class Purpose : std::uint8_t { Training, Growing, Generation, Decode };

Plan make_plan(const ModelShape& model, const WaferShape& asked, const Mask& mask, Placement placement,
               Purpose purpose = Purpose::Training) {
  const bool decode = purpose == Purpose::Decode, trains = purpose <= Purpose::Growing;
  decode ? check_decode(model, asked) : check(model, asked);
  const WaferShape wafer = decode ? asked : with_sequence_columns(model, asked);
  const Graph graph = decode ? decode_graph(model) : Graph(model);
  check_documents(model, graph);
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
  const MemoryPlan memory(model, wafer, spaces, graph, decode ? model.seq : 0);
  plan.program = assemble_kernels(model, wafer, memory);

  plan.tokens_per_column = memory.tokens_per_column;
  plan.padded_seq = memory.padded_seq;
  plan.memory_map = memory.map(wafer);
  plan.arrays = array_symbols(memory);
  plan.row_constants = row_constants(model, wafer, spaces);
  plan.token_address = static_cast<std::uint16_t>(memory.token);
  plan.token_index = indices<std::uint32_t>(spaces.vocab, wafer, block_slots(wafer));
  plan.token_blocks = memory.blocks;
  if (decode) {
    plan.position_index = indices<std::uint16_t>(spaces.position, wafer, 1 << wafer.row_shift());
    plan.position_address = static_cast<std::uint16_t>(memory.position);
  }
  append(plan.load, route_messages(wafer));
  append(plan.load, program_messages(plan.program));
  append(plan.load, constant_messages(model, wafer, spaces, memory, plan.program));

  Lowering lowering(model, wafer, graph, held, memory, plan.tensors, kept, purpose == Purpose::Growing ? nullptr : kept,
                    plan.program);
  const Schedule schedule = trains ? graph.training : generation_schedule(graph.network);
  for (std::size_t n = 0; n < schedule.steps.size(); ++n) {
    lowering.lower(schedule.steps[n]);
    if (n + 1 == schedule.forward) plan.forward_ops = lowering.ops.size();
  }
  plan.ops = std::move(lowering.ops);
  return plan;
}

}  // namespace

Plan compile(const ModelShape& model, const WaferShape& wafer, const Mask& mask, Placement placement) {
  return make_plan(model, wafer, mask, placement);
}

Plan compile_generation(const ModelShape& model, const WaferShape& wafer, const Mask& mask, int texts) {
  ModelShape at_once = model;
  at_once.micro_batch = texts;
  at_once.document_end = -1;
  return make_plan(at_once, wafer, mask, Placement::ByLoad, Purpose::Generation);
}

Plan compile_growing(const ModelShape& model, const WaferShape& wafer, const Mask& mask) {
  return make_plan(model, wafer, mask, Placement::ByLoad, Purpose::Growing);
}

Plan compile_decode(const ModelShape& model, const WaferShape& wafer, const Mask& mask) {
  return make_plan(decode_model(model, wafer), decode_wafer(wafer), mask, Placement::ByLoad, Purpose::Decode);
}

}  // namespace weft
