/// The loop-back program on the functional model, and on a model with faulty memory.
#include "host/cli/boards/loop_back.hpp"

#include <gtest/gtest.h>

#include "verif/wafer.hpp"

namespace weft::cli {
namespace {

TEST(LoopBack, GivesBackEachTilesWordsOnAnyMesh) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {4, 2}, {2, 2}, {1, 5}, {3, 1}}) {
    const auto wafer = make_model_wafer({.rows = rows, .cols = cols, .sram_kib = 24, .turns = false});
    for (int pass = 0; pass < 2; ++pass) {
      const LoopBack back = loop_back(*wafer, 1 + static_cast<unsigned>(pass));
      EXPECT_EQ(back.words, static_cast<std::uint64_t>(64 * rows * cols));
      EXPECT_TRUE(back.wrong_tiles.empty()) << back.wrong_tiles.front();
      EXPECT_EQ(wafer->flags(), "");
    }
  }
}

/// A wafer that returns one word with a changed bit.
class Errs final : public Wafer {
 public:
  explicit Errs(std::unique_ptr<Wafer> wafer) : wafer_(std::move(wafer)) {}
  const machine::WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const machine::Message> messages) override { wafer_->feed(messages); }
  void await(std::span<const std::uint64_t> totals) override { wafer_->await(totals); }
  void settle() override {
    wafer_->settle();
    wafer_->outlet(1).at(70) ^= 4;
  }
  void reset() override { wafer_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override { return wafer_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::string flags() const override { return wafer_->flags(); }

 private:
  std::unique_ptr<Wafer> wafer_;
};

TEST(LoopBack, NamesTheTileWhoseWordsDiffer) {
  Errs wafer(make_model_wafer({.rows = 2, .cols = 2, .sram_kib = 24, .turns = false}));
  EXPECT_EQ(loop_back(wafer, 3).wrong_tiles, std::vector<std::string>{"row 1 column 1: 1 of 64 words differ"});
}

}  // namespace
}  // namespace weft::cli
