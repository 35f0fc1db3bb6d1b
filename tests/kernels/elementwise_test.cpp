/// Element-wise kernels on all bf16 inputs, compared with the functions in doubles.
#include "tests/reference/elementwise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel_sources.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/network/function.hpp"
#include "tests/kernels/near.hpp"
#include "verif/wafer.hpp"

namespace weft::kernels {
namespace {

constexpr int kT = 128, kFeatures = 98, kAtOnce = 4;  // features: some are left for the loop of single ones
constexpr int kCount = 1;                             // address of the number of features
constexpr int kArray = kT * kFeatures, kFirst = kT;
constexpr double kTiny = 0x1p-120;  // results below may be flushed on the way
constexpr double kBy = 0.3;

double as_double(std::uint16_t bits) { return as_float(widen(bits)); }

/// One PE with the kernels of a function: x, x2, and y or dy in arrays one behind the other, then dx2 and scratch.
class Pe {
 public:
  explicit Pe(const std::string& function) {
    std::vector<assembler::Source> sources;
    for (const assembler::Source& source : kKernelSources)
      if (source.name.ends_with("/shape.s") || source.name.ends_with("/features.s") ||
          source.name.ends_with("/" + function + ".s"))
        sources.push_back(source);
    program_ = assembler::assemble(
        sources, {{"T", kT}, {"VLT", kT / shape_.lanes}, {"AT_ONCE", kAtOnce}, {"CNT_FILTER", kCount}});
    wafer_->feed(compiler::route_messages(shape_));
    wafer_->feed(compiler::program_messages(program_));
    wafer_->feed(std::array{machine::Message::select()});
    write(kCount, {kFeatures});
  }

  void write(int address, const std::vector<std::uint16_t>& values) {
    command(machine::Command::Maddr, 0, address);
    for (const std::uint16_t v : values) command(machine::Command::Mdata, 0, v);
  }
  /// Calls a kernel, then returns the array at `result`.
  std::vector<std::uint16_t> call(const std::string& name, int result) {
    const assembler::Kernel* const kernel = program_.kernel(name);
    const std::uint16_t hi = nearest_bf16(kBy), lo = nearest_bf16(kBy - as_double(hi));
    const std::map<std::string, int> values = {
        {"x", kFirst},     {"x2", kX2},           {"y", kY},  {"dy", kY}, {"dx2", kDx2},
        {"count", kCount}, {"scratch", kScratch}, {"hi", hi}, {"lo", lo}};
    for (const assembler::Parameter& p : kernel->parameters)
      command(machine::Command::Setreg, p.reg, values.at(p.name));
    command(machine::Command::Call, 0, kernel->address);
    wafer_->settle();
    EXPECT_EQ(wafer_->flags(), "");
    const auto sram = wafer_->sram(0, 0);
    return {sram.begin() + result, sram.begin() + result + kArray};
  }

  static constexpr int kX2 = kFirst + kArray, kY = kX2 + kArray, kDx2 = kY + kArray, kScratch = kDx2 + kArray;

 private:
  void command(machine::Command code, int reg, int value) {
    const machine::Message m =
        machine::Message::command(code, static_cast<std::uint8_t>(reg), static_cast<std::uint16_t>(value));
    wafer_->feed({&m, 1});
  }

  const machine::WaferShape shape_{.rows = 1, .cols = 1, .sram_kib = 128};
  const std::unique_ptr<Wafer> wafer_ = make_model_wafer(shape_);
  assembler::Program program_;
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Relative error of 1 / (1 + e), e being a table's value with a relative error: the sum is rounded for the table.
double logistic_error(double s, double of_exponential) { return (1 - s) * of_exponential + kRound + kTable; }

/// The fitted polynomial of gelu_erf: error of P alone.
constexpr double kFit = 1.7e-4, kFitOfValue = 1.1e-4;

/// Relative error of P(x) of gelu_erf without its fit: the square, both sums and the exponent are rounded.
double distribution_error(double x, double p) {
  const double w = std::min(x * x, 16.0), c1 = 0.07470703125, c2 = 0.000713348388671875,
               q = 1.59375 + w * c1 - w * w * c2;
  const double h = std::abs(x) * q, of_h = std::abs(x) * kRound * (w * c1 + 2 * w * w * c2) + 2 * kRound * h;
  return logistic_error(p, kTable + of_h * (1 + of_h));
}

constexpr double kSaturated = 100;  // no function's error changes beyond it, except in proportion to its value

/// Error of a function's value, and of its gradient for a derivative of 1.
double value_error(const std::string& f, double x, double y) {
  x = std::clamp(x, -kSaturated, kSaturated);
  if (f == "relu") return 0;
  if (f == "tanh") return kTable * std::abs(y);
  if (f == "silu") return std::abs(y) * (logistic_error(logistic(x), kTable) + kRound);
  if (f == "scale") return std::abs(y) * (kRound + 0x1p-15);
  if (f == "product") return std::abs(y) * kRound;
  if (f != "gelu_erf") throw std::out_of_range("the errors of " + f + " are missing");
  const double p = std::erfc(-x / std::numbers::sqrt2) / 2;
  return kFitOfValue + std::abs(y) * (distribution_error(x, p) + kRound);
}
double slope_error(const std::string& f, double x, double slope) {
  x = std::clamp(x, -kSaturated, kSaturated);
  if (f == "relu") return 0;
  if (f == "tanh") {
    const double t = std::tanh(x);
    return 2 * kTable * t * t * (1 + kTable) + 3 * kRound * slope;
  }
  if (f == "silu") {
    const double s = logistic(x), of_s = logistic_error(s, kTable), inner = std::abs(x) * s * logistic(-x);
    return inner * (kTable + of_s + kRound) + std::abs(slope) * (3 * kRound + of_s);
  }
  if (f == "scale") return std::abs(slope) * (kRound + 0x1p-15);
  if (f == "product") return std::abs(slope) * kRound;
  if (f != "gelu_erf") throw std::out_of_range("the errors of " + f + " are missing");
  const double p = std::erfc(-x / std::numbers::sqrt2) / 2, exponent = x * x / 2 + 0.92,
               bell = std::abs(x) * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  return kFit + bell * (std::expm1(2 * kRound * exponent) + kTable) + p * distribution_error(x, p) +
         2 * kRound * std::abs(slope);
}

class Elementwise : public testing::TestWithParam<std::string> {
 protected:
  /// All finite bf16 with 8 bits, and zeros: parts of kArray, the last filled up with zeros.
  static std::vector<std::vector<std::uint16_t>> inputs() {
    std::vector<std::vector<std::uint16_t>> parts;
    for (int bits = 0; bits < 0x10000; ++bits) {
      const int exponent = bits >> 7 & 0xff;
      if (exponent == 0xff || (exponent == 0 && (bits & 0x7f) != 0)) continue;
      if (parts.empty() || parts.back().size() == kArray) parts.emplace_back();
      parts.back().push_back(static_cast<std::uint16_t>(bits));
    }
    parts.back().resize(kArray);
    return parts;
  }
  static std::vector<std::uint16_t> random(unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<std::uint16_t> values(kArray);
    for (std::uint16_t& v : values) v = nearest_bf16(normal(engine));
    return values;
  }
  /// Compares with a tolerance, unless the result is beyond bf16's range.
  static void check(Near& near, std::uint16_t got, double expected, double tolerance, int at) {
    if (std::abs(expected) > 3.3e38) return;
    near(as_double(got), expected, 1.02 * tolerance + kTiny, at % kT, at / kT);
  }
};

TEST_P(Elementwise, FollowsTheFunctionForAllInputs) {
  const reference::Elementwise& f = reference::elementwise(GetParam());
  Pe pe(f.name);
  Near near(f.name);
  const std::vector<std::uint16_t> x2 = random(1);
  pe.write(Pe::kX2, x2);
  for (const std::vector<std::uint16_t>& x : inputs()) {
    pe.write(kFirst, x);
    const std::vector<std::uint16_t> y = pe.call(f.name, Pe::kY);
    for (int n = 0; n < kArray; ++n) {
      const double in = as_double(x[n]), expected = f.value(in, as_double(x2[n]), kBy);
      check(near, y[n], expected, value_error(f.name, in, expected), n);
    }
  }
}

TEST_P(Elementwise, GradientFollowsTheSlopeForAllInputs) {
  const reference::Elementwise& f = reference::elementwise(GetParam());
  Pe pe(f.name);
  Near near(f.name + "_back");
  const std::vector<std::uint16_t> x2 = random(1), dy = random(2);
  pe.write(Pe::kX2, x2);
  for (const std::vector<std::uint16_t>& x : inputs()) {
    pe.write(kFirst, x), pe.write(Pe::kY, dy);
    const std::vector<std::uint16_t> dx = pe.call(f.name + "_back", Pe::kY);
    for (int n = 0; n < kArray; ++n) {
      const double in = as_double(x[n]), slope = f.slope(in, as_double(x2[n]), kBy), d = as_double(dy[n]);
      check(near, dx[n], d * slope, std::abs(d) * slope_error(f.name, in, slope), n);
    }
    if (f.slope2 == nullptr) continue;
    pe.write(Pe::kY, dy);
    const std::vector<std::uint16_t> dx2 = pe.call(f.name + "_back", Pe::kDx2);
    for (int n = 0; n < kArray; ++n) {
      const double expected = as_double(dy[n]) * f.slope2(as_double(x[n]), as_double(x2[n]), kBy);
      check(near, dx2[n], expected, std::abs(expected) * kRound, n);
    }
  }
}

/// All functions but gelu, which has a test of its own.
std::vector<std::string> functions() {
  std::vector<std::string> names;
  for (const auto& function : network::built_in_functions())
    if (function->name != "gelu") names.push_back(function->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(, Elementwise, testing::ValuesIn(functions()), [](const auto& info) { return info.param; });

/// An infinite input, and one far outside of the table's range, give no NaN where the function has a limit.
TEST(ElementwiseLimits, AreOfSaturatingFunctions) {
  for (const std::string name : {"silu", "gelu_erf", "relu"}) {
    Pe pe(name);
    std::vector<std::uint16_t> x(kArray), dy(kArray, kOneBf16);
    x[0] = nearest_bf16(3e38), x[1] = nearest_bf16(-3e38), x[2] = nearest_bf16(-100), x[3] = 0x7f80;
    pe.write(kFirst, x);
    const std::vector<std::uint16_t> y = pe.call(name, Pe::kY);
    EXPECT_EQ(y[0], x[0]) << name;
    EXPECT_EQ(as_double(y[1]), 0) << name;
    EXPECT_EQ(as_double(y[2]), 0) << name;
    EXPECT_EQ(y[3], x[3]) << name;
    pe.write(Pe::kY, dy);
    const std::vector<std::uint16_t> dx = pe.call(name + "_back", Pe::kY);
    EXPECT_EQ(as_double(dx[0]), 1) << name;
    EXPECT_NEAR(as_double(dx[1]), 0, 1e-30) << name;
    EXPECT_NEAR(as_double(dx[2]), 0, 1e-30) << name;
  }
}

}  // namespace
}  // namespace weft::kernels
