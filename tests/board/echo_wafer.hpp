/// A wafer that returns each data message as a word of its row.
#pragma once

#include "verif/wafer.hpp"

namespace weft::board {

class EchoWafer final : public Wafer {
 public:
  explicit EchoWafer(const machine::WaferShape& shape)
      : shape_(shape), outlets_(static_cast<std::size_t>(shape.rows)) {}
  const machine::WaferShape& shape() const override { return shape_; }
  void feed(std::span<const machine::Message> messages) override {
    for (const machine::Message& m : messages) {
      if (m.ctrl) continue;
      const std::size_t row = m.data >> 16 >> shape_.row_shift();
      if (row < outlets_.size()) outlets_[row].push_back(m.data);
    }
  }
  void await(std::span<const std::uint64_t> /*totals*/) override {}
  void settle() override {}
  void reset() override {
    for (auto& words : outlets_) words.clear();
  }
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_.at(static_cast<std::size_t>(row)); }
  std::vector<std::uint16_t> sram(int /*row*/, int /*col*/) const override { return {}; }
  WaferCounters counters() const override { return {}; }
  std::string flags() const override { return {}; }

 private:
  machine::WaferShape shape_;
  std::vector<std::vector<std::uint32_t>> outlets_;
};

}  // namespace weft::board
