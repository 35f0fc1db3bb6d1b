#include "tests/swarmx/simulated/swarm.hpp"

#include "tests/swarmx/simulated/simulation.hpp"

namespace weft::swarmx::simulated {

Ending run(std::uint64_t seed, const Shape& shape, int faults, milliseconds length, const Without& without) {
  return Simulation(seed, shape, without).run(faults, length);
}

Shape shape_of(std::uint64_t seed) {
  test::Rng rng(test::mix(seed ^ 0x5eed));
  Shape shape;
  shape.wafers = 1 + static_cast<int>(rng.below(6));
  shape.nodes = static_cast<int>(rng.below(static_cast<std::uint32_t>(shape.wafers) / 2 + 1));
  shape.micro_batches = 1 + rng.below(9);
  shape.steps = 2 + rng.below(2);
  if (rng.below(3) > 0) return shape;
  shape.parted = true;
  shape.memory = 1 + static_cast<int>(rng.below(3));
  shape.save_steps = 1 + rng.below(2);
  return shape;
}

}  // namespace weft::swarmx::simulated
