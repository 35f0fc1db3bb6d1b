/// A working folder with a parameter file, for tests of what is read from one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "tests/config/good_config.hpp"

namespace weft::config {

class ConfigTest : public testing::Test {
 protected:
  ConfigTest() {
    std::filesystem::create_directories(folder_ / "configs");
    start_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  ~ConfigTest() override {
    std::filesystem::current_path(start_);
    std::filesystem::remove_all(folder_);
  }

  Config load(const std::string& text, const std::vector<Override>& overrides = {}) {
    std::ofstream("configs/mine.yaml") << text;
    return load_config("configs/mine.yaml", overrides);
  }
  /// kGood with `from` replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    return text.replace(text.find(from), from.size(), to);
  }
  std::string message(const std::string& text, const std::vector<Override>& overrides = {}) {
    try {
      load(text, overrides);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "no error";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("weft_config_test_" + std::to_string(getpid()));
  std::filesystem::path start_;
};

}  // namespace weft::config
