#include "host/inspect/debug/rtl_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host/inspect/debug/plan_workload.hpp"
#include "host/inspect/debug/show.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {
namespace {

constexpr unsigned kDecode = 2, kVector = 8;  // StDecode, StVector of rtl/pe/weft_pe_scalar_pkg.sv
constexpr std::size_t kRamp = 4;

std::string word(std::uint64_t message, const Names& of) {
  const auto color = static_cast<unsigned>(message >> 32 & 31);
  const bool ctrl = (message >> 37 & 1) != 0;
  const auto data = static_cast<std::uint32_t>(message);
  if (!ctrl && color != 0 && of.own != nullptr)
    return fmt::format("{} {:#010x} {}", color_name(of, color), data, trace::decimal_fp32(data));
  trace::MessageNames names{.rows = of.wafer.rows, .kernels = {}, .pairs = 0};
  for (const assembler::Kernel& kernel : of.program.kernels) names.kernels[kernel.address] = kernel.name;
  return trace::message_words(color, ctrl, data, names);
}

}  // namespace

RtlTarget::RtlTarget(std::unique_ptr<const Workload> workload, std::vector<machine::TileState> states,
                     std::unique_ptr<sim::ClockedWafer> rtl)
    : LiveTarget(std::move(workload)), rtl_(std::move(rtl)) {
  start(std::move(states), 0);
}

RtlTarget::RtlTarget(const compiler::Plan& plan, std::span<const float> parameters,
                     std::span<const machine::Message> tokens, std::size_t first, int model_threads)
    : LiveTarget(std::make_unique<PlanWorkload>(plan, parameters)), rtl_(sim::make_clocked_wafer(plan.wafer)) {
  start(PlanWorkload(plan, parameters).states(tokens, first, model_threads), first);
}

RtlTarget::~RtlTarget() { rtl_->watch(nullptr); }

void RtlTarget::set_states(const std::vector<machine::TileState>& states) {
  rtl_->watch(nullptr);
  rtl_->reset();
  rtl_->feed(workload().load());
  rtl_->settle();
  for (std::size_t n = 0; n < states.size(); ++n) rtl_->set_state(tiles()[n].row, tiles()[n].col, states[n]);
  rtl_->watch(this, tiles());
  views_.assign(states.size(), {});
  follow_.assign(states.size(), {});
}

bool RtlTarget::move() {
  if (!rtl_->can_move()) return false;
  rtl_->tick();
  return true;
}

void RtlTarget::observe(std::uint64_t /*cycle*/, std::size_t n, const sim::TileView& view) {
  views_[n] = view;
  const sim::ThreadView* threads[] = {&view.main, &view.psum};
  for (std::size_t t = 0; t < 2; ++t) {
    Follow::Thread& f = follow_[n].thread[t];
    if (f.state == kVector && threads[t]->state != kVector) f.sequenced = f.pc;
    f.state = threads[t]->state;
    f.pc = threads[t]->pc;
  }
}

std::optional<unsigned> RtlTarget::arrives(sim::TilePlace tile, bool psum) const {
  const sim::ThreadView& v = thread_view(tile, psum);
  return v.state == kDecode ? std::optional(v.pc) : std::nullopt;
}

ThreadPlace RtlTarget::thread(sim::TilePlace tile, bool psum) const {
  const sim::ThreadView& v = thread_view(tile, psum);
  return {.runs = v.state != 0,
          .pc = v.pc,
          .busy = v.sequencer != 0,
          .sequenced = follow_[index(tile)].thread[psum].sequenced,
          .why = v.stall >= 0 ? std::string(isa::kStallNames[v.stall]) : ""};
}

std::string RtlTarget::passes(sim::TilePlace tile, unsigned color) const {
  const sim::PortView& ramp = view(tile).ports[kRamp];
  if (ramp.out_valid && (ramp.out >> 32 & 31) == color) return "gets " + word(ramp.out, names(tile));
  if (ramp.in_valid && (ramp.in >> 32 & 31) == color) return "sends " + word(ramp.in, names(tile));
  return "";
}

std::string RtlTarget::writes(sim::TilePlace tile, unsigned first, unsigned last) const {
  const sim::TileView& v = view(tile);
  for (unsigned lane = 0; v.m_lanes >> lane; ++lane) {
    const unsigned element = v.m_element + lane;
    if ((v.m_lanes >> lane & 1) && element >= first && element <= last)
      return fmt::format("writes {} to M[{:#x}]", trace::decimal_bf16(v.m_value[lane]), element);
  }
  return "";
}

}  // namespace weft::inspect::debug
