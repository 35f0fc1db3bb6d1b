/// Functional-model wafers with deliberately changed behavior.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "verif/wafer.hpp"

namespace weft::checkpoint {

/// A model wafer; subclasses override the behavior to change.
class WrappedWafer : public Wafer {
 public:
  explicit WrappedWafer(const machine::WaferShape& shape) : wafer_(make_model_wafer(shape)) {}
  const machine::WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const machine::Message> messages) override { wafer_->feed(messages); }
  void await(std::span<const std::uint64_t> totals) override { wafer_->await(totals); }
  void settle() override { wafer_->settle(); }
  void reset() override { wafer_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override { return wafer_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::string flags() const override { return wafer_->flags(); }

 private:
  std::unique_ptr<Wafer> wafer_;
};

/// Calls `act` before each await of a micro-batch; an exception from `act` is the wafer's failure.
class ActingWafer final : public WrappedWafer {
 public:
  ActingWafer(const machine::WaferShape& shape, std::function<void()> act)
      : WrappedWafer(shape), act_(std::move(act)) {}
  void await(std::span<const std::uint64_t> totals) override {
    act_();
    WrappedWafer::await(totals);
  }

 private:
  std::function<void()> act_;
};

}  // namespace weft::checkpoint
