/// Contents of the two kinds of cases.
#include <algorithm>

#include "verif/random/plan.hpp"

namespace weft::random {

namespace {

void begin(Case& c, std::uint64_t seed, std::uint64_t number, Rng& rng, const Machines& machines) {
  c.seed = seed, c.number = number;
  c.shape.colors = machines.colors;
  c.shape.general = machines.general;
  c.shape.lanes = machines.lanes[static_cast<std::size_t>(rng.below(static_cast<int>(machines.lanes.size())))];
  c.takes = rng.any({100, 100, 50, 10, 2});
  c.offers = rng.any({100, 100, 100, 60, 15});
  // At least 128 words; rarely the whole address space, where addresses wrap.
  const int least = std::max(1, c.shape.lanes / 4);
  c.shape.sram_kib = rng.weighted({8, 3, 1}) == 0 ? least : rng.chance(75) ? least + rng.below(3) : 128;
}

int valves(Rng& rng, int rows) { return rng.chance(50) ? 1 : rng.between(1, rows); }

/// Adds a step to a program, by its index in the lists of weights below.
void step(Plan& plan, int kind) {
  switch (kind) {
    case 0:
      return plan.private_step();
    case 1:
      return plan.weights_step();
    case 2:
      return plan.stream_step();
    case 3:
      return plan.forward_step();
    case 4:
      return plan.row_step();
    case 5:
      return plan.handoff_step();
    case 6:
      return plan.change_state();
    default:
      return plan.lost_step();
  }
}

}  // namespace

Case make_program_case(std::uint64_t seed, std::uint64_t number, const Machines& machines) {
  Case c;
  Rng rng = rng_of(seed, number);
  begin(c, seed, number, rng, machines);
  c.shape.rows = rng.any({1, 1, 1, 2, 2, 3});
  c.shape.cols = rng.any({1, 1, 1, 2, 2, 3});
  c.shape.valves = valves(rng, c.shape.rows);
  const bool alike = rng.chance(35);
  Plan plan(c, rng, alike, machines.depth);
  c.items.push_back({Item::Kind::Load, {}, kFrame});
  const auto routes = [&] { plan.set_routes(alike ? kernel_routes(c.shape) : any_routes(rng, c.shape, 25)); };
  routes();
  plan.fill_memories(rng.between(1, 5));
  const int tiles = alike ? 1 : c.shape.rows * c.shape.cols;
  for (int calls = rng.between(1, 5); calls > 0 && !plan.full(); --calls) {
    plan.begin_call();
    for (int steps = rng.between(2, 5 + 4 * tiles); steps > 0 && !plan.full(); --steps) {
      step(plan, rng.weighted({40, 10, 8, 4, 5, 6, 8, 1}));
    }
    if (rng.chance(6)) plan.illegal_step();
    const bool settle = rng.chance(50);
    plan.end_call(settle);
    if (rng.chance(25)) plan.odd_commands(settle);
    if (settle && rng.chance(10)) {
      plan.reset();
      routes();
    } else if (settle && !alike && rng.chance(25)) {
      routes();
    }
  }
  c.items.push_back({Item::Kind::Settle, {}, kFrame});
  plan.finish();
  return c;
}

Case make_fabric_case(std::uint64_t seed, std::uint64_t number, const Machines& machines) {
  Case c;
  Rng rng = rng_of(~seed, number);
  begin(c, seed, number, rng, machines);
  c.fabric = true;
  c.shape.rows = rng.between(1, 4);
  c.shape.cols = rng.between(1, 4);
  c.shape.valves = valves(rng, c.shape.rows);
  Plan plan(c, rng, false, machines.depth);
  c.items.push_back({Item::Kind::Load, {}, kFrame});
  const auto routes = [&] { plan.set_routes(any_routes(rng, c.shape, 10)); };
  routes();
  plan.fill_memories(2);
  for (int calls = rng.between(1, 3); calls > 0 && !plan.full(); --calls) {
    plan.begin_call();
    for (int steps = rng.between(10, 20 + 6 * c.shape.rows * c.shape.cols); steps > 0 && !plan.full(); --steps) {
      step(plan, rng.weighted({3, 3, 60, 20, 8, 0, 0, 1}));
    }
    plan.end_call(true);
    if (rng.chance(50)) routes();
  }
  c.items.push_back({Item::Kind::Settle, {}, kFrame});
  plan.finish();
  return c;
}

}  // namespace weft::random
