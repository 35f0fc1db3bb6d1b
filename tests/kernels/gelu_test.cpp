/// GELU in its tanh form, forward and backward.
#include <numbers>

#include "tests/kernels/cases.hpp"
#include "tests/kernels/near.hpp"

namespace weft::kernels {
namespace {

const double kC1 = std::sqrt(2 / std::numbers::pi), kC2 = 0.044715 * kC1;

/// tanh(c1 u + c2 u^3), and the tolerance of the kernel's value: the square, the constants, the inner sum and the
/// product are each rounded, and the table has an error.
struct Tanh {
  explicit Tanh(double u) : value(std::tanh(kC1 * u + kC2 * u * u * u)) {
    error = (1 - value * value) * 4 * kRound * std::abs(kC1 * u + kC2 * u * u * u) + kTable * std::abs(value);
  }
  double value, error;
};

/// Estimates the error of a constant, which roundings hide in single values, but not in all of them: least squares of
/// the errors over the change that a change of the constant makes to each value.
class Constant {
 public:
  Constant(const char* name, double value) : name_(name), value_(value) {}
  void operator()(double error, double derivative) {
    ++count_;
    xy_ += error * derivative, xx_ += derivative * derivative;
  }
  ~Constant() {
    if (count_ <= 500) return;  // too few for an estimate
    EXPECT_LE(std::abs(xy_ / xx_ / value_), 0.04) << name_ << " is " << value_ + xy_ / xx_;
  }

 private:
  const char* name_;
  double value_, xy_ = 0, xx_ = 0;
  int count_ = 0;
};

class Gelu : public KernelTest {
 protected:
  void check_forward(const std::string& op, int u_address) {
    stage.before(op);
    const Array u = stage.array(stage.spaces.filter, u_address);
    stage.step();
    const Array g = stage.array(stage.spaces.filter, stage.memory.gelu);
    Near near(op);
    Constant cubic("the cubic term's constant", kC2);
    for (int t = 0; t < u.tokens; ++t) {
      for (int f = 0; f < u.features; ++f) {
        const double x = u.at(t, f);
        const Tanh tanh(x);
        const double expected = x / 2 * (1 + tanh.value);
        near(g.at(t, f), expected, 1.02 * (std::abs(x) / 2 * tanh.error + kRound * std::abs(expected)), t, f);
        cubic(g.at(t, f) - expected, x / 2 * (1 - tanh.value * tanh.value) * x * x * x);
      }
    }
  }
};

TEST_P(Gelu, ForwardAndAgainBeforeBackward) {
  const auto layers = static_cast<std::size_t>(stage.plan.model.layers);
  for (std::size_t l = 0; l < layers; ++l)
    check_forward("h." + std::to_string(l) + ".mlp.gelu", stage.memory.layers[l].u);
  for (std::size_t l = layers; l-- > 0;)
    check_forward("h." + std::to_string(l) + ".mlp.gelu.again", stage.memory.layers[l].u);
}

TEST_P(Gelu, BackwardMultipliesByTheSlope) {
  for (int l = stage.plan.model.layers - 1; l >= 0; --l) {
    stage.before("h." + std::to_string(l) + ".mlp.gelu.dx");
    const Array u = stage.array(stage.spaces.filter, stage.memory.layers[l].u);
    const Array dg = stage.array(stage.spaces.filter, stage.memory.dgelu);
    stage.step();
    const Array du = stage.array(stage.spaces.filter, stage.memory.dgelu);
    Near near("d gelu");
    Constant cubic("the constant of the cubic term's slope", 3 * kC2);
    for (int t = 0; t < u.tokens; ++t) {
      for (int f = 0; f < u.features; ++f) {
        const double x = u.at(t, f);
        const Tanh tanh(x);
        const double inner = x / 2 * (kC1 + 3 * kC2 * x * x), rest = 1 - tanh.value * tanh.value;
        const double slope = (1 + tanh.value) / 2 + inner * rest;
        // `inner` has four roundings (square, constants, sum, product), `rest` one, the slope one, the product one.
        const double slope_error = 5 * kRound * std::abs(inner) * rest +
                                   (2 * std::abs(inner * tanh.value) + 0.5) * tanh.error + kRound * std::abs(slope);
        near(du.at(t, f), dg.at(t, f) * slope,
             1.02 * (std::abs(dg.at(t, f)) * slope_error + kRound * std::abs(dg.at(t, f) * slope)), t, f);
        cubic(du.at(t, f) - dg.at(t, f) * slope, dg.at(t, f) * rest * x / 2 * x * x);
      }
    }
  }
}

WEFT_KERNEL_CASES(Gelu);

}  // namespace
}  // namespace weft::kernels
