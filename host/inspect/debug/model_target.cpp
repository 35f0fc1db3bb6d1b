#include "host/inspect/debug/model_target.hpp"

#include <fmt/format.h>

#include <utility>

#include "host/inspect/debug/plan_workload.hpp"
#include "host/inspect/debug/waits.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {

using What = model::ModelMove::What;

ModelTarget::ModelTarget(std::unique_ptr<const Workload> workload, int depth)
    : LiveTarget(std::move(workload)), model_(model::make_model_to_look_at(shape(), depth)) {}

ModelTarget::ModelTarget(std::unique_ptr<const Workload> workload, std::vector<machine::TileState> states, int depth)
    : ModelTarget(std::move(workload), depth) {
  start(std::move(states), 0);
}

ModelTarget::ModelTarget(const compiler::Plan& plan, std::span<const float> parameters,
                         std::span<const machine::Message> tokens, std::size_t first, int model_threads, int depth)
    : ModelTarget(std::make_unique<PlanWorkload>(plan, parameters), depth) {
  start(PlanWorkload(plan, parameters).states(tokens, first, model_threads), first);
}

void ModelTarget::set_states(const std::vector<machine::TileState>& states) {
  model_->reset();
  model_->feed(workload().load());
  model_->settle();
  model_->leave_lockstep();
  for (std::size_t n = 0; n < states.size(); ++n) model_->set_state(tiles()[n].row, tiles()[n].col, states[n]);
  moved_ = {};
  touched_.clear();
  shown_ = nullptr;
}

bool ModelTarget::move() {
  shown_ = nullptr;
  touched_.clear();
  if (!model_->move(moved_)) return false;
  const auto touch = [&](int tile) {
    if (tile >= 0) touched_.push_back(tiles()[static_cast<std::size_t>(tile)]);
  };
  touch(moved_.tile);
  for (const auto& words : moved_.words)
    if (words.tile != moved_.tile) touch(words.tile);
  for (const int tile : moved_.marked) touch(tile);
  return true;
}

bool ModelTarget::did(sim::TilePlace tile, bool psum) const {
  return moved_.tile == static_cast<int>(index(tile)) && (moved_.thread == 1) == psum;
}

std::optional<unsigned> ModelTarget::arrives(sim::TilePlace tile, bool psum) const {
  const bool here = moved_.tile == static_cast<int>(index(tile)) && moved_.arrives[psum];
  return here ? std::optional<unsigned>(moved_.pc[psum]) : std::nullopt;
}

bool ModelTarget::issues(sim::TilePlace tile, bool psum) const { return did(tile, psum) && moved_.beats > 0; }

std::string ModelTarget::passes(sim::TilePlace tile, unsigned color) const {
  for (const auto& words : moved_.words)
    if (words.tile == static_cast<int>(index(tile)) && words.color == static_cast<int>(color))
      return (words.out ? "sends " : "gets ") + trace::color_word(color);
  return "";
}

std::string ModelTarget::writes(sim::TilePlace tile, unsigned first, unsigned last) const {
  if (moved_.tile != static_cast<int>(index(tile))) return "";
  for (const auto& [from, count] : moved_.writes) {
    const unsigned element = std::max(from, first);
    if (element > last || element >= from + count) continue;
    return fmt::format("writes {} to M[{:#x}]", trace::decimal_bf16(state(tile).memory.at(element)), element);
  }
  return "";
}

const machine::HangSnapshot& ModelTarget::shown() const {
  if (!shown_) shown_ = model_->hang_snapshot("looked at");
  return *shown_;
}

ThreadPlace ModelTarget::thread(sim::TilePlace tile, bool psum) const {
  ThreadPlace place = thread_place(shown(), tile, psum);
  if (did(tile, psum) && moved_.what == What::Part) place.why = fmt::format("has done {} beats", moved_.beats);
  return place;
}

}  // namespace weft::inspect::debug
