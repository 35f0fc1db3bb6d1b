/// A sparse GEMM on the model: its stream, and a plain evaluation in the order of docs/reference/numbers.md.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "tests/gemm_program.hpp"
#include "tests/model/rig.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::model {

struct Gemm {
  machine::WaferShape shape;
  int tokens, inputs, outputs;  // inputs per row
  std::vector<machine::Message> stream;
  std::vector<std::vector<std::uint16_t>> x;  // [row * cols + col][input * tokens + token]
  std::vector<std::vector<std::uint16_t>> y;  // [row * cols + col][output / rows * tokens + token]

  Gemm(const machine::WaferShape& s, int t, int in, int out, double density, unsigned seed, bool evaluate = true)
      : shape(s), tokens(t), inputs(in), outputs(out) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const auto bf = [&] { return weft::to_bf16(as_bits(normal(random))); };
    x.resize(shape.rows * shape.cols);
    y.resize(shape.rows * shape.cols);
    for (auto& v : x)
      for (int i = 0; i < inputs * tokens; ++i) v.push_back(bf());
    std::bernoulli_distribution keep(density);
    for (int o = 0; o < outputs; ++o) {
      std::vector<std::vector<std::pair<int, bf16>>> weights(shape.rows);
      for (int row = 0; row < shape.rows; ++row)
        for (int i = 0; i < inputs; ++i)
          if (keep(random)) weights[row].emplace_back(i, bf());
      for (int row = 0; row < shape.rows; ++row)
        for (const auto& [i, w] : weights[row])
          stream.push_back(machine::Message::weight(static_cast<std::uint16_t>(row << shape.row_shift() | i), w));
      stream.push_back(machine::Message::command(machine::Command::CR, 0, 0));
      if (evaluate) expect(o, weights);
    }
  }

  void expect(int o, const std::vector<std::vector<std::pair<int, bf16>>>& weights) {
    const int home = o % shape.rows;
    for (int col = 0; col < shape.cols; ++col)
      for (int t = 0; t < tokens; ++t) {
        std::uint32_t sum = 0;
        for (int step = 1; step <= shape.rows; ++step) {
          const int row = (home + step) % shape.rows;
          std::uint32_t acc = 0;
          for (const auto& [i, w] : weights[row]) acc = fma_bits(x[row * shape.cols + col][i * tokens + t], w, acc);
          sum = step == 1 ? acc : add_bits(sum, acc);
        }
        y[home * shape.cols + col].push_back(weft::to_bf16(sum));
      }
  }

  void load(Rig& rig) const {
    rig.load(test::kGemm,
             {{"TOKENS", tokens}, {"BEATS", tokens / shape.lanes}, {"LMASK_", (1 << shape.row_shift()) - 1}});
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) rig.store(row, col, 0, x[row * shape.cols + col]);
    rig.reg(1, outputs).reg(2, 0).reg(3, inputs * tokens).call("gemm");
  }

  void check(const Rig& rig) const {
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) {
        const auto m = rig.wafer->sram(row, col);
        const auto& expected = y[row * shape.cols + col];
        const std::vector<std::uint16_t> got(m.begin() + inputs * tokens,
                                             m.begin() + inputs * tokens + expected.size());
        EXPECT_EQ(got, expected) << "row " << row << " column " << col;
      }
    EXPECT_EQ(rig.wafer->flags(), "");
  }
};

}  // namespace weft::model
