/// The layers of a GPT-2 as plain loops over fp32, forward and backward. Innermost loops access neighbouring elements.
///
/// Matrices are row major. Gradients are added to the existing values.
#pragma once

namespace weft::bench::plain {

/// y[rows][out] += x[rows][in] * w[in][out]
void multiply(const float* x, const float* w, float* y, int rows, int in, int out);
/// y[rows][out] += x[rows][in] * w[out][in], the transposed matrix
void multiply_transposed(const float* x, const float* w, float* y, int rows, int in, int out);
/// w[in][out] += x[rows][in], transposed, * y[rows][out]
void multiply_outer(const float* x, const float* y, float* w, int rows, int in, int out);

/// y[rows][size] += bias[size]
void add_bias(const float* bias, float* y, int rows, int size);
/// dbias[size] += sum of the rows of dy[rows][size]
void sum_rows(const float* dy, float* dbias, int rows, int size);

/// Saves `xhat`[rows][size] and `rstd`[rows] for the backward pass.
void layer_norm(const float* x, const float* weight, const float* bias, float* y, float* xhat, float* rstd, int rows,
                int size, float eps);
void layer_norm_backward(const float* dy, const float* weight, const float* xhat, const float* rstd, float* dx,
                         float* dweight, float* dbias, int rows, int size);

/// GPT-2's tanh form.
void gelu(const float* x, float* y, int size);
/// Computes dx = dy * gelu'(x); dy and dx may be the same array.
void gelu_backward(const float* x, const float* dy, float* dx, int size);

/// Causal attention of one sequence: qkv[seq][3][heads][size], y[seq][heads][size]; saves probs[heads][seq][seq].
void attention(const float* qkv, float* y, float* probs, int seq, int heads, int size);
/// `scratch`: seq floats.
void attention_backward(const float* qkv, const float* probs, const float* dy, float* dqkv, float* scratch, int seq,
                        int heads, int size);

/// Replaces logits[vocab] by their softmax and returns the cross-entropy with `label`, in nats.
float softmax_loss(float* logits, int vocab, int label);

}  // namespace weft::bench::plain
