#include <algorithm>

#include "bench/benches.hpp"
#include "bench/common/dense_gemm.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/train.hpp"
#include "bench/print.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::bench {
namespace {

/// Runs one wafer in the calling thread.
class Runner {
 public:
  Runner(const Gpt& gpt, std::unique_ptr<Wafer> wafer)
      : gpt_(gpt), wafer_(std::move(wafer)), totals_(gpt.totals.size()) {
    wafer_->feed(gpt.plan.load);
    wafer_->settle();
  }

  void leave_lockstep() { dynamic_cast<model::ModelWafer&>(*wafer_).leave_lockstep(); }

  Work micro_batch() {
    const Work work = measure(*wafer_, [&] {
      for (std::size_t row = 0; row < totals_.size(); ++row) totals_[row] += gpt_.totals[row];
      wafer_->feed(gpt_.micro_batch);
      wafer_->await(totals_);
    });
    for (std::size_t row = 0; row < totals_.size(); ++row) wafer_->outlet(static_cast<int>(row)).clear();
    return work;
  }

 private:
  const Gpt& gpt_;
  std::unique_ptr<Wafer> wafer_;
  std::vector<std::uint64_t> totals_;
};

}  // namespace

void model() {
  heading("model: the functional model and the RTL, one wafer and one thread each");
  const Gpt gpt;
  Runner rtl(gpt, make_rtl_wafer(gpt.config.wafer)), model(gpt, make_model_wafer(gpt.config.wafer));
  model.micro_batch();  // warm-up
  std::vector<double> rtl_seconds, model_seconds, speeds;
  for (int run = 0; run < 3; ++run) {  // alternating
    rtl_seconds.push_back(rtl.micro_batch().seconds);
    std::vector<double> some;
    for (int k = 0; k < 15; ++k) {
      const Work work = model.micro_batch();
      some.push_back(work.seconds);
      speeds.push_back(1e-9 * static_cast<double>(work.done.fma_lanes) / work.seconds);
    }
    model_seconds.push_back(median(some));
  }
  const double micro_batches = gpt.config.micro_batches();
  const double slow = median(rtl_seconds), fast = median(model_seconds);
  fact("RTL, wafer's share of gpt_tiny", 1 / (slow * micro_batches), "steps/s");
  fact("model, wafer's share of gpt_tiny", 1 / (fast * micro_batches), "steps/s");
  goal("model / RTL", slow / fast, "times", 300);
  fact("model, gpt_tiny", median(speeds), "G multiply-adds/s");

  Runner tiles(gpt, make_model_wafer(gpt.config.wafer));
  tiles.leave_lockstep();
  tiles.micro_batch();
  std::vector<double> tile_seconds;
  for (int run = 0; run < 5; ++run) tile_seconds.push_back(tiles.micro_batch().seconds);
  fact("model tile by tile / in lockstep", median(tile_seconds) / fast, "times the time");

  const DenseGemm gemm({.rows = 4, .cols = 4}, 256, 32, 64);
  const auto wafer = make_model_wafer(gemm.shape);
  gemm.load(*wafer);
  std::vector<double> dense;
  for (int run = 0; run < 41; ++run) {
    const Work work = gemm.run(*wafer);
    dense.push_back(1e-9 * static_cast<double>(work.done.fma_lanes) / work.seconds);
  }
  fact("model, dense GEMM of 256 weights a row", median(dense), "G multiply-adds/s");

  const double rtl_step = train_step("rtl", 1).seconds, model_step = train_step("model", 1, 51).seconds;
  fact("model / RTL, whole program, wall-clock time", rtl_step / model_step, "times");
}

}  // namespace weft::bench
