#include "tests/kernels/stage.hpp"

#include <bit>
#include <stdexcept>
#include <string>

#include "sw/base/bf16.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::kernels {
namespace {

/// Parameters are drawn four times as wide as a model's usual start, so that attention is not nearly uniform.
constexpr float kSpread = 4;

}  // namespace

Stage::Stage(const compiler::ModelShape& model, const machine::WaferShape& shape, int sequence_count)
    : plan(compiler::compile(model, shape)),
      spaces(model, shape.rows),
      arrays(model, shape, spaces),
      parameters(compiler::random_parameters(plan, 7, kSpread)),
      wafer(make_model_wafer(shape)),
      totals_(shape.rows) {
  for (const float p : parameters) weights.push_back(reference::round_to_bf16(p));
  wafer->feed(plan.load);
  restart(sequence_count);
}

void Stage::restart(int sequence_count) {
  sequences = sequence_count;
  inputs = compiler::random_tokens(plan, sequences, 1);
  labels = compiler::random_tokens(plan, sequences, 2);
  next_ = fed_ = 0;
  run(plan.tokens(inputs, labels, 1, &compiler::kDropped));
}

void Stage::run(const std::vector<machine::Message>& messages) {
  wafer->feed(messages);
  wafer->await(totals_);
  wafer->settle();
  sram_.clear();
  for (int r = 0; r < plan.wafer.rows; ++r)
    for (int c = 0; c < plan.wafer.cols; ++c) sram_.push_back(wafer->sram(r, c));
}

void Stage::before(std::string_view name) {
  while (next_ < plan.ops.size() && op().name != name) step();
  if (next_ == plan.ops.size()) throw std::out_of_range("no op is called " + std::string(name));
}

void Stage::step() {
  std::vector<machine::Message> messages;
  compiler::expand(op(), parameters, messages);
  messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(fed_));
  for (int r = 0; r < plan.wafer.rows; ++r) {
    wafer->outlet(r).clear();
    totals_[r] += op().returned[r];
  }
  run(messages);
  words.clear();
  for (int r = 0; r < plan.wafer.rows; ++r) words.push_back(wafer->outlet(r));
  ++next_;
  fed_ = 0;
}

void Stage::call() {
  std::vector<machine::Message> messages;
  while (true) {
    const compiler::StreamEntry& entry = op().commands.at(fed_++);
    messages.push_back({entry.data, true});
    if (entry.data >> 24 == static_cast<std::uint32_t>(machine::Command::Call)) break;
  }
  run(messages);
}

double Stage::value(int row, int column, int address) const { return as_float(widen(bits(row, column, address))); }

Array Stage::array(const compiler::Space& space, int address) const {
  Array a{tokens(), space.features(), {}};
  for (int token = 0; token < a.tokens; ++token)
    for (int f = 0; f < a.features; ++f)
      a.values.push_back(
          value(space.row(f), column(token), address + space.slot(f) * plan.tokens_per_column + place(token)));
  return a;
}

std::vector<double> Stage::per_token(int address) const {
  std::vector<double> v;
  for (int token = 0; token < tokens(); ++token) {
    const std::uint16_t first = bits(0, column(token), address + place(token));
    for (int r = 1; r < plan.wafer.rows; ++r)
      if (bits(r, column(token), address + place(token)) != first)
        throw std::runtime_error("row " + std::to_string(r) + " holds another value than row 0");
    v.push_back(as_float(widen(first)));
  }
  return v;
}

std::map<std::uint64_t, double> Stage::gradient() const {
  const compiler::Op& done = plan.ops.at(next_ - 1);
  const auto order = compiler::gradient_parameters(done);
  std::map<std::uint64_t, double> g;
  for (int r = 0; r < plan.wafer.rows; ++r)
    for (std::size_t k = 0; k < words[r].size(); ++k)
      if (!g.emplace(order.at(r).at(k), std::bit_cast<float>(words[r][k])).second)
        throw std::runtime_error(done.name + " returns a gradient twice");
  return g;
}

int Stage::text(int token) const {
  return (place(token) / plan.padded_seq * plan.wafer.cols + column(token)) * plan.model.seq + position(token);
}

std::uint64_t Stage::offset(std::string_view tensor) const {
  return compiler::find_tensor(plan.tensors, tensor).offset;
}

}  // namespace weft::kernels
