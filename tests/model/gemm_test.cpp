/// A whole sparse GEMM with its partial-sum ring.
#include "tests/model/gemm.hpp"

namespace weft::model {
namespace {

TEST(Gemm, EqualsThePlainEvaluationForManyShapes) {
  const struct {
    int rows, cols, tokens, lanes;
  } cases[] = {{2, 1, 4, 4}, {4, 4, 32, 4}, {3, 2, 20, 4}, {8, 3, 12, 4}, {2, 5, 64, 4}, {2, 3, 16, 2}, {3, 2, 32, 8}};
  for (const auto& c : cases) {
    SCOPED_TRACE(testing::Message() << c.rows << "x" << c.cols << ", " << c.tokens << " tokens, " << c.lanes
                                    << " lanes");
    Gemm gemm({.rows = c.rows, .cols = c.cols, .lanes = c.lanes}, c.tokens, 12, 10, 0.5, 7);
    Rig rig(gemm.shape);
    gemm.load(rig);
    rig.pending.insert(rig.pending.end(), gemm.stream.begin(), gemm.stream.end());
    rig.go();
    gemm.check(rig);
  }
}

TEST(Gemm, DoesNotDependOnHowTheStreamIsCut) {
  for (const std::size_t chunk : {1, 2, 7, 100}) {
    Gemm gemm({.rows = 4, .cols = 2}, 16, 12, 10, 0.5, 3);
    Rig rig(gemm.shape);
    gemm.load(rig);
    rig.pending.insert(rig.pending.end(), gemm.stream.begin(), gemm.stream.end());
    rig.go(chunk);
    gemm.check(rig);
  }
}

TEST(Gemm, CountsBeatsAndMultiplyAdds) {
  Gemm gemm({.rows = 4, .cols = 2}, 16, 12, 10, 0.5, 3);
  Rig rig(gemm.shape);
  gemm.load(rig);
  rig.feed();
  rig.pending = gemm.stream;
  rig.go();
  const std::uint64_t weights = gemm.stream.size() - gemm.outputs;
  const auto counted = rig.wafer->counters();
  EXPECT_EQ(counted.fma_lanes, weights * 16 * 2);
  EXPECT_EQ(counted.beats, weights * 4 * 2 + gemm.outputs * 4 * 2 * (2 * 4 + 2 * 4));  // copy and reset, add and add
}

}  // namespace
}  // namespace weft::model
