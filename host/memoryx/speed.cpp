/// Benchmark of MemoryX's loops on this machine: memoryx_speed [million elements] [threads].
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/flush.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/shard_pass.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/state_hash.hpp"

namespace {

template <class F>
double seconds(const F& work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace weft;
  const std::size_t n = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 32) * 1000000;
  const unsigned threads = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 1;
  compiler::Plan plan;
  plan.parameters = n;
  plan.tensors.push_back({"t", {static_cast<int>(n)}, 0, n, true, 0.02F, 0});
  memoryx::Pool pool(threads);
  const auto store = memoryx::make_dram_store(n);
  const auto report = [&](const char* what, std::size_t bytes, double s) {
    std::printf("%-28s %6.0f million elements/s  %5.1f GB/s\n", what, static_cast<double>(n) / s / 1e6,
                static_cast<double>(n * bytes) / s / 1e9);
  };
  std::printf("%zu elements, %u threads\n", n, threads);
  report("initialise", 12, seconds([&] { memoryx::initialise(plan.tensors, 1, pool, *store); }));

  // A part of a gradient, as it is converted to fixed point and added in the tree: stays in the cache.
  std::vector<std::uint32_t> words(32768, 0x3A123456);
  std::vector<std::int64_t> part(words.size());
  std::vector<std::int64_t> sum(words.size());
  std::size_t bad = 0;
  report("fp32 to fixed point", 12, seconds([&] {
           for (std::size_t i = 0; i < n / words.size(); ++i) bad += memoryx::to_fixed(words, part);
         }));
  report("add fixed point", 24, seconds([&] {
           for (std::size_t i = 0; i < n / words.size(); ++i) bad += memoryx::add_fixed(sum, part);
         }));

  memoryx::ExactSum exact(plan);
  for (std::size_t i = 0; i < n; ++i) exact.sums()[i] = static_cast<std::int64_t>(i * 7919 % 1000003) << 20;
  double norm = 0;
  report("norm of the gradient", 8, seconds([&] { norm = memoryx::ExactSum::norm(exact.squares(0x1p-40, pool)); }));
  std::atomic<int> left = 0;
  const auto rule = [&](const char* name, const memoryx::OptimizerOptions& options) {
    const auto step = memoryx::make_optimizer_step(options, 10, 1e-3, 0x1p-40);
    const auto some = [&](int number, std::span<float> moments, std::size_t begin, std::size_t size) {
      return number <= memoryx::state_vectors(options) ? moments.subspan(begin, size) : std::span<float>();
    };
    report(name, 24 + 8 * static_cast<std::size_t>(memoryx::state_vectors(options)), seconds([&] {
             memoryx::for_each_shard(n, pool, [&](std::size_t begin, std::size_t end) {
               const memoryx::FlushToZero flush;
               const std::size_t size = end - begin;
               left += !step->update({.decay = true,
                                      .weights = store->weights().subspan(begin, size),
                                      .first = some(1, store->first_moments(), begin, size),
                                      .second = some(2, store->second_moments(), begin, size),
                                      .sums = exact.sums().shard(begin / memoryx::kShard)});
             });
           }));
  };
  rule("Adam", {.rule = "Adam", .weight_decay = 0.1});
  rule("SGD", {.rule = "SGD", .weight_decay = 0.1});
  rule("SGD with momentum", {.rule = "SGD", .momentum = 0.9, .weight_decay = 0.1});
  rule("Lion", {.rule = "Lion", .weight_decay = 0.1});
  rule("AdamW", {.weight_decay = 0.1});
  const auto step = memoryx::make_optimizer_step({.weight_decay = 0.1}, 10, 1e-3, 0x1p-40);
  const memoryx::ShardPass pass(plan);
  report("all three in one pass", 40, seconds([&] {
           memoryx::for_each_shard(n, pool, [&](std::size_t begin, std::size_t) {
             const memoryx::FlushToZero flush;
             left +=
                 !pass.run(begin / memoryx::kShard, *step, 0x1p-40, *store, exact.sums().shard(begin / memoryx::kShard))
                      .within;
           });
         }));
  std::uint64_t hash = 0;
  report("state hash", 12, seconds([&] { hash = memoryx::state_hash(*store, pool); }));
  std::printf("(norm %g, hash %016llx, %zu converted, %d beyond)\n", norm, static_cast<unsigned long long>(hash), bad,
              left.load());
}
