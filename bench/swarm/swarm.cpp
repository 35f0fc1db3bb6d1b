/// Throughput of the swarm between two processes, frames down to a member's wafer and exact sums up, against plain Asio
/// coroutines that move the same bytes with the same checksums, alternating.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "bench/benches.hpp"
#include "bench/common/processes.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "bench/swarm/swarm_pair.hpp"

namespace weft::bench {
namespace {

constexpr int kPairTimes = 9;
constexpr double kPairShare = 0.8;

struct Way {
  std::string name;
  double bytes;
  std::function<double(Pair&)> go;  // returns seconds
};

}  // namespace

void swarm() {
  heading("swarm: two processes, frames down to a wafer's thread and exact sums up, over plain Asio in turn");
  const auto plain = make_plain_pair(), open = make_swarm_pair(no_key()), sealed = make_swarm_pair(some_key());
  const std::array<Way, 2> ways{{{"65,536 weights a frame down", 1.0 * kDownBytes * kPairLayers * kDownRounds,
                                  [](Pair& pair) { return pair.down(); }},
                                 {"32,768 gradients a frame up", 2.0 * kUpBytes * kPairLayers * kUpRounds,
                                  [](Pair& pair) { return pair.up(); }}}};
  for (const Way& way : ways) {
    std::array<std::vector<double>, 3> times;
    for (int time = 0; time <= kPairTimes; ++time) {
      const std::array<double, 3> taken{way.go(*plain), way.go(*open), way.go(*sealed)};
      for (std::size_t k = 0; time > 0 && k < 3; ++k) times[k].push_back(taken[k]);  // the first run is a warm-up
    }
    const double by_plain = median(times[0]), by_open = median(times[1]), by_sealed = median(times[2]);
    fact(way.name + ", plain Asio", way.bytes / by_plain / 1e9, "GB/s");
    fact(way.name + ", the swarm", way.bytes / by_open / 1e9, "GB/s");
    goal(way.name + ", the swarm over plain Asio", by_plain / by_open, "times", kPairShare);
    fact(way.name + ", with a key over plain Asio", by_plain / by_sealed, "times");
  }
}

}  // namespace weft::bench
