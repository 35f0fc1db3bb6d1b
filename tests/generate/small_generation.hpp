/// A small GPT, trained and queried through the modes in this process.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "host/cli/modes/modes.hpp"
#include "host/config/file/load.hpp"
#include "tests/cli/program.hpp"

namespace weft::generate {

inline swarmx::MakeWafer wafers_of(const config::Config& config) {
  return
      [config](int) { return config.backend == "rtl" ? make_rtl_wafer(config.wafer) : make_model_wafer(config.wafer); };
}

struct Generated {
  std::string text, notes;
};

class Generate : public testing::Test {
 protected:
  Generate() { cli::write_small_run(folder_); }

  config::Config config(std::vector<config::Override> overrides) const {
    overrides.insert(overrides.begin(), {"runconfig.model_dir", folder_ / "out"});
    return config::load_config(folder_ / "mine.yaml", overrides);
  }
  void train(std::vector<config::Override> overrides = {}) const {
    overrides.push_back({"runconfig.max_steps", "200"});
    const config::Config c = config(overrides);
    std::ostringstream out;
    ASSERT_EQ(cli::run_mode(c, wafers_of(c), out), 0) << out.str();
  }
  Generated run(const std::string& prompt, int tokens, std::vector<config::Override> overrides = {}) const {
    overrides.insert(overrides.end(),
                     {{"runconfig.mode", "generate"}, {"runconfig.max_new_tokens", std::to_string(tokens)}});
    if (!prompt.empty()) overrides.push_back({"runconfig.prompt", prompt});
    const config::Config c = config(overrides);
    std::ostringstream out, notes;
    EXPECT_EQ(cli::generate(c, wafers_of(c), out, notes), 0);
    return {out.str(), notes.str()};
  }
  /// `length` characters of the corpus from `first` on, and a newline.
  std::string corpus(int first, int length) const {
    return test::file_text(folder_ / "corpus.txt").substr(static_cast<std::size_t>(first), length) + "\n";
  }

  const test::TemporaryFolder folder_;
};

}  // namespace weft::generate
