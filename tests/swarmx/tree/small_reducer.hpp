/// A reducer with a few wafers below it, and the frames that they contribute.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/reducer.hpp"
#include "tests/swarmx/contributed.hpp"

namespace weft::swarmx::reducer {

using Values = std::vector<std::int64_t>;
using MicroBatches = std::vector<std::uint32_t>;

/// Three ops: gradients of 3 words and 1 word, and a loss.
inline compiler::Plan plan() {
  compiler::Plan plan;
  plan.model = {.seq = 4, .micro_batch = 2};
  plan.ops.resize(3);
  plan.ops[0].returns = compiler::Returns::Loss;
  for (const std::size_t op : {1U, 2U}) plan.ops[op].returns = compiler::Returns::Gradient;
  plan.ops[1].returned = {2, 1};
  plan.ops[2].returned = {1};
  plan.forward_ops = 1;
  return plan;
}

/// The contribution of `micro_batches` to step 3, pass 1.
inline Frame frame(FrameType type, std::uint32_t op, const MicroBatches& micro_batches, const Values& values) {
  Frame frame{.type = type, .step = 3, .pass = 1, .op = op};
  return carry(frame, micro_batches, values);
}
/// Wafer w has micro-batch 10 + w.
inline Frame of_wafer(std::uint32_t wafer, FrameType type, std::uint32_t op, const Values& values) {
  return frame(type, op, {10 + wafer}, values);
}

inline Frame begin_frame(const Pass& pass, std::uint32_t number = 1) {
  Frame begin{.type = FrameType::Begin, .step = 3, .pass = number};
  return begin.carry(encode_pass(pass));
}

/// `count` wafers as children, all with a task in step 3, pass 1; the tasks of those in `unmerged` are unmerged.
inline Reducer reducer_of(std::uint32_t count, const std::set<std::uint32_t>& unmerged = {}) {
  Reducer reducer(plan());
  Pass pass;
  for (std::uint32_t w = 0; w < count; ++w) {
    EXPECT_EQ(reducer.join("wafer " + std::to_string(w), {w}, true), w);
    pass.tasks.push_back({w, 10 + w, unmerged.contains(w)});
  }
  EXPECT_EQ(reducer.begin(begin_frame(pass)).size(), count);
  return reducer;
}

template <class Action>
void says(Action action, const std::string& text) {
  try {
    action();
    ADD_FAILURE() << "nothing thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

inline Contributed only(const std::vector<Frame>& up) {
  EXPECT_EQ(up.size(), 1U);
  return up.empty() ? Contributed{} : contributed(up.front());
}

}  // namespace weft::swarmx::reducer
