/// Random compositions of the operations of networks, op by op, on the functional model and the RTL: every word at the
/// wafer's edge and every PE's memory, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>

#include "tests/cosim/op_by_op.hpp"
#include "tests/network/random_case.hpp"
#include "weft_lanes.hpp"

namespace weft::cosim {
namespace {

void compositions_agree(unsigned count, unsigned first_seed) {
  const std::string file = testing::TempDir() + "compositions_on_rtl_" + std::to_string(count) + ".yaml";
  unsigned done = 0;
  for (unsigned seed = first_seed; done < count && !testing::Test::HasFailure(); ++seed) {
    ASSERT_LT(seed - first_seed, 4 * count + 10) << "most compositions are rejected";
    network::RandomCase of(seed, network::RandomNetwork::Form::Composition);
    if (!rtl_has(of.wafer.lanes)) of.wafer.lanes = 4;
    of.model.layers = std::min(of.model.layers, 2), of.model.filter = 3 + of.model.filter % 10;  // the RTL is slow
    const auto plan = of.compile_if_valid(file);
    if (!plan) continue;
    std::cout << done << ": seed " << seed << std::endl;
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << of.network.text);
    agrees_op_by_op(*plan, seed);
    ++done;
  }
  std::filesystem::remove(file);
}

TEST(Compositions, ThreeRandomOnesAgreeOpByOp) { compositions_agree(3, 1001); }
TEST(CompositionsLong, FortyRandomOnesAgreeOpByOp) { compositions_agree(40, 1); }

}  // namespace
}  // namespace weft::cosim
