#include "host/swarmx/root/stall_meter.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <thread>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST(StallMeter, SeesWorkThatHoldsUpTheThread) {
  boost::asio::io_context io{1};
  StallMeter meter(io.get_executor());
  meter.start();
  boost::asio::post(io, [] { std::this_thread::sleep_for(150ms); });
  io.run_for(200ms);
  EXPECT_GE(meter.longest(), 0.09) << "150 ms, less the interval";
  meter.begin();
  std::this_thread::sleep_for(120ms);
  EXPECT_GE(meter.longest(), 0.06) << "a stall that still lasts counts";
  meter.stop();
  io.restart();
  EXPECT_GE(io.run(), 1U) << "nothing is left to do after stop()";
}

}  // namespace
}  // namespace weft::swarmx
