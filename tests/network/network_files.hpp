/// Fixture of tests that write the files of networks, and compare their gradients with the reference.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/network/against_reference.hpp"
#include "tests/network/third.hpp"

namespace weft::network {

class Networks : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(third_) << kThird;
    // A gelu input that is not kept makes the backward pass recompute a linear.
    std::string text = kThird;
    text.replace(text.find("keep: [x, u]"), 12, "keep: [x]");
    std::ofstream(again_) << text;
  }
  void TearDown() override { std::filesystem::remove(third_), std::filesystem::remove(again_); }

  // A unique name, since tests run in parallel.
  const std::string own_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string third_ = own_ + ".yaml", again_ = own_ + "_again.yaml";
};

}  // namespace weft::network
