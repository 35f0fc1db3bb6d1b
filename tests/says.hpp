/// EXPECT_SAYS(text, part): expects an error message `text` to contain `part`; evaluates each once.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace weft::test {

inline ::testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "it says: " << text << "\nand not: " << part;
}

}  // namespace weft::test

#define EXPECT_SAYS(text, part) EXPECT_TRUE(::weft::test::says(text, part))
