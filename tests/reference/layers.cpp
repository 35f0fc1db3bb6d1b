#include "tests/reference/layers.hpp"

#include <cmath>
#include <numbers>

namespace weft::reference {
namespace {

const double kGelu = std::sqrt(2 / std::numbers::pi);
constexpr double kCubic = 0.044715;

struct Moments {
  double mean, inverse_std;
};

Moments moments(Const row, double eps, bool centers) {
  double mean = 0, var = 0;
  if (centers)
    for (double x : row) mean += x / static_cast<double>(row.size());
  for (double x : row) var += (x - mean) * (x - mean) / static_cast<double>(row.size());
  return {mean, 1 / std::sqrt(var + eps)};
}

}  // namespace

Values linear(Const x, Const w, Const b, int in, int out) {
  const std::size_t tokens = x.size() / in;
  Values y(tokens * out);
  for (std::size_t t = 0; t < tokens; ++t) {
    for (int o = 0; o < out; ++o) y[t * out + o] = b.empty() ? 0 : b[o];
    for (int i = 0; i < in; ++i) {
      for (int o = 0; o < out; ++o) y[t * out + o] += x[t * in + i] * w[i * out + o];
    }
  }
  return y;
}

void linear_backward(Const x, Const w, Const dy, int in, int out, Grad dx, Grad dw, Grad db) {
  const std::size_t tokens = x.size() / in;
  for (std::size_t t = 0; t < tokens; ++t) {
    for (int i = 0; i < in; ++i) {
      for (int o = 0; o < out; ++o) {
        dx[t * in + i] += dy[t * out + o] * w[i * out + o];
        dw[i * out + o] += dy[t * out + o] * x[t * in + i];
      }
    }
    for (int o = 0; o < out && !db.empty(); ++o) db[o] += dy[t * out + o];
  }
}

Values layer_norm(Const x, Const w, Const b, double eps, bool centers) {
  const std::size_t n = w.size();
  Values y(x.size());
  for (std::size_t at = 0; at < x.size(); at += n) {
    const Moments m = moments(x.subspan(at, n), eps, centers);
    for (std::size_t i = 0; i < n; ++i)
      y[at + i] = (x[at + i] - m.mean) * m.inverse_std * w[i] + (b.empty() ? 0 : b[i]);
  }
  return y;
}

void layer_norm_backward(Const x, Const w, Const dy, double eps, Grad dx, Grad dw, Grad db, bool centers) {
  const std::size_t n = w.size();
  for (std::size_t at = 0; at < x.size(); at += n) {
    const Moments m = moments(x.subspan(at, n), eps, centers);
    double sum = 0, dot = 0;  // over g = dy * w, and g * normalized
    for (std::size_t i = 0; i < n; ++i) {
      const double normalized = (x[at + i] - m.mean) * m.inverse_std;
      dw[i] += dy[at + i] * normalized;
      if (!db.empty()) db[i] += dy[at + i];
      if (centers) sum += dy[at + i] * w[i];
      dot += dy[at + i] * w[i] * normalized;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double normalized = (x[at + i] - m.mean) * m.inverse_std;
      dx[at + i] += m.inverse_std * (dy[at + i] * w[i] - (sum + normalized * dot) / static_cast<double>(n));
    }
  }
}

Values gelu(Const x) {
  Values y;
  for (double v : x) y.push_back(v / 2 * (1 + std::tanh(kGelu * (v + kCubic * v * v * v))));
  return y;
}

void gelu_backward(Const x, Const dy, Grad dx) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x[i], t = std::tanh(kGelu * (v + kCubic * v * v * v));
    dx[i] += dy[i] * ((1 + t) / 2 + v / 2 * (1 - t * t) * kGelu * (1 + 3 * kCubic * v * v));
  }
}

}  // namespace weft::reference
