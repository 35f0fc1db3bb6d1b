/// A network that is not a GPT: three operations per block, one of them a skip connection, without norm and attention.
#pragma once

#include <string>

namespace weft::network {

inline const std::string kThird = R"(
network: third
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  wpe.weight: {shape: [position, hidden], normal: 0.1}
  block:
    up.weight: {shape: [hidden, filter], normal: 0.1}
    up.bias: {shape: [filter], value: 0}
    down.weight: {shape: [hidden, filter], normal: 0.1, residual: true}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
  head.bias: {shape: [vocab], value: 0}
operations:
  - {embed: start, tokens: wte.weight, positions: wpe.weight, out: x}
  - block:
      - {linear: up, in: x, out: u}
      - {gelu: act, in: u, out: g}
      - {linear: down, in: g, add: x, out: x}
  - {linear: head, in: x, out: logits}
  - {loss: loss, in: logits}
keep: [x, u]
)";

}  // namespace weft::network
