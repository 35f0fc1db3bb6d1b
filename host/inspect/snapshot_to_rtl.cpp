#include "host/inspect/snapshot_to_rtl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "host/config/keys/keys.hpp"
#include "isa.hpp"
#include "sw/base/did_you_mean.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/network/former_phase_names.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect {
namespace {

/// Removes from a state what may legitimately differ after a phase: counters, and the handoff queues, which CALL
/// empties.
machine::TileState comparable(machine::TileState s, const machine::TileState* before) {
  if (before == nullptr) {
    s.mp = s.pm = {};
    s.beats = s.fma_lanes = 0;
  } else {
    s.beats -= before->beats;
    s.fma_lanes -= before->fma_lanes;
  }
  return s;
}

std::string place(int row, int col) { return fmt::format("tile {},{}", row, col); }

}  // namespace

std::size_t find_phase(const compiler::Plan& plan, const std::string& name) {
  std::vector<std::string_view> names;
  for (std::size_t n = 0; n < plan.ops.size(); ++n) {
    if (plan.ops[n].name == name) return n;
    names.push_back(plan.ops[n].name);
  }
  const network::FormerPhaseNames former = compiler::former_phase_names(plan.model);
  for (std::size_t n = 0; n < plan.ops.size(); ++n)  // the plan may be a file with former names
    if (former.current(plan.ops[n].name) == former.current(name)) return n;
  const std::string near = nearest(name, names);
  throw Refusal(
      "--phase", fmt::format("there is no {}", name),
      near.empty() ? "--phase list prints them" : fmt::format("did you mean {}? --phase list prints them", near));
}

std::string note_other_name(const compiler::Plan& plan, std::size_t phase, const std::string& name) {
  const std::string& own = plan.ops.at(phase).name;
  return own == name ? "" : fmt::format("note    phase {} is called {} here\n", name, own);
}

std::vector<unsigned> calls_of(std::span<const machine::Message> messages) {
  std::vector<unsigned> calls;
  for (const machine::Message& m : messages)
    if (m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::Call)) calls.push_back(m.data & 0xffff);
  return calls;
}

SnapshotToRtl::SnapshotToRtl(const compiler::Plan& plan, std::span<const float> parameters,
                             std::span<const machine::Message> tokens, std::size_t phase, int model_threads)
    : plan_(plan), model_(make_model_wafer(plan.wafer, model_threads)), rtl_(sim::make_clocked_wafer(plan.wafer)) {
  model_->feed(plan.load);
  model_->feed(tokens);
  for (std::size_t n = 0; n < phase; ++n) {
    compiler::expand(plan.ops[n], parameters, messages_);
    model_->feed(messages_);
  }
  compiler::expand(plan.ops.at(phase), parameters, messages_);
  model_->settle();
  rtl_->feed(plan.load);
  rtl_->settle();
  for (int r = 0; r < plan.wafer.rows; ++r) {
    for (int c = 0; c < plan.wafer.cols; ++c) {
      const machine::TileState state = model_->state(r, c);
      rtl_->set_state(r, c, state);
      machine::TileState counters;
      counters.beats = state.beats;
      counters.fma_lanes = state.fma_lanes;
      before_.push_back(std::move(counters));
      const std::string wrong = machine::difference(comparable(state, nullptr), comparable(rtl_->state(r, c), nullptr));
      if (!wrong.empty())
        throw std::logic_error("the RTL has not taken the model's state, " + place(r, c) + "\n" + wrong);
    }
    model_->outlet(r).clear();
    rtl_->outlet(r).clear();
  }
}

SnapshotToRtl::Result SnapshotToRtl::run() {
  std::vector<machine::TileState> rtl_before;
  for (int r = 0; r < plan_.wafer.rows; ++r)
    for (int c = 0; c < plan_.wafer.cols; ++c) {
      machine::TileState counters;
      const machine::TileState now = rtl_->state(r, c);
      counters.beats = now.beats;
      counters.fma_lanes = now.fma_lanes;
      rtl_before.push_back(std::move(counters));
    }
  // The slots of R that vr leaves behind are undefined (docs/reference/pe.md).
  const bool sums_lanes = std::ranges::any_of(
      calls_of(messages_), [&](unsigned call) { return trace::reaches(plan_.program, call, isa::Opcode::Vr); });
  Result result;
  const std::uint64_t from = rtl_->cycle_number();
  rtl_->feed(messages_);
  rtl_->settle();
  result.cycles = rtl_->cycle_number() - from;
  model_->feed(messages_);
  model_->settle();
  for (int r = 0; r < plan_.wafer.rows && result.difference.empty(); ++r) {
    const auto &mine = rtl_->outlet(r), &theirs = model_->outlet(r);
    result.returned += mine.size();
    if (mine == theirs) continue;
    const auto at = std::ranges::mismatch(mine, theirs).in1 - mine.begin();
    result.difference = fmt::format("row {} returns different words, first word {} (RTL {} words, model {})", r, at,
                                    mine.size(), theirs.size());
  }
  for (int r = 0; r < plan_.wafer.rows && result.difference.empty(); ++r) {
    for (int c = 0; c < plan_.wafer.cols && result.difference.empty(); ++c) {
      const auto n = static_cast<std::size_t>(r * plan_.wafer.cols + c);
      machine::TileState theirs = comparable(model_->state(r, c), &before_[n]);
      machine::TileState mine = comparable(rtl_->state(r, c), &rtl_before[n]);
      if (sums_lanes) theirs.accumulators = mine.accumulators = {};
      const std::string wrong = machine::difference(theirs, mine);
      if (!wrong.empty()) result.difference = place(r, c) + ", model and RTL\n" + wrong;
    }
  }
  return result;
}

}  // namespace weft::inspect
