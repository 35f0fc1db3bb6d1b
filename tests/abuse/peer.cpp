/// A tree of fake wafers whose root and wafers are processes of their own.
///
///   abuse_peer root WAFERS LOCAL STEPS    MemoryX, the tree and the first wafers; says where it listens for the others
///   abuse_peer leaf ID PORT PARENT        one of the others
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "tests/swarmx/fake.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kMicroBatches = 6;
constexpr int kSilence = 2;  // seconds until a peer that says nothing is given up

/// Where the tree has such a deadline.
template <class Options>
void set_silence(Options& options) {
  if constexpr (requires { options.silence; }) options.silence = std::chrono::seconds(kSilence);
}

int root(int wafers, int local, int steps) {
  const Plan plan = fake_plan();
  SwarmOptions options = fake_swarm(plan, wafers, 2, kMicroBatches, 1);
  options.local_wafers = local;
  options.timeout = std::chrono::seconds(3);
  set_silence(options);
  MemoryX memoryx(plan, {});
  Swarm swarm(plan, options);
  for (int id = local; id < wafers; ++id) {
    std::cout << "wafer " << id << " port " << swarm.port() << " parent "
              << "MemoryX" << std::endl;
  }
  for (int step = 1; step <= steps; ++step) {
    const StepResult result = swarm.step(static_cast<std::uint64_t>(step - 1), memoryx);
    std::cout << step << ' ' << std::fixed << result.loss << std::endl;
  }
  std::cout << "state " << memoryx.hash() << std::endl;
  return 0;
}

int leaf(int id, int port, const std::string& parent) {
  const Plan plan = fake_plan();
  const SwarmOptions options = fake_swarm(plan, id + 1, 2, kMicroBatches, 1);
  run_leaf(plan, {id, "127.0.0.1", static_cast<std::uint16_t>(port), parent, options.make_wafer});
  return 0;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  try {
    const std::string what = argc == 5 ? argv[1] : "";
    if (what == "root") return weft::root(std::stoi(argv[2]), std::stoi(argv[3]), std::stoi(argv[4]));
    if (what == "leaf") return weft::leaf(std::stoi(argv[2]), std::stoi(argv[3]), argv[4]);
    std::cerr << "abuse_peer: no such part. HINT: root or leaf.\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "swarm: " << e.what() << '\n';
    return 1;
  }
}
