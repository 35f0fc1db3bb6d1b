#include "sw/base/json_fault.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/says.hpp"

namespace weft::test {
namespace {

TEST(JsonFault, HasThePlaceAndTheCauseAndNoBytesOfTheText) {
  EXPECT_EQ(json_fault(R"({"text": "a"})"), "");
  EXPECT_SAYS(json_fault(R"({"a": "x\ud800y"})"),
              "is not JSON at byte 15: invalid string: surrogate U+D800..U+DBFF must");
  EXPECT_EQ(json_fault("{\"a\": \"caf\xe9\"}"), "is not JSON at byte 12: invalid string: ill-formed UTF-8 byte");
  EXPECT_SAYS(json_fault("{\"a\": \"x\ty\"}"), "control character U+0009");
  EXPECT_SAYS(json_fault("{\n\"a\": 1,\n}"), "is not JSON at line 3, byte 1: ");
  EXPECT_SAYS(json_fault(""), "is not JSON at byte ");
  EXPECT_EQ(json_fault("1e999"), "is JSON with a number that is too large");
}

/// Python's json.loads accepts these numbers.
TEST(WithoutNan, NumbersThatJsonHasNotAreNull) {
  EXPECT_EQ(without_nan(R"({"a": NaN, "b": [-Infinity, Infinity], "NaN": "NaN \"Infinity\\"})"),
            R"({"a": null, "b": [null, null], "NaN": "NaN \"Infinity\\"})");
  for (const char* text : {"", "\\", "\"\\", "Na", "-Infinit"}) EXPECT_EQ(without_nan(text), text);
}

}  // namespace
}  // namespace weft::test
