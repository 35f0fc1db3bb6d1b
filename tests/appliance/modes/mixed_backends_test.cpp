/// Wafers of several backends in one run: the same bits.
#include <gtest/gtest.h>

#include "host/appliance/modes/backend.hpp"
#include "tests/appliance/modes/small_trainer.hpp"

namespace weft {
namespace {

std::vector<std::uint64_t> train(const std::string& backend, const std::string& wafers, const std::string& check) {
  SmallTrainer run({{"wafer.backend", backend}, {"runconfig.num_csx", wafers}, {"wafer.check", check}});
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
  SmallTrainer run({{"wafer.backend", "model,rtl"}, {"runconfig.num_csx", "3"}});
  const auto is_model = [&](int id) { return !make_wafer(run.config(), id)->row_beats().empty(); };
  EXPECT_TRUE(is_model(0));
  EXPECT_FALSE(is_model(1));
  EXPECT_TRUE(is_model(2));
}

}  // namespace
}  // namespace weft
