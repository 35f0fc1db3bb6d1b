/// Several documents in a sample: attention is confined to each document, and everything else is unchanged.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/network/network.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"
#include "tests/reference/gpt.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::compiler {
namespace {

constexpr int kEnd = 3;

Plan plan_of(const Case& c, int document_end) {
  ModelShape model = c.model;
  model.document_end = document_end;
  return compile(model, c.wafer);
}

/// Words returned by row 0 for the loss, and by all rows for gradients.
std::vector<std::vector<std::uint32_t>> words_of(const Plan& plan, const std::vector<TokenId>& inputs,
                                                 std::vector<TokenId> labels = {}) {
  if (labels.empty()) labels = random_tokens(plan, static_cast<int>(inputs.size()) / plan.model.seq, 2);
  const auto wafer = make_model_wafer(plan.wafer);
  run_micro_batch(plan, *wafer, random_parameters(plan, 7), inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  // else the test would take several times as long
  EXPECT_TRUE(dynamic_cast<model::ModelWafer&>(*wafer).in_lockstep());
  std::vector<std::vector<std::uint32_t>> words;
  for (int r = 0; r < plan.wafer.rows; ++r) words.push_back(wafer->outlet(r));
  return words;
}

/// Random tokens, with document ends only at `places` of each sequence.
std::vector<TokenId> inputs_of(const Plan& plan, std::initializer_list<int> places, unsigned seed = 1) {
  auto inputs = random_tokens(plan, plan.model.micro_batch, seed);
  for (auto& id : inputs) id = id == kEnd ? TokenId{0} : id;
  for (int s = 0; s < plan.model.micro_batch; ++s)
    for (const int place : places) inputs[static_cast<std::size_t>(s * plan.model.seq + place)] = kEnd;
  return inputs;
}

class Documents : public testing::TestWithParam<Case> {};

TEST_P(Documents, OneInASampleHasTheBitsOfNone) {
  const Plan with = plan_of(GetParam(), kEnd), without = plan_of(GetParam(), -1);
  for (const auto& inputs : {inputs_of(with, {}), inputs_of(with, {with.model.seq - 1})})
    EXPECT_TRUE(words_of(with, inputs) == words_of(without, inputs));
}

TEST_P(Documents, NothingOfTheFirstReachesTheSecond) {
  const int end = GetParam().model.seq / 2;
  const auto differ = [&](int document_end) {
    const Plan plan = plan_of(GetParam(), document_end);
    const auto inputs = inputs_of(plan, {end});
    auto others = inputs_of(plan, {end}, 5);
    for (std::size_t at = 0; at < inputs.size(); ++at)
      if (static_cast<int>(at) % plan.model.seq > end) others[at] = inputs[at];
    const auto a = words_of(plan, inputs)[0], b = words_of(plan, others)[0];
    const int t = plan.tokens_per_column, half = t * plan.wafer.cols;
    std::pair<int, int> count;  // tokens of the first and of the second document
    for (int k = 0; k < half; ++k) {
      const int token = plan.token_at(k / t, k % t, plan.model.micro_batch);
      const auto at = static_cast<std::size_t>(k), gap = static_cast<std::size_t>(half + k);
      if (token >= 0 && (a[at] != b[at] || a[gap] != b[gap]))
        ++(token % plan.model.seq > end ? count.second : count.first);
    }
    return count;
  };
  const auto apart = differ(kEnd), together = differ(-1);
  EXPECT_GT(apart.first, 0);
  EXPECT_EQ(apart.second, 0);
  EXPECT_GT(together.second, 0);
}

TEST_P(Documents, GradientsFollowTheReference) {
  const Plan plan = plan_of(GetParam(), kEnd);
  const auto parameters = random_parameters(plan, 7);
  const auto inputs = inputs_of(plan, {0, plan.model.seq / 3, plan.model.seq / 3 + 1, plan.model.seq - 3});
  const auto labels = random_tokens(plan, plan.model.micro_batch, 2);
  const auto wafer = make_model_wafer(plan.wafer);
  const MicroBatchRun ours = run_micro_batch(plan, *wafer, parameters, inputs, labels);
  const reference::ReferenceResult theirs =
      reference::reference_gpt(plan.model, plan.tensors, parameters, inputs, labels);
  const auto tokens = static_cast<double>(inputs.size());
  EXPECT_NEAR(ours.loss_sum / tokens, theirs.loss_sum / tokens, 0.01);
  for (const TensorInfo& tensor : plan.tensors) {
    double dot = 0, our = 0, their = 0;
    for (std::uint64_t k = tensor.offset; k < tensor.offset + tensor.size; ++k) {
      dot += ours.grad[k] * theirs.grad[k];
      our += ours.grad[k] * ours.grad[k];
      their += theirs.grad[k] * theirs.grad[k];
    }
    EXPECT_GE(dot / std::sqrt(our * their), 0.999) << tensor.name;
    EXPECT_NEAR(std::sqrt(our / their), 1, 0.03) << tensor.name;
  }
}

machine::WaferShape tiles(int rows, int cols, int lanes = 4) {
  machine::WaferShape wafer;
  wafer.rows = rows, wafer.cols = cols, wafer.lanes = lanes;
  return wafer;
}

machine::WaferShape roomy(int rows, int cols) {
  machine::WaferShape wafer = tiles(rows, cols);
  wafer.sram_kib = 128;
  return wafer;
}
machine::WaferShape over(int columns, machine::WaferShape wafer) {
  wafer.sequence_columns = columns;
  return wafer;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Documents,
    testing::Values(Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), tiles(1, 1)},
                    Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), tiles(4, 4)},
                    Case{"two_sequences_a_column", shape(90, 24, 3, 3, 80, 16, false, 5), tiles(2, 3)},
                    Case{"spread_heads", shape(30, 24, 1, 2, 40, 13, true, 2), tiles(5, 2)},
                    Case{"two_lanes", shape(30, 24, 1, 2, 40, 13, true, 2), tiles(2, 2, 2)},
                    Case{"eight_lanes", shape(30, 24, 1, 3, 40, 21, true, 3), tiles(2, 2, 8)},
                    Case{"two_columns", shape(30, 24, 2, 3, 40, 21, true, 3), over(2, tiles(2, 4))},
                    Case{"three_columns", shape(30, 24, 1, 2, 40, 37, true, 2), over(3, tiles(5, 3))},
                    Case{"four_columns", shape(30, 24, 1, 2, 40, 50, false, 1), over(4, tiles(2, 4, 8))}),
    case_name);

/// The loss of each token, in the order of the sequences, as row 0 returns it.
std::vector<std::pair<std::uint32_t, std::uint32_t>> losses(const Plan& plan, const std::vector<TokenId>& inputs,
                                                            const std::vector<TokenId>& labels = {}) {
  const auto words = words_of(plan, inputs, labels)[0];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all(inputs.size());
  const int t = plan.tokens_per_column, half = t * plan.wafer.cols;
  for (int k = 0; k < half; ++k) {
    const int token = plan.token_at(k / t, k % t, plan.model.micro_batch);
    const auto at = static_cast<std::size_t>(k);
    if (token >= 0) all[static_cast<std::size_t>(token)] = {words[at], words[at + static_cast<std::size_t>(half)]};
  }
  return all;
}

TEST(DocumentsOverColumns, ForwardHasTheSameBitsForAnyNumberOfThem) {
  for (const auto& [heads, rows] : {std::pair{4, 3}, {2, 5}}) {
    const ModelShape model = shape(60, 24, 2, heads, 48, 45, true, 2);
    const Plan one = plan_of({"one", model, roomy(rows, 1)}, kEnd);
    const auto inputs = inputs_of(one, {0, 7, 8, 20, 31, 43});
    const auto expected = losses(one, inputs);
    EXPECT_NE(losses(plan_of({"whole", model, roomy(rows, 1)}, -1), inputs), expected);
    for (const int columns : {2, 3, 4, 6})
      EXPECT_EQ(losses(plan_of({"some", model, over(columns, roomy(rows, columns))}, kEnd), inputs), expected)
          << columns;
  }
}

/// Documents of 5, 1 and 7 tokens in one sample have the losses that each has in a sample of its own, whose positions
/// begin at 0: attention and positions are those of the document.
TEST(MarkedDocuments, HaveTheLossesOfSamplesOfTheirOwn) {
  for (const char* network : {"gpt2", "gptj"}) {
    for (const int columns : {1, 2}) {
      ModelShape model = shape(60, 24, 2, 2, 48, 13, false, 2);
      model.network = network, model.rotary_dim = network == std::string("gptj") ? 4 : 0;
      const Plan apart = compile(model, over(columns, roomy(3, 4)));
      model.vsl = true;
      const Plan packed = compile(model, over(columns, roomy(3, 4)));
      EXPECT_EQ(apart.tensors.size(), packed.tensors.size());
      constexpr std::ptrdiff_t kFirst = 5, kSecond = 6;  // where the second and the third document begin
      const auto split = [&](const std::vector<TokenId>& sample) {
        std::vector<TokenId> own(13 * 2, 0);
        std::copy_n(sample.begin(), kFirst, own.begin());
        std::copy(sample.begin() + kSecond, sample.begin() + 13, own.begin() + 13);
        return own;
      };
      auto inputs = random_tokens(packed, 2, 4), labels = random_tokens(packed, 2, 5);
      const auto wanted = losses(apart, split(inputs), split(labels));
      for (const std::ptrdiff_t at : {std::ptrdiff_t{0}, kFirst, kSecond})
        inputs[static_cast<std::size_t>(at)] |= kBeginsDocument;
      const auto found = losses(packed, inputs, labels);
      const auto near = [](const auto& a, const auto& b) {
        const auto loss = [](const auto& words) { return as_float(words.first) - as_float(words.second); };
        return std::abs(loss(a) - loss(b)) < 0.02F;
      };
      for (std::size_t t = 0; t < kFirst; ++t) EXPECT_TRUE(found[t] == wanted[t]) << network << t;
      const bool rotates = model.rotary_dim > 0;  // positions in the sample, whose distances are the same
      for (std::size_t t = kSecond; t < 13; ++t) {
        const auto& own = wanted[13 + t - kSecond];
        EXPECT_TRUE(rotates || columns > 1 ? near(found[t], own) : found[t] == own) << network << columns << t;
      }
    }
  }
}

std::string refusal(ModelShape model, const machine::WaferShape& wafer) {
  try {
    compile(model, wafer);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "none";
}

/// GPT-2 whose attention is not causal, in a file.
class NotCausal : public testing::Test {
 protected:
  NotCausal() {
    std::string text = network::network_text("gpt2");
    const std::string heads = "out: heads}";
    text.replace(text.find(heads), heads.size(), "out: heads, causal: false}");
    std::ofstream(file_) << text;
  }
  ~NotCausal() override { std::filesystem::remove(file_); }
  Plan plan(int seq, int columns, int padding_token = kEnd) const {
    ModelShape model = shape(60, 24, 2, 2, 48, seq, true, 2);
    model.network = file_, model.padding_token = padding_token;
    return compile(model, over(columns, roomy(3, 4)));
  }

  // A unique name, since tests run in parallel.
  const std::string file_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
};

/// Sequences of 13 tokens, the last four of which are padding in the one case, and other tokens in the other.
TEST_F(NotCausal, ATokenSeesLaterOnesButNoPadding) {
  for (const int columns : {1, 2}) {
    const Plan of = plan(13, columns);
    const auto padded = inputs_of(of, {9, 10, 11, 12});
    auto longer = padded, other = padded;
    for (std::size_t at = 0; at < padded.size(); ++at)
      if (at % 13 > 8) longer[at] = 8, other[at] = at % 13 == 9 ? 7 : kEnd;
    const auto with = losses(of, padded), without = losses(of, longer), one_more = losses(of, other);
    EXPECT_NE(with[0], without[0]) << "later tokens are not seen";
    EXPECT_NE(with[0], one_more[0]) << "a token before the padding is not seen";
    // Without padding_token the tokens at the end are seen, whichever they are.
    EXPECT_NE(losses(plan(13, columns, -1), padded)[0], with[0]);
    // Padding with another token changes no bit of the tokens before it.
    auto elsewhere = padded;
    for (std::size_t at = 0; at < padded.size(); ++at)
      if (at % 13 > 8) elsewhere[at] = 5;
    const auto otherwise = losses(plan(13, columns, 5), elsewhere);
    for (std::size_t t = 0; t < with.size(); ++t)
      if (t % 13 < 9) {
        EXPECT_EQ(otherwise[t], with[t]) << t;
      }
    EXPECT_NE(otherwise[12], with[12]);
  }
}

TEST_F(NotCausal, IsRefusedWhereATextContinues) {
  ModelShape model = shape(60, 24, 1, 2, 48, 12, true, 2);
  model.network = file_;
  const auto said = [&](const auto& compile_it) -> std::string {
    try {
      compile_it();
    } catch (const Refusal& e) {
      return e.what();
    }
    return "none";
  };
  const std::string expected = "h.0.attn also sees later tokens, so network " + file_ + " cannot continue a text";
  EXPECT_NE(said([&] { compile_generation(model, tiles(2, 2)); }).find(expected), std::string::npos);
  EXPECT_NE(said([&] { compile_decode(model, tiles(2, 2)); }).find(expected), std::string::npos);
  model.attention = "shared";
  EXPECT_NE(
      said([&] { compile(model, over(2, tiles(4, 2))); }).find("and attention that is not causal. HINT: use stored"),
      std::string::npos);
  model.attention = "stored", model.network = "gpt2", model.padding_token = 3;
  EXPECT_NE(said([&] {
              compile(model, tiles(2, 2));
            }).find("model.padding_token: network gpt2 has no attention with causal: false"),
            std::string::npos);
}

TEST(DocumentsOf, AShapeThatCannotHaveThemIsRefused) {
  ModelShape model = shape(30, 24, 1, 2, 40, 12, true, 2);
  model.document_end = 30;
  EXPECT_EQ(
      refusal(model, tiles(2, 2)),
      "model.document_end: 30 is not in -1..29 (tokens, and -1: attention is over the whole sample). HINT: use 29.");
  model.document_end = 3, model.vsl = true;
  EXPECT_EQ(refusal(model, tiles(2, 2)),
            "train_input.use_vsl: samples say where documents end, and so does model.document_end. HINT: leave "
            "model.document_end out.");
}

}  // namespace
}  // namespace weft::compiler
