/// MemoryX with each optimizer rule: its state, frozen tensors, and the same bits in all modes of operation.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "host/memoryx/tier.hpp"
#include "tests/memoryx/small_plan.hpp"

namespace weft::memoryx {
namespace {

const OptimizerOptions kRules[] = {{.rule = "AdamW", .weight_decay = 0.1},
                                   {.rule = "Adam", .weight_decay = 0.1},
                                   {.rule = "SGD", .weight_decay = 0.1},
                                   {.rule = "SGD", .momentum = 0.9, .nesterov = true, .weight_decay = 0.1},
                                   {.rule = "Lion", .weight_decay = 0.1}};

void train(MemoryX& memoryx, const compiler::Plan& plan, int steps, std::size_t part = 1 << 20) {
  for (std::uint64_t step = 0; step < static_cast<std::uint64_t>(steps); ++step) {
    memoryx.begin_step({.step = step, .micro_batches = 2, .passes = 2, .tokens = 100});
    for (std::size_t op = 0; op < plan.ops.size(); ++op) memoryx.streamed(op);
    add_gradients(plan, memoryx, step, part);
    memoryx.apply(step, 100);
  }
}

std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

TEST(Rules, TheBitsDependOnNeitherThreadsNorPartsNorTheTier) {
  const compiler::Plan plan = small_plan(80000);
  std::vector<std::uint64_t> hashes;
  for (const OptimizerOptions& rule : kRules) {
    for (const double clip : {0.0, 0.5}) {
      OptimizerOptions own = rule;
      own.max_gradient_norm = clip;
      MemoryX plain(plan, {.optimizer = own});
      train(plain, plan, 3);
      const std::uint64_t hash = plain.finish_update().hash;
      hashes.push_back(hash);
      plain.store();  // discards the results of the pass
      EXPECT_EQ(plain.hash(), hash);
      MemoryX threads(plan, {.optimizer = own, .threads = 3, .eager = true});
      train(threads, plan, 3, 777);
      EXPECT_EQ(threads.finish_update().hash, hash);
      if (clip == 0) continue;
      MemoryX tier(plan, {.optimizer = own, .threads = 2},
                   std::make_unique<TierStore>(plan.parameters, TierOptions{.dram = 900 << 10,
                                                                            .folder = std::filesystem::current_path(),
                                                                            .threads = 2,
                                                                            .moments = state_vectors(own)}));
      EXPECT_EQ(tier.moments(), state_vectors(own));
      train(tier, plan, 3, 50000);
      EXPECT_EQ(tier.finish_update().hash, hash);
    }
  }
  std::ranges::sort(hashes);
  EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());  // all rules differ
}

TEST(Rules, UnusedStateIsNotAllocated) {
  const compiler::Plan plan = small_plan(1000);
  for (const OptimizerOptions& rule : kRules) {
    MemoryX memoryx(plan, {.optimizer = rule});
    ParameterStore& store = memoryx.store();
    EXPECT_EQ(store.vectors().size(), 1U + static_cast<std::size_t>(state_vectors(rule)));
    EXPECT_EQ(store.first_moments().empty(), state_vectors(rule) < 1);
    EXPECT_EQ(store.second_moments().empty(), state_vectors(rule) < 2);
  }
  EXPECT_EQ(tier_bytes(1 << 20, 4096, 0), std::uint64_t{12} << 20);
  EXPECT_EQ(tier_bytes(1 << 20, 4096, 2), std::uint64_t{20} << 20);
}

/// Tensor "a" is frozen: it keeps its weights, has no moments, and its gradient does not count in the norm.
TEST(Rules, AFrozenTensorIsAsIfItHadNoGradient) {
  const compiler::Plan plan = small_plan(70000);
  for (const OptimizerOptions& rule : kRules) {
    OptimizerOptions own = rule;
    own.max_gradient_norm = 0.5;
    MemoryX frozen(plan, {.optimizer = own, .frozen = {"a"}}), all(plan, {.optimizer = own});
    const std::vector<float> before = copy(frozen.parameters());
    train(frozen, plan, 2);
    train(all, plan, 2);
    EXPECT_LT(frozen.finish_update().gradient_norm, all.finish_update().gradient_norm);
    ParameterStore& store = frozen.store();
    EXPECT_TRUE(std::ranges::equal(store.weights().first(70000), std::span(before).first(70000)));
    EXPECT_FALSE(std::ranges::equal(store.weights().subspan(70005), std::span(before).subspan(70005)));
    for (const auto& moments : {store.first_moments(), store.second_moments()})
      EXPECT_TRUE(std::ranges::all_of(moments.first(std::min<std::size_t>(70000, moments.size())),
                                      [](float m) { return m == 0; }));

    // Gradients with zeros for "a" and otherwise unchanged update the other tensors in the same way.
    MemoryX zeros(plan, {.optimizer = own});
    for (std::uint64_t step = 0; step < 2; ++step) {
      zeros.begin_step(2);
      std::mt19937_64 random(step);
      for (const std::size_t op : {1U, 2U, 2U, 1U}) {
        std::vector<std::int64_t> values;
        for (const auto& row : compiler::gradient_parameters(plan.ops[op])) {
          for (const std::uint64_t parameter : row) {
            const auto value = static_cast<std::int64_t>(random()) >> 24;
            values.push_back(parameter < 70000 ? 0 : value);
          }
        }
        zeros.add(op, 0, values);
      }
      zeros.apply(step, 100);
    }
    EXPECT_EQ(zeros.finish_update().gradient_norm, frozen.finish_update().gradient_norm);
    EXPECT_TRUE(std::ranges::equal(store.weights().subspan(70000), zeros.store().weights().subspan(70000)));
  }
}

TEST(Rules, ATensorMayBeSparedTheDecay) {
  const compiler::Plan plan = small_plan(100);
  for (const OptimizerOptions& rule : kRules) {
    OptimizerOptions without = rule;
    without.weight_decay = 0;
    MemoryX spared(plan, {.optimizer = rule, .no_decay = {"c"}}), decayed(plan, {.optimizer = rule}),
        none(plan, {.optimizer = without});
    for (MemoryX* one : {&spared, &decayed, &none}) train(*one, plan, 2);
    const auto same = [](MemoryX& x, MemoryX& y, std::size_t first, std::size_t count) {
      return std::ranges::equal(x.store().weights().subspan(first, count), y.store().weights().subspan(first, count));
    };
    EXPECT_TRUE(same(spared, decayed, 0, 105));
    EXPECT_TRUE(same(spared, none, 100, 105));
    EXPECT_FALSE(same(decayed, none, 105, 100));
  }
}

TEST(Rules, AVectorMayDecay) {
  const compiler::Plan plan = small_plan(100);
  for (const OptimizerOptions& rule : kRules) {
    MemoryX all(plan, {.optimizer = rule, .decay = {"b"}}), matrices(plan, {.optimizer = rule});
    for (MemoryX* one : {&all, &matrices}) train(*one, plan, 2);
    const auto same = [&](std::size_t first, std::size_t count) {
      return std::ranges::equal(all.store().weights().subspan(first, count),
                                matrices.store().weights().subspan(first, count));
    };
    EXPECT_TRUE(same(0, 100) && same(105, 100));
    EXPECT_FALSE(same(100, 5));
  }
}

}  // namespace
}  // namespace weft::memoryx
