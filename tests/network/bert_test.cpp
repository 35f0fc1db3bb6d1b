/// BERT, and GPT-2 whose attention is not causal, compared with the reference in doubles.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/network/network_files.hpp"

namespace weft::network {
namespace {

/// Tokens of both kinds of segments; about every tenth token is padding where a sequence ends with it.
TEST_F(Networks, BertFollowsTheReference) {
  const compiler::ModelShape model{
      .vocab = 12, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 13, .micro_batch = 3};
  for (const auto& [rows, cols, columns] : {std::tuple{1, 1, 1}, {3, 2, 1}, {12, 1, 1}, {4, 4, 2}}) {
    for (const bool tied : {true, false}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns, " << tied);
      compiler::ModelShape m = model;
      m.network = "bert", m.segments = 2, m.padding_token = 0, m.tied = tied;
      const machine::WaferShape wafer{.rows = rows, .cols = cols, .sram_kib = 128, .sequence_columns = columns};
      const compiler::Plan kept = compiler::compile(m, wafer);
      follows_the_reference(kept);
      m.recompute = "block";
      const compiler::Plan block = compiler::compile(m, wafer);
      const std::vector<float> parameters = compiler::random_parameters(kept, 1);
      EXPECT_TRUE(run_on_model(kept, parameters).got.grad == run_on_model(block, parameters).got.grad);
    }
  }
}

/// GPT-2 whose tokens also see later ones: a head on a row, several, or spread over rows; sequences that leave padding
/// in a column, and sequences over several columns.
/// Two numbers of each token choose a row of a table each; no table has positions.
TEST_F(Networks, TwoIdsOfATokenFollowTheReference) {
  std::string text = kThird;
  for (const auto& [from, to] : {std::pair{"[position, hidden]", "[segment, hidden]"}, {"positions:", "segments:"}})
    text.replace(text.find(from), std::string_view(from).size(), to);
  std::ofstream(third_) << text << std::flush;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_, model.segments = 200;
  follows_the_reference(compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128}));
}

TEST_F(Networks, AttentionThatIsNotCausalFollowsTheReference) {
  std::string text = network_text("gpt2");
  const std::string causal = "{attention: attn, in: [q, k, v], out: heads}";
  text.replace(text.find(causal), causal.size(), "{attention: attn, in: [q, k, v], out: heads, causal: false}");
  std::ofstream(third_) << text << std::flush;
  compiler::ModelShape model{
      .vocab = 12, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 16, .micro_batch = 3};
  model.network = third_;
  for (const auto& [rows, cols, columns, lanes] :
       {std::tuple{1, 1, 1, 4}, {2, 2, 1, 4}, {3, 2, 1, 8}, {12, 1, 1, 4}, {4, 4, 2, 4}, {2, 3, 3, 2}}) {
    for (const auto& [seq, recompute, padding] : {std::tuple{16, "none", -1}, {13, "block", -1}, {13, "none", 5}}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << columns << " columns, " << seq << ", " << recompute);
      model.seq = seq, model.recompute = recompute, model.padding_token = padding;
      model.document_end = padding >= 0 ? 7 : -1;
      follows_the_reference(compiler::compile(
          model, {.rows = rows, .cols = cols, .lanes = lanes, .sram_kib = 128, .sequence_columns = columns}));
    }
  }
}

}  // namespace
}  // namespace weft::network
