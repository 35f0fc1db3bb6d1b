// Edges made without eval() give the same state as eval(), with this build's version of Verilator.
#include "verif/sim/clock_edge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>

#include "Vweft_router.h"
#include "Vweft_router___024root.h"
#include "verilated.h"

WEFT_CLOCKED(Vweft_router)

namespace weft::sim {
namespace {

struct Router {
  explicit Router(VerilatedContext& context, const char* name) : model(std::make_unique<Vweft_router>(&context, name)) {
    first_edge_in_reset(*model);
  }
  Vweft_router___024root& root() { return *model->rootp; }

  std::unique_ptr<Vweft_router> model;
};

/// Sets all bits of a port of any kind.
template <class Port>
void randomize(Port& port, std::mt19937_64& rng, std::size_t bytes) {
  std::memset(&port, 0, sizeof port);
  const std::uint64_t bits = rng() & rng();
  std::memcpy(&port, &bits, std::min({bytes, sizeof port, sizeof bits}));
}

/// Messages of three colors, with routes for them: some inputs break the contract of a link, which both models handle
/// alike.
void change_inputs(Vweft_router___024root& root, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  root.valid_i = static_cast<CData>(rng() & rng() & 31);
  root.route_we_i = rng() % 4 == 0;
  const std::uint64_t color = rng() % 3, port = rng() % 5, outputs = 1u << rng() % 5;
  root.route_i = static_cast<std::decay_t<decltype(root.route_i)>>(color << 11 | port << 8 | outputs);
  for (unsigned p = 0; p < 5; ++p) root.msg_i[p] = (rng() % 3) << 32 | (rng() & 0xffffffff);
  randomize(root.credit_i, rng, 3);
}

template <class Port>
bool same(const Port& a, const Port& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void expect_same_outputs(const Vweft_router___024root& a, const Vweft_router___024root& b, int cycle) {
  ASSERT_EQ(a.valid_o, b.valid_o) << "cycle " << cycle;
  ASSERT_EQ(a.busy_o, b.busy_o) << "cycle " << cycle;
  ASSERT_EQ(a.awake_o, b.awake_o) << "cycle " << cycle;
  ASSERT_EQ(a.empty_o, b.empty_o) << "cycle " << cycle;
  ASSERT_EQ(a.no_route_o, b.no_route_o) << "cycle " << cycle;
  ASSERT_TRUE(same(a.msg_o, b.msg_o)) << "cycle " << cycle;
  ASSERT_TRUE(same(a.credit_o, b.credit_o)) << "cycle " << cycle;
}

TEST(ClockEdge, ARouterClockedDirectlyDoesWhatEvalDoes) {
  VerilatedContext context;
  context.threads(1);  // otherwise the context has a pool of threads, which start while the next model is made
  Router direct(context, "direct"), evaluated(context, "evaluated");
  unsigned sent = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    change_inputs(direct.root(), static_cast<std::uint64_t>(cycle));
    change_inputs(evaluated.root(), static_cast<std::uint64_t>(cycle));
    if (cycle % 3 == 0) {
      follow_inputs(*direct.model, direct.root());
      evaluated.model->eval();
      expect_same_outputs(direct.root(), evaluated.root(), cycle);
    }
    clock_edge(*direct.model, direct.root());
    edge_by_eval(*evaluated.model, evaluated.root());
    expect_same_outputs(direct.root(), evaluated.root(), cycle);
    if (HasFatalFailure()) return;
    sent += direct.root().valid_o != 0;
  }
  EXPECT_GT(sent, 100u);  // messages have moved
}

TEST(ClockEdge, ThisVerilatorsModelsAreClockedDirectly) {
#ifdef WEFT_DIRECT_EDGE
  EXPECT_TRUE(DirectlyClocked<Vweft_router___024root>);
#else
  GTEST_SKIP() << "CMake did not find the functions of an edge: simulation is slower";
#endif
}

// The trigger sets of three generations of Verilator.
struct Of5006 {
  bool& at(std::size_t) { return flag; }
  void set(const Of5006&) {}
  bool flag = false;
};
class Of5020 {
 public:
  void set(std::size_t index, bool value) { bits_ = std::uint64_t{value} << index; }
  std::uint64_t word(std::size_t) const { return bits_; }

 private:
  bool at(std::size_t) const { return bits_ != 0; }
  std::uint64_t bits_ = 0;
};
struct Unknown {
  void raise() {}
};

TEST(ClockEdge, TheFirstTriggerIsSetInEachGenerationOfVerilator) {
  Of5006 oldest;
  set_first_trigger(oldest);
  EXPECT_TRUE(oldest.flag);
  Of5020 middle;
  set_first_trigger(middle);
  EXPECT_EQ(middle.word(0), 1u);
  std::uint64_t newest[1] = {};
  set_first_trigger(newest);
  EXPECT_EQ(newest[0], 1u);
  EXPECT_FALSE(FirstTriggerCanBeSet<Unknown>);
}

struct UnknownRoot {
  Unknown __VicoTriggered, __VnbaTriggered;
  int clk_i = 0;
};
struct Counted {
  void eval() { ++evals; }
  int evals = 0;
};
void never(UnknownRoot*) { FAIL() << "what only a known Verilator has was called"; }

TEST(ClockEdge, AnUnknownVerilatorIsClockedByEval) {
  Counted model;
  UnknownRoot root;
  edge_by(model, root, never, never);
  EXPECT_EQ(model.evals, 2);
  EXPECT_EQ(root.clk_i, 1);
  follow_by(model, root, never);
  EXPECT_EQ(model.evals, 3);
}

}  // namespace
}  // namespace weft::sim
