#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/benches.hpp"
#include "bench/common/dense_gemm.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/config/file/load.hpp"

namespace weft::bench {
namespace {

/// One wafer, and the wall-clock time of its micro-batches, which threads reduce.
class ThreadedRunner {
 public:
  ThreadedRunner(const Gpt& gpt, int threads) : gpt_(gpt), wafer_(make_model_wafer(gpt.config.wafer, threads)) {
    wafer_->feed(gpt.plan.load);
    wafer_->settle();
  }

  void micro_batch() {
    const auto start = std::chrono::steady_clock::now();
    constexpr std::size_t kPortion = 16384;
    for (std::span<const machine::Message> rest(gpt_.micro_batch); !rest.empty();) {
      const std::size_t n = std::min(kPortion, rest.size());
      wafer_->feed(rest.first(n));
      rest = rest.subspan(n);
    }
    wafer_->settle();
    seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    for (int row = 0; row < gpt_.config.wafer.rows; ++row) wafer_->outlet(row).clear();
  }
  double seconds() const { return median(seconds_); }

 private:
  const Gpt& gpt_;
  std::unique_ptr<Wafer> wafer_;
  std::vector<double> seconds_;
};

void compare(const std::string& name, const Gpt& gpt) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int threads = std::min(std::max(2, cores), gpt.config.wafer.cols);
  ThreadedRunner one(gpt, 1), many(gpt, threads);
  for (int run = 0; run < 31; ++run) one.micro_batch(), many.micro_batch();  // alternating
  fact(name + ", 1 thread", 1e3 * one.seconds(), "ms");
  fact(name + ", " + std::to_string(threads) + " threads", 1e3 * many.seconds(), "ms");
  fact(name + ", speed-up", one.seconds() / many.seconds(), "times");
}

/// Wall-clock seconds of the GEMM of `tiles` on an RTL wafer.
double rtl_seconds(Wafer& wafer, const DenseGemm& gemm) {
  const auto start = std::chrono::steady_clock::now();
  gemm.run(wafer);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void rtl() {
  const DenseGemm gemm({.rows = 8, .cols = 8, .valves = 2}, 64, 32, 128);
  const auto one = make_rtl_wafer(gemm.shape), two = make_rtl_wafer(gemm.shape, 2);
  for (Wafer* wafer : {one.get(), two.get()}) gemm.load(*wafer);
  std::vector<double> alone, together;
  for (int run = 0; run < 7; ++run) {  // alternating
    alone.push_back(rtl_seconds(*one, gemm));
    together.push_back(rtl_seconds(*two, gemm));
  }
  fact("RTL 8x8, 1 thread", 1e3 * median(alone), "ms");
  fact("RTL 8x8, 2 threads", 1e3 * median(together), "ms");
  fact("RTL 8x8, speed-up", median(alone) / median(together), "times");
}

}  // namespace

void threads() {
  heading("threads: work on one wafer, wall-clock time: needs cores that no other program uses");
  rtl();
  compare("gpt_small", Gpt(config::load_config(WEFT_CONFIGS "/gpt_small.yaml")));
  compare("gpt_tiny", Gpt());
}

}  // namespace weft::bench
