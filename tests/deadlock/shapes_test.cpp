/// Random valid models on random meshes are certified.
#include <gtest/gtest.h>

#include <chrono>

#include "sw/compiler/compile.hpp"
#include "sw/deadlock/check.hpp"
#include "tests/shapes/job.hpp"

namespace weft::deadlock {
namespace {

void certify(int jobs, const test::Range& range) {
  test::Rng rng(test::test_seed());
  std::uint64_t steps = 0;
  for (int i = 0; i < jobs; ++i) {
    const test::Job job = test::random_legal_job(rng, range);
    SCOPED_TRACE(testing::Message() << job);
    const Result result = check(input_of(compiler::compile(job.model, job.wafer, test::job_mask(job))));
    ASSERT_TRUE(result.certified()) << result.phases.back().name << ": " << result.phases.back().problem;
    for (const auto& phase : result.phases) steps += phase.steps;
  }
  std::cout << jobs << " shapes, " << steps << " steps verified\n";
}

/// The exchange and the sums of rows that share keys pass through all rows of a group.
TEST(CheckShapes, CertifiesRowsThatShareKeys) {
  const compiler::ModelShape model{
      .vocab = 20, .hidden = 16, .layers = 1, .heads = 1, .filter = 20, .seq = 36, .micro_batch = 1};
  for (const auto& [rows, cols] : {std::pair(4, 3), std::pair(16, 3), std::pair(4, 5)}) {
    compiler::ModelShape shared = model;
    shared.attention = "shared";
    const Result result =
        check(input_of(compiler::compile(shared, {.rows = rows, .cols = cols, .sequence_columns = 3})));
    EXPECT_TRUE(result.certified()) << rows << " rows, " << cols << " columns, " << result.phases.back().name << ": "
                                    << result.phases.back().problem;
  }
}

TEST(CheckShapes, CertifiesTwentyLegalOnes) { certify(20, {12, 8, true, 1e6}); }
TEST(CheckShapesLong, CertifiesAHundredLegalOnes) { certify(100, {12, 8, true, 1e6}); }
TEST(CheckShapesLong, CertifiesLargerOnes) { certify(100, test::kForModel); }
TEST(CheckShapesLong, CertifiesLargeMeshes) { certify(10, test::kForLargeMeshes); }

}  // namespace
}  // namespace weft::deadlock
