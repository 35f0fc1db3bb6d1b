/// A fake wafer as a process of its own, to be stopped and killed: swarmx_leaf ID PORT
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/swarmx/fake.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const weft::Plan plan = weft::fake_plan();
  const weft::SwarmOptions fake = weft::fake_swarm(plan, 1, 2, 1, 0);
  weft::LeafOptions leaf{.id = std::atoi(argv[1]), .make_wafer = fake.make_wafer};
  leaf.port = static_cast<std::uint16_t>(std::atoi(argv[2]));
  leaf.silence = std::chrono::seconds(1);
  try {
    weft::run_leaf(plan, leaf);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
