#include "host/swarmx/protocol/slow_part.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

TEST(SlowPart, IsFoundFromWhatTheMemberReports) {
  const std::string times = "a micro-batch takes 1.3 s, others take 0.02 s";
  const auto text = [](const Load& load, std::optional<double> busy = {}) { return slow_part(load, busy, 1.3, 0.02); };
  EXPECT_EQ(text({}), times);
  EXPECT_EQ(text({.known = true}), times);
  EXPECT_EQ(text({.silence = 100, .known = true}, 0.9), "its compute is busy 90 % of its time; " + times);
  EXPECT_EQ(text({.silence = 100, .known = true}, 0.03), "its link keeps it waiting 97 % of its time; " + times);
  EXPECT_EQ(text({.ran = 50, .silence = 900, .known = true}, 0.9), "its process runs 5 % of the time; " + times);
  EXPECT_EQ(text({.silence = 3100, .known = true}, 0.9), "its process has sent nothing for 3.1 s; " + times);
}

TEST(SlowPart, AReportSurvivesItsEncoding) {
  const Load load = Load::decoded(Load{.busy = 0x87654321, .ran = 1000, .silence = 70000, .known = true}.encoded());
  EXPECT_EQ(load.busy, 0x87654321U);
  EXPECT_EQ(load.ran, 1000U);
  EXPECT_EQ(load.silence, 70000U);
  EXPECT_TRUE(load.known);
  EXPECT_FALSE(Load::decoded(Load().encoded()).known);
  EXPECT_EQ(Load::decoded(Load{.ran = 5000}.encoded()).ran, 1000U) << "a peer may send anything";
}

}  // namespace
}  // namespace weft::swarmx
