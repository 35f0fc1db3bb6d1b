#include "bench/plain/layers.hpp"

#include <algorithm>
#include <cmath>

namespace weft::bench::plain {
namespace {

constexpr float kGelu1 = 0.7978845608F;  // sqrt(2 / pi)
constexpr float kGelu3 = 0.044715F;

float dot(const float* __restrict a, const float* __restrict b, int size) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

void axpy(float a, const float* __restrict x, float* __restrict y, int size) {
  for (int i = 0; i < size; ++i) y[i] += a * x[i];
}

}  // namespace

void multiply(const float* x, const float* w, float* y, int rows, int in, int out) {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < in; ++i) axpy(x[r * in + i], w + i * out, y + r * out, out);
}

void multiply_transposed(const float* x, const float* w, float* y, int rows, int in, int out) {
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < out; ++o) y[r * out + o] += dot(x + r * in, w + o * in, in);
}

void multiply_outer(const float* x, const float* y, float* w, int rows, int in, int out) {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < in; ++i) axpy(x[r * in + i], y + r * out, w + i * out, out);
}

void add_bias(const float* bias, float* y, int rows, int size) {
  for (int r = 0; r < rows; ++r) axpy(1, bias, y + r * size, size);
}

void sum_rows(const float* dy, float* dbias, int rows, int size) {
  for (int r = 0; r < rows; ++r) axpy(1, dy + r * size, dbias, size);
}

void layer_norm(const float* x, const float* weight, const float* bias, float* y, float* xhat, float* rstd, int rows,
                int size, float eps) {
  for (int r = 0; r < rows; ++r, x += size, y += size, xhat += size) {
    float mean = 0, variance = 0;
#pragma omp simd reduction(+ : mean)
    for (int i = 0; i < size; ++i) mean += x[i];
    mean /= static_cast<float>(size);
#pragma omp simd reduction(+ : variance)
    for (int i = 0; i < size; ++i) variance += (x[i] - mean) * (x[i] - mean);
    rstd[r] = 1 / std::sqrt(variance / static_cast<float>(size) + eps);
    for (int i = 0; i < size; ++i) {
      xhat[i] = (x[i] - mean) * rstd[r];
      y[i] = xhat[i] * weight[i] + bias[i];
    }
  }
}

void layer_norm_backward(const float* dy, const float* weight, const float* xhat, const float* rstd, float* dx,
                         float* dweight, float* dbias, int rows, int size) {
  for (int r = 0; r < rows; ++r, dy += size, xhat += size, dx += size) {
    float mean = 0, slope = 0;  // means of dxhat = dy * weight, and of its product with xhat
#pragma omp simd reduction(+ : mean, slope)
    for (int i = 0; i < size; ++i) {
      mean += dy[i] * weight[i];
      slope += dy[i] * weight[i] * xhat[i];
    }
    mean /= static_cast<float>(size);
    slope /= static_cast<float>(size);
    for (int i = 0; i < size; ++i) {
      dx[i] += rstd[r] * (dy[i] * weight[i] - mean - xhat[i] * slope);
      dweight[i] += dy[i] * xhat[i];
      dbias[i] += dy[i];
    }
  }
}

void gelu(const float* x, float* y, int size) {
  for (int i = 0; i < size; ++i) y[i] = 0.5F * x[i] * (1 + std::tanh(kGelu1 * (x[i] + kGelu3 * x[i] * x[i] * x[i])));
}

void gelu_backward(const float* x, const float* dy, float* dx, int size) {
  for (int i = 0; i < size; ++i) {
    const float t = std::tanh(kGelu1 * (x[i] + kGelu3 * x[i] * x[i] * x[i]));
    const float slope = kGelu1 * (1 + 3 * kGelu3 * x[i] * x[i]);
    dx[i] = dy[i] * 0.5F * (1 + t + x[i] * (1 - t * t) * slope);
  }
}

void attention(const float* qkv, float* y, float* probs, int seq, int heads, int size) {
  const int hidden = heads * size;
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  for (int h = 0; h < heads; ++h)
    for (int t = 0; t < seq; ++t) {
      const float* q = qkv + t * 3 * hidden + h * size;
      float* p = probs + (h * seq + t) * seq;
      float* out = y + t * hidden + h * size;
      for (int u = 0; u <= t; ++u) p[u] = scale * dot(q, qkv + (u * 3 + 1) * hidden + h * size, size);
      const float largest = *std::max_element(p, p + t + 1);
      float sum = 0;
      for (int u = 0; u <= t; ++u) sum += p[u] = std::exp(p[u] - largest);
      std::fill_n(out, size, 0.0F);
      for (int u = 0; u <= t; ++u) axpy(p[u] /= sum, qkv + (u * 3 + 2) * hidden + h * size, out, size);
    }
}

void attention_backward(const float* qkv, const float* probs, const float* dy, float* dqkv, float* scratch, int seq,
                        int heads, int size) {
  const int hidden = heads * size;
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  for (int h = 0; h < heads; ++h)
    for (int t = 0; t < seq; ++t) {
      const float* p = probs + (h * seq + t) * seq;
      const float* d = dy + t * hidden + h * size;
      const int q = t * 3 * hidden + h * size;
      float mean = 0;
      for (int u = 0; u <= t; ++u) {
        const int v = (u * 3 + 2) * hidden + h * size;
        axpy(p[u], d, dqkv + v, size);
        scratch[u] = dot(d, qkv + v, size);
        mean += p[u] * scratch[u];
      }
      for (int u = 0; u <= t; ++u) {
        const int k = (u * 3 + 1) * hidden + h * size;
        const float ds = scale * p[u] * (scratch[u] - mean);
        axpy(ds, qkv + k, dqkv + q, size);
        axpy(ds, qkv + q, dqkv + k, size);
      }
    }
}

float softmax_loss(float* logits, int vocab, int label) {
  const float largest = *std::max_element(logits, logits + vocab), right = logits[label];
  float sum = 0;
  for (int v = 0; v < vocab; ++v) sum += logits[v] = std::exp(logits[v] - largest);
  for (int v = 0; v < vocab; ++v) logits[v] /= sum;
  return std::log(sum) + largest - right;
}

}  // namespace weft::bench::plain
