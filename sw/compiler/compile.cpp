#include "sw/compiler/compile.hpp"

#include <stdexcept>
#include <utility>

#include "sw/compiler/graph/decode_graph.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "sw/compiler/prepared.hpp"
#include "sw/compiler/program/load.hpp"

namespace weft::compiler {
namespace {

void append(std::vector<machine::Message>& to, const std::vector<machine::Message>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The index of each feature in a stream, for an array in blocks of `slots` slots.
template <class Index>
std::vector<Index> indices(const Space& space, const machine::WaferShape& wafer, int slots) {
  std::vector<Index> list;
  for (int f = 0; f < space.features(); ++f)
    list.push_back(
        static_cast<Index>(block_index(space.slot(f) / slots, space.row(f), space.slot(f) % slots, wafer.row_shift())));
  return list;
}

}  // namespace

std::shared_ptr<const Prepared> prepare(const ModelShape& model, const machine::WaferShape& wafer) {
  return std::make_shared<const Prepared>(model, wafer, Purpose::Training);
}

Plan with_mask(const std::shared_ptr<const Prepared>& prepared, const Mask& mask, Placement placement,
               Gradients gradients) {
  const Prepared& of = *prepared;
  const auto kept =
      mask.empty() ? nullptr : std::make_shared<const std::vector<bool>>(kept_parameters(of.tensors, mask));
  const bool in_order = placement == Placement::InOrder || kept == nullptr;
  const auto held = std::make_shared<const Spaces>(of.model, of.wafer.rows,
                                                   in_order ? Loads{} : count_loads(of.model, of.tensors, *kept));
  const Spaces& spaces = *held;
  if (!spaces.same_slots(of.spaces)) throw std::logic_error("a mask changes how many slots a row needs");
  Plan plan;
  plan.prepared = prepared;
  plan.model = of.model;
  plan.wafer = of.wafer;
  plan.tensors = of.tensors;
  plan.parameters = parameter_count(of.tensors);
  plan.mask = mask;
  plan.program = of.program;
  plan.tokens_per_column = of.memory.tokens_per_column;
  plan.padded_seq = of.memory.padded_seq;
  plan.memory_map = of.memory.map(of.wafer);
  plan.arrays = of.arrays;
  plan.row_constants = of.memory.row_constants(of.model, of.wafer, spaces);
  plan.token_address = static_cast<std::uint16_t>(of.memory.token);
  plan.token_index = indices<std::uint32_t>(spaces.vocab, of.wafer, block_slots(of.wafer));
  plan.token_blocks = of.memory.blocks;
  if (of.model.has_segments())
    plan.segment_index = indices<std::uint16_t>(spaces.segment, of.wafer, 1 << of.wafer.row_shift());
  if (of.model.classes > 0)
    plan.class_index = indices<std::uint16_t>(spaces.classes, of.wafer, 1 << of.wafer.row_shift());
  plan.drop_flag = static_cast<std::uint16_t>(of.memory.drop_flag);
  plan.drop_numbers = static_cast<std::uint16_t>(of.memory.drop_numbers);
  if (plan.drop_flag == 0) plan.model.dropout_seed = 0;
  plan.losses = losses_of(of.graph.network);
  plan.sends_documents = of.memory.document > 0;
  if (of.graph.attention(false) != nullptr) plan.document_behind = of.model.seq + 1;  // a number of no token
  if (of.purpose == Purpose::Decode || (of.model.vsl && of.graph.has_positions())) {
    plan.position_index = indices<std::uint16_t>(spaces.position, of.wafer, 1 << of.wafer.row_shift());
    plan.position_address = static_cast<std::uint16_t>(of.memory.position);
  }
  plan.load = of.load;
  append(plan.load, constant_messages(of.model, of.wafer, spaces, of.memory, of.program));

  Lowering lowering(of, held, kept, gradients == Gradients::OfAll ? nullptr : kept, &of.program);
  for (std::size_t n = 0; n < of.schedule.steps.size(); ++n) {
    lowering.lower(of.schedule.steps[n]);
    if (n + 1 == of.schedule.forward) plan.forward_ops = lowering.count();
  }
  plan.ops = lowering.take();
  return plan;
}

Plan with_mask(const Plan& plan, const Mask& mask, Gradients gradients) {
  if (plan.prepared == nullptr) throw std::invalid_argument("a plan from a file has one mask");
  return with_mask(plan.prepared, mask, Placement::ByLoad, gradients);
}

Plan compile(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask, Placement placement) {
  return with_mask(prepare(model, wafer), mask, placement);
}

Plan compile_generation(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask, int texts) {
  ModelShape at_once = model;
  at_once.micro_batch = texts;
  at_once.document_end = at_once.padding_token = -1, at_once.vsl = false;
  at_once.attention = "stored";
  return with_mask(std::make_shared<const Prepared>(at_once, wafer, Purpose::Generation), mask);
}

Plan compile_decode(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask) {
  return with_mask(std::make_shared<const Prepared>(decode_model(model, wafer), decode_wafer(wafer), Purpose::Decode),
                   mask);
}

}  // namespace weft::compiler
