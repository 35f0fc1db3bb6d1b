/// The layers of a transformer, forward and backward, in plain double precision: slow, short and obviously right.
///
/// Matrices are row major, one row per token. A backward function *adds* to the gradients it is given.
#pragma once

#include <span>
#include <vector>

namespace weft::reference {

using Values = std::vector<double>;
using Const = std::span<const double>;
using Grad = std::span<double>;

/// y[tokens][out] = x[tokens][in] w[in][out] + b[out]
Values linear(Const x, Const w, Const b, int in, int out);
void linear_backward(Const x, Const w, Const dy, int in, int out, Grad dx, Grad dw, Grad db);

/// y[tokens][n] = (x - mean) / sqrt(var + eps) * w[n] + b[n], mean and variance over a token's n features.
/// Without `b`, nothing is added. RMSNorm does not center: its mean is 0.
Values layer_norm(Const x, Const w, Const b, double eps, bool centers = true);
void layer_norm_backward(Const x, Const w, Const dy, double eps, Grad dx, Grad dw, Grad db, bool centers = true);

/// GELU in the tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
Values gelu(Const x);
void gelu_backward(Const x, Const dy, Grad dx);

/// Causal attention of sequences of `seq` tokens. qkv[tokens][3*hidden] holds q, k, v; each is `heads` heads side by
/// side. probs[sequences][heads][seq][seq] is filled (0 above the diagonal). Returns [tokens][hidden].
/// `first`: for each token the first position of its sequence that it attends to; empty: all before it. `document`: not
/// causal, a token attends to all tokens of its sequence with the same number. `factors`: by which weights are
/// multiplied after softmax, as dropout does, with the shape of probs; empty: 1.
Values attention(Const qkv, int hidden, int heads, int seq, Values& probs, std::span<const int> first = {},
                 std::span<const int> document = {}, Const factors = {});
/// dprobs, like probs, is overwritten with the gradient of the probabilities.
void attention_backward(Const qkv, Const probs, Const dy, int hidden, int heads, int seq, Values& dprobs, Grad dqkv,
                        bool causal = true, Const factors = {});

}  // namespace weft::reference
