/// Both configurations are certified.
#include "host/appliance/config/config.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/look/check/check.hpp"

namespace weft {
namespace {

std::string checked(const std::string& file, int& code) {
  std::ostringstream out;
  code = check_command(load_config(WEFT_CONFIGS "/" + file, {}), {}, out);
  return out.str();
}

TEST(CheckConfig, CertifiesTheTinyOne) {
  int code = -1;
  const std::string text = checked("gpt_tiny.yaml", code);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("certified: no order"), std::string::npos) << text;
  std::cout << text;
}

TEST(CheckConfig, CertifiesTheSmallOne) {
  int code = -1;
  const std::string text = checked("gpt_small.yaml", code);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("certified: no order"), std::string::npos) << text;
  std::cout << text;
}

}  // namespace
}  // namespace weft
