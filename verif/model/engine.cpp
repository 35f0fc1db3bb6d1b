#include "verif/model/engine.hpp"

namespace weft::model {

Engine::Engine(const machine::WaferShape& shape, int threads, int depth)
    : outlets(shape.rows),
      shape_(shape),
      threads_(threads),
      depth_(depth),
      slices_(std::make_unique<Slices>(shape, threads, outlets)) {
  slices_->pause(between_);
  if (depth_ > 0) switch_mode();
}

void Engine::feed(std::span<const machine::Message> messages) {
  guard([&] {
    if (!slices_) return tiles_->feed(messages);
    slices_->feed(messages);
    switch_mode_if_stopped();
  });
}

bool Engine::feed(const machine::StreamPiece& piece) {
  if (!slices_ || slices_->size() > 1) return false;
  guard([&] {
    slices_->feed(piece);
    switch_mode_if_stopped();
  });
  return true;
}

void Engine::count_progress(std::atomic<std::uint64_t>& count) {
  drain();
  progress_ = &count;
  if (slices_) slices_->count_progress(count);
  if (tiles_) tiles_->count_progress(count);
}

void Engine::drain() {
  guard([&] {
    if (!slices_) return;
    slices_->settle();
    switch_mode_if_stopped();
  });
}

void Engine::wait() {
  drain();
  guard([&] {
    if (slices_ && !slices_->w_reaches_all()) switch_mode();
  });
  outlets.waited_for = outlets.delivered;
  if (tiles_) tiles_->waited();
}

void Engine::switch_mode_if_stopped() {
  if (!slices_->stopped()) return;
  slices_->settle();
  if (slices_->stopped()) switch_mode();  // messages that arrived meanwhile may have resolved it
}

void Engine::leave_lockstep() {
  drain();
  guard([&] {
    if (slices_) switch_mode();
  });
}

void Engine::switch_mode() {
  tiles_ = std::make_unique<Tiles>(shape_, *slices_, outlets, depth_);
  tiles_->pause(between_);
  if (progress_ != nullptr) tiles_->count_progress(*progress_);
  slices_.reset();
  tiles_->feed({});
}

void Engine::reset() {
  failure_ = nullptr;
  outlets.reset();
  guard([&] {
    if (slices_) return slices_->reset();
    tiles_->reset();
    if (depth_ > 0) return;
    auto slices = std::make_unique<Slices>(shape_, threads_, outlets);
    if (!slices->join([&](int row, int col) -> const Pe& { return tiles_->pe(row, col); })) return;
    slices->pause(between_);
    if (progress_ != nullptr) slices->count_progress(*progress_);
    slices_ = std::move(slices);
    tiles_.reset();
  });
}

}  // namespace weft::model
