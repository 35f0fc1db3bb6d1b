#include "host/backends/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace weft::backends {
namespace {

config::Config config(int cols, int num_csx, int threads = 0) {
  config::Config config;
  config.wafer = {.rows = 2, .cols = cols, .lanes = 4, .sram_kib = 1};
  config.runconfig.num_csx = num_csx;
  config.wafer_threads = threads;
  return config;
}

TEST(Backend, ThreadsAreAsManyAsAskedForButOneAColumn) {
  EXPECT_EQ(model_threads(config(5, 8, 3)), 3);
  EXPECT_EQ(model_threads(config(2, 8, 3)), 2);
}

TEST(Backend, GenerateHasOneWaferHoweverManyThereAre) {
  config::Config many = config(128, 1000);
  many.runconfig.mode = "generate";
  EXPECT_EQ(model_threads(many), model_threads(config(128, 1)));
}

TEST(Backend, ThreadsShareTheCores) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  EXPECT_EQ(model_threads(config(128, 1)), std::min(cores, 32));
  EXPECT_EQ(model_threads(config(128, cores)), 1);
  EXPECT_EQ(model_threads(config(128, 1000)), 1);
}

TEST(Backend, ThreadsWantWork) {
  EXPECT_EQ(model_threads(config(1, 1)), 1);
  EXPECT_EQ(model_threads(config(7, 1)), 1);
  EXPECT_LE(model_threads(config(8, 1)), 2);
}

config::Config rtl_config(int side, int num_csx, int threads = 0) {
  config::Config c = config(side, num_csx, threads);
  c.wafer.rows = side;
  return c;
}

TEST(Backend, RtlHasAThreadForThirtyTwoTilesIfThereAreCores) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  EXPECT_EQ(rtl_threads(rtl_config(4, 1)), 1);
  EXPECT_EQ(rtl_threads(rtl_config(7, 1)), 1);
  EXPECT_EQ(rtl_threads(rtl_config(8, 1)), std::min(cores, 2));
  EXPECT_EQ(rtl_threads(rtl_config(16, 1)), std::min(cores, 8));
  EXPECT_EQ(rtl_threads(rtl_config(8, cores)), 1) << "wafers use the cores already";
  EXPECT_EQ(rtl_threads(rtl_config(8, 1000)), 1);
}

TEST(Backend, RtlHasTheThreadsThatAreAskedForButOneARow) {
  EXPECT_EQ(rtl_threads(rtl_config(4, 8, 3)), 3);
  EXPECT_EQ(rtl_threads(rtl_config(4, 8, 9)), 4);
}

TEST(Backend, IsTheOneThatIsNamed) {
  config::Config c = config(2, 1, 2);
  EXPECT_TRUE(make_wafer(c)->row_beats().size() == 2);  // the RTL counts only the total
  c.backend = "rtl";
  EXPECT_TRUE(make_wafer(c)->row_beats().empty());
}

}  // namespace
}  // namespace weft::backends
