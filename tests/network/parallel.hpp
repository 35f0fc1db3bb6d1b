/// A network that is not a GPT: a parallel block whose three linears, in two layouts, read the output of one norm.
#pragma once

#include <string>

namespace weft::network {

/// `qkv`: the shape of the combined matrix, "[3 head, hidden]" or "[hidden, 3 head]".
inline std::string parallel_network(const std::string& qkv) {
  return R"(
network: parallel
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  block:
    ln.weight: {shape: [hidden], value: 1}
    ln.bias: {shape: [hidden], value: 0}
    qkv.weight: {shape: )" +
         qkv +
         R"(, normal: 0.1}
    qkv.bias: {shape: [3 head], value: 0}
    proj.weight: {shape: [head, hidden], normal: 0.1}
    up.weight: {shape: [hidden, filter], normal: 0.1}
    down.weight: {shape: [filter, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: x}
  - block:
      - {norm: ln, in: x, out: a}
      - {linear: qkv, in: a, out: [q, k, v]}
      - {attention: attn, in: [q, k, v], out: heads}
      - {linear: proj, in: heads, add: x, out: x}
      - {linear: up, in: a, out: u}
      - {gelu: act, in: u, out: g}
      - {linear: down, in: g, add: x, out: x}
  - {linear: head, in: x, out: logits}
  - {loss: loss, in: logits}
keep: [q, k, v, heads, u]
)";
}

}  // namespace weft::network
