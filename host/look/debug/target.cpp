#include "host/look/debug/target.hpp"

#include <algorithm>
#include <iterator>

namespace weft::debug {
namespace {

constexpr unsigned kVector = 8;         // StVector of rtl/pe/pe_scalar_pkg.sv
constexpr std::size_t kMostRests = 24;  // to go back to; of a large wafer each has megabytes

}  // namespace

Target::Target(const Plan& plan, std::span<const float> parameters, std::span<const Message> tokens, std::size_t first,
               int model_threads)
    : plan_(plan), parameters_(parameters), rtl_(make_clocked_wafer(plan.wafer)) {
  const auto model = make_model_wafer(plan.wafer, model_threads);
  model->feed(plan.load);
  model->feed(tokens);
  std::vector<Message> messages;
  for (std::size_t n = 0; n < first; ++n) {
    expand(plan.ops[n], parameters, messages);
    model->feed(messages);
  }
  model->settle();
  Rest start{.phase = first, .states = {}};
  for (int r = 0; r < plan.wafer.rows; ++r) {
    for (int c = 0; c < plan.wafer.cols; ++c) {
      tiles_.push_back({r, c});
      start.states.push_back(model->state(r, c));
    }
  }
  views_.resize(tiles_.size());
  follow_.resize(tiles_.size());
  rests_[0] = start;
  put(start);
}

Target::~Target() { rtl_->watch(nullptr); }

void Target::put(const Rest& rest) {
  rtl_->watch(nullptr);
  rtl_->reset();
  rtl_->feed(plan_.load);
  rtl_->settle();
  for (std::size_t n = 0; n < tiles_.size(); ++n) rtl_->put(tiles_[n].row, tiles_[n].col, rest.states[n]);
  rtl_->watch(this, tiles_);
  std::ranges::fill(views_, TileView{});
  std::ranges::fill(follow_, Follow{});
  begin(rest.phase);
}

void Target::begin(std::size_t phase) {
  phase_ = phase;
  begins_ = true;
  std::vector<Message> messages;
  expand(plan_.ops[phase], parameters_, messages);
  rtl_->queue(messages);
}

void Target::rest() {
  if (rests_.contains(cycle_)) return;
  Rest now{.phase = phase_ + 1, .states = {}};
  for (const auto& [row, col] : tiles_) now.states.push_back(rtl_->state(row, col));
  rests_[cycle_] = std::move(now);
  if (rests_.size() > kMostRests) rests_.erase(std::next(rests_.begin()));  // the very first one stays
}

bool Target::tick() {
  if (!rtl_->can_move()) {
    rtl_->settle();  // or it says who waits for whom
    if (phase_ + 1 == plan_.ops.size()) return false;
    rest();
    begin(phase_ + 1);
  }
  rtl_->tick();
  begins_ = false;
  ++cycle_;
  return true;
}

void Target::rewind(std::uint64_t cycle) {
  auto from = rests_.upper_bound(cycle);
  --from;  // there is always the begin
  put(from->second);
  for (cycle_ = from->first; cycle_ < cycle;)
    if (!tick()) break;
}

void Target::look(std::uint64_t /*cycle*/, std::size_t n, const TileView& view) {
  views_[n] = view;
  const ThreadView* threads[] = {&view.main, &view.psum};
  for (std::size_t t = 0; t < 2; ++t) {
    Follow::Thread& f = follow_[n].thread[t];
    if (f.state == kVector && threads[t]->state != kVector) f.sequenced = f.pc;
    f.state = threads[t]->state;
    f.pc = threads[t]->pc;
  }
}

}  // namespace weft::debug
