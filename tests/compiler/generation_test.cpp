/// A plan for generation returns the logits of the text's last token as they are in SRAM; they equal GPT-2's.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/embedding.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/gpt2_memory.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::compiler {
namespace {

/// Feeds texts to a wafer that has a plan for generation.
class Texts {
 public:
  Texts(const Plan& plan, const std::vector<float>& parameters)
      : plan_(plan), parameters_(parameters), wafer_(make_model_wafer(plan.wafer)), totals_(plan.wafer.rows) {
    wafer_->feed(plan.load);
  }

  /// The logits as bits, [vocab].
  std::vector<std::uint32_t> logits(const std::vector<TokenId>& text) {
    return logits(std::vector<std::vector<TokenId>>{text})[0];
  }
  /// The logits of several texts as bits, [text][vocab].
  std::vector<std::vector<std::uint32_t>> logits(const std::vector<std::vector<TokenId>>& texts) {
    const std::vector<std::span<const TokenId>> all(texts.begin(), texts.end());
    const Op& op = plan_.ops.at(plan_.ops.size() - 2);
    EXPECT_EQ(op.returns, Returns::Logits);
    wafer_->feed(plan_.texts(all));
    const Op embedding = embedding_of(plan_, all);
    for (const Op& one : plan_.ops) {
      feed(rows_of_texts && &one == &plan_.ops.front() ? embedding : one);
      for (std::size_t n = 1; &one == &op && n < texts.size(); ++n) {
        wafer_->feed(plan_.ask_next(all, n));
        feed(one);
      }
    }
    wafer_->await(totals_);
    wafer_->settle();
    EXPECT_EQ(wafer_->flags(), "");
    const auto token = gradient_parameters(op);
    std::vector result(texts.size(), std::vector<std::uint32_t>(plan_.model.vocab, 0xdeadbeef));
    for (int r = 0; r < plan_.wafer.rows; ++r) {
      for (std::size_t n = 0; n < texts.size(); ++n)
        for (std::size_t k = 0; k < op.returned[r]; ++k)
          result[n].at(token[r][k]) = wafer_->outlet(r).at(n * op.returned[r] + k);
      wafer_->outlet(r).clear();
    }
    return result;
  }
  const Wafer& wafer() const { return *wafer_; }
  bool rows_of_texts = false;  ///< send only the embedding rows of tokens in the texts

 private:
  void feed(const Op& op) {
    std::vector<machine::Message> messages;
    expand(op, parameters_, messages);
    wafer_->feed(messages);
    for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += op.returned[r];
  }

  const Plan& plan_;
  const std::vector<float>& parameters_;
  std::unique_ptr<Wafer> wafer_;
  std::vector<std::uint64_t> totals_;
};

class Generation : public testing::TestWithParam<Case> {
 protected:
  const ModelShape& model() const { return GetParam().model; }
  const Plan plan = compile_generation(model(), GetParam().wafer);
  const std::vector<float> parameters = random_parameters(plan, 7, 4);
  const std::vector<TokenId> whole = random_tokens(plan, 1, 3);
  std::vector<TokenId> first(int n) const { return {whole.begin(), whole.begin() + n}; }
  std::vector<int> lengths() const { return {1, model().seq / 2, model().seq}; }
};

TEST_P(Generation, ReturnsTheLogitsThatLieInMemoryBitForBit) {
  const Spaces spaces(plan.model, plan.wafer.rows);
  const Gpt2Memory memory(plan.model, plan.wafer, spaces);
  Texts texts(plan, parameters);
  for (const int n : lengths()) {
    const auto logits = texts.logits(first(n));
    for (int id = 0; id < model().vocab; ++id) {
      const int at = memory.logits + spaces.vocab.slot(id) * plan.tokens_per_column + n - 1;
      const std::uint32_t bits = texts.wafer().sram(spaces.vocab.row(id), 0).at(at);
      EXPECT_EQ(logits[id], bits << 16) << "token " << id << " after " << n;
    }
  }
}

TEST_P(Generation, FollowsTheReference) {
  Texts texts(plan, parameters);
  const auto reference =
      reference::reference_gpt(model(), plan.tensors, parameters, whole, whole).activations.at("logits");
  double error = 0, size = 0;
  for (const int n : lengths()) {
    const auto logits = texts.logits(first(n));
    for (int id = 0; id < model().vocab; ++id) {
      const double expected = reference[static_cast<std::size_t>(n - 1) * model().vocab + id];
      error += std::pow(std::bit_cast<float>(logits[id]) - expected, 2);
      size += expected * expected;
    }
  }
  EXPECT_LT(std::sqrt(error / size), 0.03);
}

TEST_P(Generation, DependsOnTheTextAlone) {
  Texts texts(plan, parameters), fresh(plan, parameters);
  texts.logits(whole);
  texts.logits(first(1));
  const int n = model().seq / 2;
  EXPECT_EQ(texts.logits(first(n)), fresh.logits(first(n)));
}

/// Five texts of different lengths, in one pass and, in a plan with room for six, in two.
TEST_P(Generation, AnswersManyTextsAsItAnswersEachAlone) {
  const Plan together = compile_generation(model(), GetParam().wafer, {}, 6);
  ASSERT_EQ(together.model.micro_batch, 6);
  std::vector<std::vector<TokenId>> texts;
  for (int n = 0; n < 5; ++n) {
    texts.push_back(random_tokens(plan, 1, 20 + n));
    texts.back().resize(1 + (model().seq - 1) * (4 - n) / 4);
  }
  Texts alone(plan, parameters), many(together, parameters);
  std::vector<std::vector<std::uint32_t>> expected;
  for (const auto& text : texts) expected.push_back(alone.logits(text));
  EXPECT_EQ(many.logits(texts), expected);
  const auto last = [](const auto& list) { return std::vector(list.begin() + 3, list.end()); };
  EXPECT_EQ(many.logits(last(texts)), last(expected)) << "less than there is room for, after others";
}

TEST_P(Generation, NeedsOfTheEmbeddingTheRowsOfTheTextsAlone) {
  const Plan two = compile_generation(model(), GetParam().wafer, {}, 2);
  Texts whole_tables(two, parameters), rows(two, parameters);
  rows.rows_of_texts = true;
  for (const int n : lengths()) {
    const std::vector<std::vector<TokenId>> texts = {first(n), {3}};
    EXPECT_EQ(rows.logits(texts), whole_tables.logits(texts)) << n;
    std::set<int> ids(texts[0].begin(), texts[0].end());
    ids.insert(3);
    const Op op = embedding_of(two, std::vector<std::span<const TokenId>>(texts.begin(), texts.end()));
    if (op.descriptor.interleave) continue;  // pads depend on the rows of the tokens
    EXPECT_EQ(message_count(op), op.commands.size() + model().hidden * (ids.size() + n + 2)) << "elements, and two CRs";
  }
}

/// The forward pass is that of training, bit for bit: the program does not depend on the number of sequences per
/// column.
TEST_P(Generation, RunsTheProgramOfTrainingWithOneSequence) {
  ModelShape one = model();
  one.micro_batch = 1;
  const Plan training = compile(one, GetParam().wafer);
  EXPECT_EQ(plan.load, training.load);
  ASSERT_GE(training.forward_ops, 2U);
  EXPECT_EQ(plan.ops.size(), training.forward_ops + 1) << "logits and flags instead of the loss";
  std::vector<machine::Message> ours, theirs;
  for (std::size_t op = 0; op + 1 < training.forward_ops; ++op) {
    EXPECT_EQ(plan.ops[op].name, training.ops[op].name);
    expand(plan.ops[op], parameters, ours);
    expand(training.ops[op], parameters, theirs);
    EXPECT_EQ(ours, theirs) << plan.ops[op].name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Generation,
    testing::Values(Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), {.rows = 1, .cols = 1}},
                    Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), {.rows = 4, .cols = 4}},
                    Case{"oblong_untied", shape(90, 24, 3, 3, 80, 16, false, 3), {.rows = 2, .cols = 3}},
                    Case{"empty_row", shape(4, 24, 1, 2, 40, 13, true, 2), {.rows = 5, .cols = 2}},
                    Case{"eight_lanes", shape(300, 24, 1, 3, 21, 13, false, 5), {.rows = 2, .cols = 2, .lanes = 8}}),
    case_name);

}  // namespace
}  // namespace weft::compiler
