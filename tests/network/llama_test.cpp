/// LLaMA, with rotation in both layouts and grouped heads, compared with the reference in doubles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/network/network_files.hpp"

namespace weft::network {
namespace {

TEST_F(Networks, LlamaFollowsTheReference) {
  const compiler::ModelShape model{
      .vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8, .micro_batch = 3};
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {3, 2, 1}, {12, 1, 1}, {4, 4, 2}}) {
    for (const bool tied : {true, false}) {
      for (const char* recompute : {"none", "block"}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns, " << recompute);
        compiler::ModelShape m = model;
        m.network = "llama", m.rotary_dim = 8, m.tied = tied, m.recompute = recompute;
        follows_the_reference(
            compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns}));
      }
    }
  }
}

/// Rotary features as halves of a head, all or some of them, with scaled frequencies; heads on a row, or over rows.
TEST_F(Networks, HalvesThatRotateFollowTheReference) {
  compiler::ModelShape model{.vocab = 30, .hidden = 24, .layers = 1, .heads = 2, .filter = 40, .seq = 20};
  model.network = "llama", model.rotary.layout = "halves", model.micro_batch = 2;
  model.rotary.theta = 500, model.rotary.factor = 4, model.rotary.original_length = 60;
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {4, 2, 1}, {7, 4, 2}}) {
    for (const auto& [rotated, scaling] : {std::pair{12, "none"}, {12, "linear"}, {12, "llama3"}, {6, "llama3"}}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << rotated << " features, " << scaling);
      compiler::ModelShape m = model;
      m.rotary_dim = rotated, m.rotary.scaling = scaling;
      follows_the_reference(
          compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns}));
    }
  }
}

/// Some or all heads of queries share keys and values; heads on a row, or over rows; both forms of attention.
TEST_F(Networks, GroupedHeadsFollowTheReference) {
  compiler::ModelShape model{.vocab = 30, .hidden = 32, .layers = 2, .heads = 4, .filter = 40, .seq = 10};
  model.network = "llama", model.rotary.layout = "halves", model.rotary_dim = 8, model.micro_batch = 3;
  for (const int kv_heads : {2, 1}) {
    for (const auto& [rows, cols, columns, attention] :
         {std::tuple{1, 1, 1, "stored"}, {3, 2, 1, "stored"}, {9, 4, 2, "stored"}, {9, 4, 2, "shared"}}) {
      SCOPED_TRACE(testing::Message() << kv_heads << " heads of keys, " << rows << " rows, " << attention);
      compiler::ModelShape m = model;
      m.kv_heads = kv_heads, m.attention = attention, m.recompute = rows == 3 ? "block" : "none";
      follows_the_reference(
          compiler::compile(m, {.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns}));
    }
  }
}

/// Keys and values of a group as [in, out], as GPT-2's matrices, and with biases.
TEST_F(Networks, GroupedHeadsOfAnyLayoutFollowTheReference) {
  for (const char* shape : {"[hidden, kv_head]", "[kv_head, hidden]"}) {
    SCOPED_TRACE(shape);
    std::string text = network_text("llama");
    for (const char* one : {"k", "v"}) {
      const std::string name = fmt::format("    self_attn.{}_proj", one), own = ".weight: {shape: [kv_head, hidden]";
      text.replace(text.find(name + own), (name + own).size(),
                   fmt::format("{0}.bias: {{shape: [kv_head], normal: 0.1}}\n{0}.weight: {{shape: {1}", name, shape));
    }
    std::ofstream(third_) << text << std::flush;
    compiler::ModelShape model{.vocab = 30, .hidden = 32, .layers = 1, .heads = 4, .filter = 40, .seq = 8};
    model.network = third_, model.rotary_dim = 8, model.kv_heads = 2;
    for (const int rows : {1, 3, 6})
      follows_the_reference(compiler::compile(model, {.rows = rows, .cols = 2, .sram_kib = 128}));
  }
}

/// A model whose heads of keys and values are copies of those of a grouped model has the same bits; the grouped
/// model's gradients are the sums of its copies' gradients.
TEST_F(Networks, GroupedHeadsHaveTheBitsOfEqualHeads) {
  compiler::ModelShape grouped{.vocab = 30, .hidden = 32, .layers = 2, .heads = 4, .filter = 40, .seq = 8};
  grouped.network = "llama", grouped.rotary.layout = "halves", grouped.rotary_dim = 8, grouped.kv_heads = 2;
  compiler::ModelShape whole = grouped;
  whole.kv_heads = 0;
  const machine::WaferShape wafer{.rows = 3, .cols = 2, .sram_kib = 128};
  const compiler::Plan few = compiler::compile(grouped, wafer), all = compiler::compile(whole, wafer);
  const std::vector<float> parameters = compiler::random_parameters(few, 1);
  std::vector<float> copied(all.parameters);
  const auto each = [&](const auto& f) {  // f(parameter of the whole model, of the grouped model)
    for (std::size_t n = 0; n < all.tensors.size(); ++n) {
      const compiler::TensorInfo &to = all.tensors[n], &from = few.tensors[n];
      ASSERT_EQ(to.name, from.name);
      const std::uint64_t head = to.size / 4;
      for (std::uint64_t k = 0; k < to.size; ++k)
        f(to.offset + k, from.offset + (to.size == from.size ? k : k / head / 2 * head + k % head));
    }
  };
  each([&](std::uint64_t to, std::uint64_t from) { copied[to] = parameters[from]; });
  const compiler::MicroBatchRun a = run_on_model(few, parameters).got, b = run_on_model(all, copied).got;
  EXPECT_EQ(a.loss_sum, b.loss_sum);
  std::vector<double> sums(few.parameters);
  each([&](std::uint64_t to, std::uint64_t from) { sums[from] += b.grad[to]; });
  for (std::size_t k = 0; k < sums.size(); ++k) EXPECT_NEAR(a.grad[k], sums[k], 1e-6 + 1e-6 * std::abs(sums[k])) << k;
}

}  // namespace
}  // namespace weft::network
