/// Wafers of several backends in one run give the same bits.
#include <gtest/gtest.h>

#include "host/backends/backend.hpp"
#include "tests/cli/modes/small_trainer.hpp"

namespace weft::backends {
namespace {

std::vector<std::uint64_t> train(const std::string& backend, const std::string& wafers, const std::string& check) {
  cli::SmallTrainer run({{"wafer.backend", backend}, {"runconfig.num_csx", wafers}, {"wafer.check", check}});
  return run.train([&](int id) { return make_wafer(run.config(), id); });
}

TEST(MixedBackends, TrainTheSameBits) {
  const auto alone = train("model", "1", "none");
  EXPECT_NE(alone[0], alone[1]);
  EXPECT_EQ(train("model,rtl", "2", "none"), alone);
  EXPECT_EQ(train("rtl,model", "2", "none"), alone);
}

TEST(MixedBackends, ASecondWaferThatAgreesChangesNothing) {
  const auto alone = train("model", "1", "none");
  EXPECT_EQ(train("model", "1", "rtl"), alone);
  EXPECT_EQ(train("rtl", "2", "model"), alone);
}

TEST(MixedBackends, EachWaferIsOfTheBackendWhoseTurnItIs) {
  cli::SmallTrainer run({{"wafer.backend", "model,rtl"}, {"runconfig.num_csx", "3"}});
  const auto is_model = [&](int id) { return !make_wafer(run.config(), id)->row_beats().empty(); };
  EXPECT_TRUE(is_model(0));
  EXPECT_FALSE(is_model(1));
  EXPECT_TRUE(is_model(2));
}

/// With documents, kernels load values that differ from column to column: the number of a key's document.
TEST(MixedBackends, DocumentsAskForNoMoreThreadsThanTheModelCanShareThemAmong) {
  const auto of_threads = [](const char* threads, const char* document_end) {
    cli::SmallTrainer run({{"wafer.threads", threads}, {"model.document_end", document_end}});
    return run.train([&](int id) { return make_wafer(run.config(), id); });
  };
  const auto alone = of_threads("1", "0");
  EXPECT_NE(of_threads("1", "-1"), alone);
  EXPECT_EQ(of_threads("2", "0"), alone);
}

}  // namespace
}  // namespace weft::backends
