/// Both configurations are certified as deadlock-free.
#include "host/config/config.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/config/file/load.hpp"
#include "host/inspect/check/check.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::deadlock {
namespace {

std::string checked(const std::string& file, int& code) {
  std::ostringstream out;
  code = inspect::check_command(config::load_config(WEFT_CONFIGS "/" + file, {}), {}, out);
  return out.str();
}

TEST(CheckConfig, CertifiesTheTinyOne) {
  int code = -1;
  const std::string text = checked("gpt_tiny.yaml", code);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("certified: no order"), std::string::npos) << text;
  std::cout << text;
}

/// Its short sibling is CertifiesTheTinyOne: more and longer kernels, the same rules.
TEST(CheckConfigLong, CertifiesTheSmallOne) {
  int code = -1;
  const std::string text = checked("gpt_small.yaml", code);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("certified: no order"), std::string::npos) << text;
  std::cout << text;
}

TEST(CheckConfig, ReplacesItsOwnFilesAndNoOthers) {
  test::TemporaryFolder folder;
  const config::Config config = config::load_config(WEFT_CONFIGS "/gpt_tiny.yaml", {});
  for (const std::string name : {"check.out", "check.dot"}) {
    std::ostringstream out;
    const std::string other = folder.write("mine.yaml", "model:\n");
    EXPECT_THROW(inspect::check_command(config, {{name, other}}, out), Refusal) << name;
    EXPECT_EQ(test::file_text(other), "model:\n");
    for (int time = 0; time < 2; ++time)
      EXPECT_EQ(inspect::check_command(config, {{name, folder / name}}, out), 0) << name;
  }
}

}  // namespace
}  // namespace weft::deadlock
