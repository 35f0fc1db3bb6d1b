#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/benches.hpp"
#include "bench/gpt.hpp"
#include "bench/print.hpp"
#include "bench/work.hpp"

namespace weft::bench {
namespace {

/// One wafer and the time that its micro-batches take by the clock on the wall: what threads are for.
class Runner {
 public:
  Runner(const Gpt& gpt, int threads) : gpt_(gpt), wafer_(make_model_wafer(gpt.config.wafer, threads)) {
    wafer_->feed(gpt.plan.load);
    wafer_->settle();
  }

  void micro_batch() {
    const auto start = std::chrono::steady_clock::now();
    constexpr std::size_t kPortion = 16384;
    for (std::span<const Message> rest(gpt_.micro_batch); !rest.empty();) {
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
  Runner one(gpt, 1), many(gpt, threads);
  for (int run = 0; run < 31; ++run) one.micro_batch(), many.micro_batch();  // taking turns
  fact(name + ", 1 thread", 1e3 * one.seconds(), "ms");
  fact(name + ", " + std::to_string(threads) + " threads", 1e3 * many.seconds(), "ms");
  fact(name + ", speed-up", one.seconds() / many.seconds(), "times");
}

}  // namespace

void threads() {
  heading("threads: a micro-batch on one model wafer, by the clock on the wall: wants cores that nobody else uses");
  compare("gpt_small", Gpt(load_config(WEFT_CONFIGS "/gpt_small.yaml")));
  compare("gpt_tiny", Gpt());
}

}  // namespace weft::bench
