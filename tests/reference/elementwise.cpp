#include "tests/reference/elementwise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace weft::reference {
namespace {

const double kTanhScale = std::sqrt(2 / std::numbers::pi);
constexpr double kTanhCubic = 0.044715;

double normal_distribution(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

const Elementwise kFunctions[] = {
    {"gelu",
     [](double x, double, double) { return x / 2 * (1 + std::tanh(kTanhScale * (x + kTanhCubic * x * x * x))); },
     [](double x, double, double) {
       const double t = std::tanh(kTanhScale * (x + kTanhCubic * x * x * x));
       return (1 + t) / 2 + x / 2 * (1 - t * t) * kTanhScale * (1 + 3 * kTanhCubic * x * x);
     }},
    {"gelu_erf", [](double x, double, double) { return x * normal_distribution(x); },
     [](double x, double, double) { return normal_distribution(x) + x * normal_density(x); }},
    {"product", [](double x, double x2, double) { return x * x2; }, [](double, double x2, double) { return x2; },
     [](double x, double, double) { return x; }},
    {"relu", [](double x, double, double) { return x > 0 ? x : 0; },
     [](double x, double, double) { return x > 0 ? 1.0 : 0.0; }},
    {"scale", [](double x, double, double by) { return x * by; }, [](double, double, double by) { return by; }},
    {"silu", [](double x, double, double) { return x * logistic(x); },
     [](double x, double, double) { return logistic(x) * (1 + x * logistic(-x)); }},
    {"tanh", [](double x, double, double) { return std::tanh(x); },
     [](double x, double, double) { return 1 / std::cosh(x) / std::cosh(x); }},
};

}  // namespace

const Elementwise& elementwise(const std::string& name) {
  const auto at = std::ranges::find(kFunctions, name, &Elementwise::name);
  if (at == std::end(kFunctions)) throw std::out_of_range("the reference has no function " + name);
  return *at;
}

}  // namespace weft::reference
