/// A second wafer checks the first: the first word that differs ends the run, and the error names it.
#include "host/backends/checked_wafer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/modes/small_trainer.hpp"

namespace weft::backends {
namespace {

/// The functional model with one flipped bit in one word of one row.
class Liar final : public Wafer {
 public:
  Liar(const machine::WaferShape& shape, int row, std::uint64_t word)
      : wafer_(make_model_wafer(shape)), row_(row), word_(word) {}
  const machine::WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const machine::Message> messages) override { wafer_->feed(messages); }
  void await(std::span<const std::uint64_t> totals) override { wafer_->await(totals); }
  void settle() override { wafer_->settle(); }
  void reset() override { wafer_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override {
    auto& words = wafer_->outlet(row);
    if (row != row_) return words;
    if (word_ >= seen_ && word_ < seen_ + words.size()) words[word_ - seen_] ^= 1;
    seen_ += words.size();  // the caller takes all words at once
    return words;
  }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::string flags() const override { return wafer_->flags(); }

 private:
  std::unique_ptr<Wafer> wafer_;
  int row_;
  std::uint64_t word_, seen_ = 0;
};

/// The error of a run whose wafer corrupts `word` of `row` in `op` of step 2's first micro-batch; the corrupting wafer
/// is the first of the pair if `first`, else the second.
std::string end(const std::string& op, std::size_t row, std::uint64_t word, bool first) {
  cli::SmallTrainer run;
  std::uint64_t all = 0, before = 0;
  for (const compiler::Op& o : run.plan().ops) {
    if (o.name == op) before = all;
    all += o.returned[row];
  }
  const machine::WaferShape& shape = run.config().wafer;
  try {
    run.train([&](int) {
      auto liar = std::make_unique<Liar>(shape, static_cast<int>(row), 2 * all + before + word);
      return first ? make_checked_wafer("liar", std::move(liar), "model", make_model_wafer(shape))
                   : make_checked_wafer("model", make_model_wafer(shape), "liar", std::move(liar));
    });
  } catch (const CheckFailed& failed) {
    return failed.what();
  }
  return "no difference";
}

TEST(CheckedWafer, NamesTheOpTheRowTheWordAndBothValues) {
  for (const char* op : {"loss", "h.0.mlp.c_fc.dw", "h.0.ln_1.dw", "wpe.dw", "flags"}) {
    for (const bool first : {true, false}) {
      const std::string text = end(op, 0, 0, first);
      const std::string begin =
          std::string("wafer 0, step 2, micro-batch 0: ") + op + " returns another word 0 of row 0: ";
      EXPECT_TRUE(text.starts_with(begin + (first ? "liar 0x" : "model 0x"))) << text;
      EXPECT_NE(text.find(first ? ", model 0x" : ", liar 0x"), std::string::npos) << text;
    }
  }
  const std::string text = end("h.0.mlp.c_fc.dw", 1, 5, true);
  EXPECT_TRUE(text.starts_with("wafer 0, step 2, micro-batch 0: h.0.mlp.c_fc.dw returns another word 5 of row 1: "))
      << text;
}

TEST(CheckedWafer, TwoThatAgreeTrainWhatOneTrains) {
  cli::SmallTrainer run;
  const machine::WaferShape& shape = run.config().wafer;
  const auto one = run.train([&](int) { return make_model_wafer(shape); });
  EXPECT_EQ(
      run.train([&](int) { return make_checked_wafer("a", make_model_wafer(shape), "b", make_model_wafer(shape)); }),
      one);
}

TEST(CheckedWafer, AWordTooManyIsADifference) {
  const machine::WaferShape shape{.rows = 1, .cols = 1, .sram_kib = 1};
  auto wafer = make_checked_wafer("a", make_model_wafer(shape), "b", std::make_unique<Liar>(shape, 7, 0));
  wafer->settle();
  auto own = make_model_wafer(shape);
  own->outlet(0).push_back(5);
  wafer = make_checked_wafer("a", std::move(own), "b", make_model_wafer(shape));
  EXPECT_THROW(wafer->settle(), CheckFailed);
}

}  // namespace
}  // namespace weft::backends
