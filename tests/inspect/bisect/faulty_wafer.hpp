/// Wafers with injected faults.
#pragma once

#include <functional>
#include <utility>

#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect::bisect {

/// The RTL, except for the changes made by two functions.
class FaultyWafer : public Wafer {
 public:
  /// Changes a phase's messages; called once for each call of feed.
  using Stream = std::function<void(const machine::StreamPlace&, std::vector<machine::Message>&)>;
  /// Called when all of the phase's messages have been sent.
  using After = std::function<void(const machine::StreamPlace&, sim::ClockedWafer&)>;

  FaultyWafer(const machine::WaferShape& shape, Stream stream, After after)
      : rtl_(sim::make_clocked_wafer(shape)), stream_(std::move(stream)), after_(std::move(after)) {}

  const machine::WaferShape& shape() const override { return rtl_->shape(); }
  void feed(std::span<const machine::Message> messages) override {
    std::vector<machine::Message> changed(messages.begin(), messages.end());
    if (stream_) stream_(place_, changed);
    rtl_->feed(changed);
  }
  void await(std::span<const std::uint64_t> totals) override { rtl_->await(totals); }
  void settle() override {
    rtl_->settle();
    end();
  }
  void reset() override { rtl_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override { return rtl_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return rtl_->sram(row, col); }
  machine::TileState state(int row, int col) const override { return rtl_->state(row, col); }
  void at(const machine::StreamPlace& place) override {
    end();
    place_ = place;
    ended_ = false;
    rtl_->at(place);
  }
  WaferCounters counters() const override { return rtl_->counters(); }
  std::string flags() const override { return rtl_->flags(); }

 private:
  void end() {
    if (ended_ || !after_) return;
    rtl_->settle();
    ended_ = true;
    after_(place_, *rtl_);
  }

  std::unique_ptr<sim::ClockedWafer> rtl_;
  Stream stream_;
  After after_;
  machine::StreamPlace place_;
  bool ended_ = true;
};

}  // namespace weft::inspect::bisect
