/// A plan of three tensors, and steps of it with random gradients.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/listed_stream.hpp"

namespace weft::memoryx {

/// Three tensors; op 1 returns the gradients of the first two in two uneven rows, op 2 those of the third and again of
/// the first (as the output head adds to the embedding's).
inline compiler::Plan small_plan(std::uint32_t size) {
  compiler::Plan plan;
  const auto n = static_cast<int>(size);
  plan.tensors = {{"a", {n}, 0, size, true, 0.02F, 0},
                  {"b", {5}, size, 5, false, 0, 1.0F},
                  {"c", {n}, size + 5, size, true, 0.02F, 0}};
  plan.parameters = 2 * size + 5;
  plan.ops.resize(3);
  plan.ops[0].tensors = {2, 0};
  std::vector<std::vector<std::uint64_t>> first(2), second(2);
  for (std::uint32_t i = 0; i < size + 5; ++i) first[i % 3 == 0 ? 0 : 1].push_back(i);
  for (std::uint32_t i = 0; i < size; ++i) second[0].push_back(size + 5 + i);
  for (std::uint32_t i = 0; i < size; ++i) second[1].push_back(i);
  compiler::return_gradients(plan.ops[1], first);
  compiler::return_gradients(plan.ops[2], second);
  return plan;
}

/// Adds the gradients of one step, `part` words per call: op 1 and op 2 twice each.
inline void add_gradients(const compiler::Plan& plan, MemoryX& memoryx, std::uint64_t step, std::size_t part) {
  std::mt19937_64 random(step);
  for (const std::size_t op : {1U, 2U, 2U, 1U}) {
    std::vector<std::int64_t> values;
    for (const auto& row : compiler::gradient_parameters(plan.ops[op])) {
      for (std::size_t i = 0; i < row.size(); ++i) values.push_back(static_cast<std::int64_t>(random()) >> 24);
    }
    for (std::size_t at = 0; at < values.size(); at += part) {
      memoryx.add(op, at, std::span(values).subspan(at, std::min(part, values.size() - at)));
    }
  }
}

/// Trains four steps and returns the hash of the resulting state.
inline std::uint64_t train(const compiler::Plan& plan, unsigned threads, std::size_t part, double* norm = nullptr,
                           std::unique_ptr<ParameterStore> store = nullptr, double clip = 0.5) {
  MemoryXOptions options;
  options.threads = threads;
  options.optimizer.max_gradient_norm = clip;
  options.optimizer.weight_decay = 0.1;
  MemoryX memoryx(plan, options, std::move(store));
  for (std::uint64_t step = 0; step < 4; ++step) {
    memoryx.begin_step(2);
    add_gradients(plan, memoryx, step, part);
    memoryx.apply(step, 100);
    memoryx.wait(plan.ops[0].tensors);
  }
  if (norm != nullptr) *norm = memoryx.finish_update().gradient_norm;
  return memoryx.hash();
}

}  // namespace weft::memoryx
