/// rtl/weft_wafer.sv as a single top with 24 colors, more than the bits of a machine word in a router, and queues of
/// two messages.
#include <gtest/gtest.h>

#include "Vweft_wafer_2x1v1c24.h"
#include "tests/cosim/flat_run.hpp"

namespace weft::cosim {
namespace {

TEST(FlatShapes, TwentyFourColorsHaveTheReplicatedWafersCycles) {
  compare<Vweft_wafer_2x1v1c24>({.rows = 2, .cols = 1, .lanes = 2, .colors = 24});
}

}  // namespace
}  // namespace weft::cosim
