/// A micro-batch of a plan on the functional model and the RTL at once, op by op: every word at the wafer's edge and
/// every PE's memory, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "verif/cosim/cosim_wafer.hpp"

namespace weft::cosim {

/// Random parameters and tokens of the seed. A mismatch names the op.
inline void agrees_op_by_op(const compiler::Plan& plan, unsigned seed) {
  const auto parameters = compiler::random_parameters(plan, seed);
  const auto wafer = make_cosim_wafer("model", make_model_wafer(plan.wafer), "rtl", make_rtl_wafer(plan.wafer));
  const auto inputs = compiler::random_inputs(plan, seed + 1);
  const auto labels = compiler::random_labels(plan, plan.model.micro_batch, seed + 2);
  wafer->feed(plan.load);
  wafer->feed(plan.tokens(inputs, labels, 1, &compiler::kDropped));
  std::vector<std::uint64_t> totals(static_cast<std::size_t>(plan.wafer.rows), 0);
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    SCOPED_TRACE(op.name);
    compiler::expand(op, parameters, messages);
    wafer->feed(messages);
    for (std::size_t r = 0; r < totals.size(); ++r) totals[r] += op.returned[r];
    ASSERT_NO_THROW(wafer->await(totals); wafer->settle());
    ASSERT_EQ(wafer->flags(), "");
  }
}

}  // namespace weft::cosim
