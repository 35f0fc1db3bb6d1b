#include "sw/base/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "sw/base/double_double.hpp"

namespace weft::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Value {
  double x, result;
};
struct Power {
  double x, y, result;
};

// Computed to 110 decimal digits (Python's decimal) and rounded once. The first five of each list lie nearest to the
// midpoint between two doubles, among 2,500 random arguments.
const std::vector<Value> kLogs = {{0x1.045daeceab423p+15, 0x1.4d40753b0e967p+3},
                                  {0x1.4b404fa69fe9ep+12, 0x1.126a3730025f1p+3},
                                  {0x1.10a7f35fd675ap+12, 0x1.0c2f833017eap+3},
                                  {0x1.cfb793b8212ffp+15, 0x1.5fb8c51c4a0a3p+3},
                                  {0x1.2854f3abe9fcp+13, 0x1.2507e9791cac8p+3},
                                  {0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
                                  {0x1.fffffffffffffp-1, -0x1p-53},
                                  {0x1.ff7ced916872bp-1, -0x1.064670d979b73p-10},
                                  {0x1.04p+0, 0x1.fc0a8b0fc03e4p-7},
                                  {0x1.01297d23ab683p-995, -0x1.58d6a52bb2934p+9},
                                  {0x1.ab36d48e1acfp+1023, 0x1.62cd03a53c251p+9},
                                  {0x1.8p+6, 0x1.241e47e07a4f8p+2}};
const std::vector<Value> kExponentials = {{-0x1.3c9c4921e00d8p+1, 0x1.593e0c49072bap-4},
                                          {-0x1.0be18a167fa12p+4, 0x1.cc07e8085af94p-25},
                                          {-0x1.71f4011835394p+3, 0x1.3fc88bbbb2c5dp-17},
                                          {0x1.42ab0e26a7edp+2, 0x1.35767378b5cdfp+7},
                                          {-0x1.66d2d28a80f4ep+3, 0x1.c4cc15a3acb18p-17},
                                          {0x1.70ef54646d497p-57, 0x1p+0},
                                          {-0x1.62p+9, 0x1.7c8ab2288c9abp-1022},
                                          {0x1.62d999999999ap+9, 0x1.d75ae7a50ee14p+1023},
                                          {0x1p-1, 0x1.a61298e1e069cp+0},
                                          {0x1p+0, 0x1.5bf0a8b145769p+1}};
const std::vector<Power> kPowers = {{0x1.230d48e5ab6e8p-4, 0x1.ccccccccccccdp-1, 0x1.7b260651c3fb7p-4},
                                    {0x1.7855edd0f3b43p-1, 0x1.ccccccccccccdp-1, 0x1.8419df32a811bp-1},
                                    {0x1.4756756e09978p-1, 0x1.ccccccccccccdp-1, 0x1.565023fdfa334p-1},
                                    {0x1.a05080f841224p-1, 0x1.8p+1, 0x1.133f8e4832c99p-1},
                                    {0x1.6f324adbaf0cp-5, 0x1.8p+0, 0x1.36f743dd88da2p-7},
                                    {0x1p-1, 0x1.8p+1, 0x1p-3},
                                    {0x1.eb851eb851eb8p-1, 0x1.1p+4, 0x1.ff93af21fdc9ep-2},
                                    {0x1.388p+13, -0x1.5555555555555p-1, 0x1.1a62d511f2b54p-9},
                                    {0x1.388p+13, -0x1p-4, 0x1.1feb33c1c381ep-1},
                                    {0x1.0000000000001p+0, 0x1.c6bf52634p+49, 0x1.3fa60615291eep+0},
                                    {0x1.8p+1, -0x1.f4p+8, 0x1.6ec6477994116p-793}};
const std::vector<Value> kCosines = {{0x1.58978c2f3ac68p-1, 0x1.9059e11bd516ep-1},
                                     {0x1.e8a103723ad9fp+0, -0x1.5379111d1893fp-2},
                                     {0x1.80043eba631bdp+1, -0x1.fae2b110b3689p-1},
                                     {0x1.a7af8ed04db21p+0, -0x1.58953648d1d7ap-4},
                                     {0x1.598a1e11000c6p-2, 0x1.e320318605e99p-1},
                                     {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                     {0x1.921fb54442d18p+1, -0x1p+0},
                                     {0x1.12e0be826d695p-30, 0x1p+0},
                                     {0x1.999999999999ap-4, 0x1.fd712f9a817c1p-1},
                                     {0x1.6p+4, -0x1.fffadd8d4acdap-1},
                                     {0x1.63p+8, -0x1.fffffffc18e4cp-1},
                                     {0x1.e848p+19, 0x1.df9df9906d32cp-1},
                                     {0x1.fffep+15, 0x1.89eba92bf27c6p-3},
                                     {0x1.8p+34, -0x1.eec446ae2b4bbp-1}};
const std::vector<Value> kSines = {
    {0x1.ae2ef44d925f9p+0, 0x1.fced730358c0ep-1},  {0x1.7d1385058b24cp+1, 0x1.4f3f08e14d3b9p-3},
    {0x1.5804ffe50ed8p+0, 0x1.f2de5afef8e36p-1},   {0x1.f8c7c19b2e3f5p-2, 0x1.e4956e824f0cfp-2},
    {0x1.81dd064f5ba0dp+1, 0x1.0377f0d4dfc1p-3},   {0x1.921fb54442d18p+0, 0x1p+0},
    {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}, {0x1.56e1fc2f8f359p-997, 0x1.56e1fc2f8f359p-997},
    {0x1.999999999999ap-4, 0x1.98eaecb8bcb2cp-4},  {0x1.6p+4, -0x1.220a29f6eb9f4p-7},
    {0x1.63p+8, -0x1.f9bd0307d1de3p-16},           {0x1.e848p+19, -0x1.6664b2568d867p-2},
    {0x1.fffep+15, 0x1.f67090db1f5c3p-1},          {0x1.8p+34, 0x1.077027ceef387p-2}};

void expect_values(const std::vector<Value>& values, double (*function)(double)) {
  for (const Value& v : values) EXPECT_EQ(function(v.x), v.result) << std::hexfloat << v.x;
}

TEST(Elementary, FunctionsHaveTheCorrectlyRoundedBits) {
  expect_values(kLogs, rounded_log);
  expect_values(kExponentials, rounded_exp);
  expect_values(kCosines, rounded_cos);
  expect_values(kSines, rounded_sin);
  for (const Power& p : kPowers) EXPECT_EQ(rounded_pow(p.x, p.y), p.result) << std::hexfloat << p.x << " " << p.y;
}

/// The error of `value` in units in the last place; `exact` has more bits.
double distance(double value, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double unit = std::nextafter(std::fabs(nearest), kInfinity) - std::fabs(nearest);
  return std::fabs(static_cast<double>((static_cast<long double>(value) - exact) / unit));
}

TEST(Elementary, FunctionsAreWithinHalfAUnitOfTheLongerOnesOfThisSystem) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is double here";
  std::mt19937_64 random(7);
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * (static_cast<double>(random() >> 11) * 0x1p-53);
  };
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = uniform(0, 1), large = uniform(0, 1e5), power = uniform(0, 4);
    worst = std::max({worst, distance(rounded_log(x), std::log(static_cast<long double>(x))),
                      distance(rounded_log(large), std::log(static_cast<long double>(large))),
                      distance(rounded_exp(20 * x - 10), std::exp(static_cast<long double>(20 * x - 10))),
                      distance(rounded_cos(3 * x), std::cos(static_cast<long double>(3 * x))),
                      distance(rounded_sin(large), std::sin(static_cast<long double>(large))),
                      distance(rounded_pow(x, power), std::pow(static_cast<long double>(x), power))});
  }
  EXPECT_LT(worst, 0.5 + 0x1p-9);
}

TEST(Elementary, EndsOfTheirRangesAreThoseOfTheCLibrary) {
  EXPECT_EQ(rounded_log(0), -kInfinity);
  EXPECT_EQ(rounded_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(rounded_log(-1)));
  EXPECT_TRUE(std::isnan(rounded_log(std::nan(""))));
  EXPECT_EQ(rounded_log(1), 0);
  EXPECT_EQ(rounded_exp(0), 1);
  EXPECT_EQ(rounded_exp(710), kInfinity);
  EXPECT_EQ(rounded_exp(-1e300), 0);
  EXPECT_EQ(rounded_pow(0, 0), 1);
  EXPECT_EQ(rounded_pow(0, 3), 0);
  EXPECT_EQ(rounded_pow(0, -3), kInfinity);
  EXPECT_EQ(rounded_pow(1e300, 1e300), kInfinity);
  EXPECT_EQ(rounded_pow(0.5, 1e300), 0);
  EXPECT_EQ(rounded_pow(0.3, 2), 0.3 * 0.3);
  EXPECT_EQ(rounded_cos(0), 1);
  EXPECT_FALSE(std::signbit(rounded_sin(0)));
  EXPECT_EQ(rounded_sin(-0.5), -rounded_sin(0.5));
  EXPECT_EQ(rounded_cos(-100), rounded_cos(100));
}

TEST(Elementary, TheFasterLogarithmIsWithinAFewUlp) {
  for (double x = 1e-17; x < 2; x *= 1.01)
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-16 * (std::fabs(std::log(x)) + 1e-3));
}

TEST(Elementary, TheFasterExponentialIsWithinAFewUlp) {
  for (double x = -699; x < 50; x += 0.0137) EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-15) << x;
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1e30), 0);
}

TEST(Elementary, DoubleDoublesAreExactWhereTheirBitsSuffice) {
  constexpr DoubleDouble third = DoubleDouble{1, 0} / DoubleDouble{3, 0};
  constexpr DoubleDouble one = third * 3;
  static_assert(third.high == 1.0 / 3 && third.low != 0, "made at compile time");
  EXPECT_EQ(one.high, 1);
  EXPECT_LT(std::fabs(one.low), 0x1p-104);
  const DoubleDouble square = exact_product(1 + 0x1p-52, 1 + 0x1p-52);
  EXPECT_EQ(square.high, 1 + 0x1p-51);
  EXPECT_EQ(square.low, 0x1p-104);
}

/// True for sources of tables and pictures that are only displayed and affect no run.
bool shows_only(const std::string& file) {
  return file.starts_with("host/inspect/profile/") || file == "host/metrics/report.cpp" ||
         file == "verif/trace/gtkw.cpp";
}

TEST(Elementary, NoOtherSourceCallsAFunctionThatCLibrariesRoundInTheirOwnWays) {
  namespace fs = std::filesystem;
  const std::regex calls(
      R"(std::(((a?(cos|sin|tan)h?|atan2|exp(2|m1)?|log(2|10|1p)?|pow|cbrt|hypot|erfc?|[lt]gamma)[fl]?\()|)"
      R"(\w+_distribution|(ranges::)?shuffle))");
  int files = 0;
  for (const char* folder : {"host", "sw", "verif"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE) / folder)) {
      const std::string ending = entry.path().extension(), name = fs::relative(entry.path(), WEFT_SOURCE);
      if ((ending != ".cpp" && ending != ".hpp") || shows_only(name)) continue;
      ++files;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        const std::string code = line.substr(0, line.find("//"));
        std::smatch found;
        if (code.find("std::") == std::string::npos || !std::regex_search(code, found, calls)) continue;
        ADD_FAILURE() << name << ":" << number << ": " << found.str() << " HINT: use sw/base/elementary.hpp";
      }
    }
  }
  EXPECT_GT(files, 500);
}

}  // namespace
}  // namespace weft::test
