/// Decoding with keys and values kept on the wafer gives the same logits, bit for bit, as a pass over all tokens.
#include "host/generate/decoder.hpp"

#include <bit>
#include <random>

#include "host/generate/generator.hpp"
#include "sw/compiler/check/check.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/decode.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::generate {
namespace {

using Logits = std::vector<std::vector<std::uint32_t>>;  // [asked][vocab], bits

Logits bits_of(const std::vector<std::vector<float>>& logits) {
  Logits bits;
  for (const std::vector<float>& one : logits) {
    bits.emplace_back();
    for (const float value : one) bits.back().push_back(std::bit_cast<std::uint32_t>(value));
  }
  return bits;
}

compiler::ModelShape turning(const char* network, compiler::ModelShape model, int rotary_dim) {
  model.network = network;
  model.rotary_dim = rotary_dim;
  return model;
}

/// Heads of queries in pairs share keys and values; halves of a head rotate.
compiler::ModelShape grouped(compiler::ModelShape model) {
  model.kv_heads = model.heads / 2, model.rotary.layout = "halves";
  return model;
}

class DecoderTest : public testing::TestWithParam<compiler::Case> {
 protected:
  /// Compares random texts that grow to `positions` tokens: as many texts as there is room for, less two.
  void compare(std::unique_ptr<Wafer> kept, std::unique_ptr<Wafer> passes, int positions,
               const compiler::Mask& mask = {}) {
    const compiler::Plan decode = compiler::compile_decode(GetParam().model, GetParam().wafer, mask);
    const compiler::Plan whole = compiler::compile_generation(GetParam().model, GetParam().wafer, mask);
    const std::vector<float> parameters = compiler::random_parameters(whole, 7, 4);
    Decoder decoder(decode, parameters, std::move(kept));
    Generator generator(whole, parameters, std::move(passes));
    const std::size_t count = std::max<std::size_t>(1, decoder.max_texts() - 2);
    std::mt19937 random(5);
    for (int round = 0; round < 2; ++round) {
      decoder.begin();
      std::vector<std::vector<TokenId>> texts(count);
      for (int p = 0; p < positions; ++p) {
        std::vector<Decoder::Next> next;
        Logits expected;
        for (std::vector<TokenId>& text : texts) {
          text.push_back(static_cast<TokenId>(random() % GetParam().model.vocab));
          next.push_back({text.back(), p + 1 == positions || random() % (2 * count) == 0});
          if (next.back().asked) expected.push_back(bits_of({generator.logits(text)})[0]);
        }
        ASSERT_EQ(bits_of(decoder.next(next)), expected) << "position " << p << " of round " << round;
      }
    }
  }
};

TEST_P(DecoderTest, HasTheBitsOfFullPasses) {
  compare(make_model_wafer(GetParam().wafer), make_model_wafer(GetParam().wafer), GetParam().model.seq);
}

/// A mask moves features to other rows, and some outputs have no weight in a row.
TEST_P(DecoderTest, HasTheBitsOfPassesOfASparseModel) {
  std::mt19937 random(3);
  compiler::Mask mask;
  for (const compiler::TensorInfo& t : compiler::compile_generation(GetParam().model, GetParam().wafer).tensors) {
    if (t.dims.size() < 2 || !t.name.starts_with("h.")) continue;
    for (std::uint64_t k = 0; k < t.size; ++k) mask[t.name].push_back(random() % 4 == 0);
  }
  compare(make_model_wafer(GetParam().wafer), make_model_wafer(GetParam().wafer), GetParam().model.seq, mask);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, DecoderTest,
    testing::Values(
        compiler::Case{"one_tile", compiler::shape(11, 8, 1, 2, 12, 8, true, 1), {.rows = 1, .cols = 1}},
        compiler::Case{"tiny", compiler::shape(96, 32, 2, 4, 128, 32, true, 4), {.rows = 4, .cols = 4}},
        compiler::Case{"two_cycles_a_sum",
                       compiler::shape(96, 32, 2, 4, 64, 24, true, 4),
                       {.rows = 4, .cols = 2, .psum_cycles = 2}},
        compiler::Case{"spread_heads", compiler::shape(30, 24, 2, 2, 40, 13, false, 2), {.rows = 5, .cols = 2}},
        compiler::Case{"over_columns",
                       compiler::shape(40, 16, 2, 2, 32, 30, true, 1),
                       {.rows = 2, .cols = 4, .sequence_columns = 4}},
        compiler::Case{"two_lanes", compiler::shape(40, 16, 1, 4, 32, 18, true, 1), {.rows = 2, .cols = 3, .lanes = 2}},
        compiler::Case{
            "eight_lanes", compiler::shape(50, 24, 1, 3, 21, 13, false, 5), {.rows = 2, .cols = 2, .lanes = 8}},
        compiler::Case{"more_heads_than_rows", compiler::shape(20, 24, 2, 6, 24, 10, true, 1), {.rows = 2, .cols = 1}},
        compiler::Case{"vocabulary_in_blocks",
                       compiler::shape(35000, 8, 1, 2, 8, 6, true, 1),
                       {.rows = 17, .cols = 1, .lanes = 2, .sram_kib = 128}},
        compiler::Case{"wide_vocabulary",
                       compiler::shape(70000, 8, 1, 2, 8, 3, true, 1),
                       {.rows = 5, .cols = 1, .lanes = 2, .sram_kib = 128}},
        compiler::Case{
            "gptj", turning("gptj", compiler::shape(40, 16, 2, 2, 32, 20, false, 1), 4), {.rows = 2, .cols = 2}},
        compiler::Case{
            "gptj_spread", turning("gptj", compiler::shape(40, 32, 1, 2, 32, 20, false, 1), 8), {.rows = 4, .cols = 2}},
        compiler::Case{
            "llama", turning("llama", compiler::shape(40, 16, 2, 2, 32, 20, true, 1), 8), {.rows = 2, .cols = 2}},
        compiler::Case{"llama_spread",
                       turning("llama", compiler::shape(40, 32, 1, 2, 32, 20, false, 1), 16),
                       {.rows = 4, .cols = 2}},
        compiler::Case{"grouped",
                       grouped(turning("llama", compiler::shape(40, 32, 2, 4, 32, 20, true, 1), 8)),
                       {.rows = 2, .cols = 2}},
        compiler::Case{"grouped_spread",
                       grouped(turning("llama", compiler::shape(40, 32, 1, 4, 32, 20, true, 1), 8)),
                       {.rows = 9, .cols = 2}}),
    compiler::case_name);

/// An output head of 70 tokens has three groups per home row, the last one smaller.
class DecoderOnRtl : public DecoderTest {};

TEST_P(DecoderOnRtl, HasTheBitsOfFullPasses) {
  const machine::WaferShape& wafer = GetParam().wafer;
  compare(make_rtl_wafer(wafer), make_model_wafer(wafer), GetParam().model.seq);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, DecoderOnRtl,
    testing::Values(compiler::Case{"gpt2", compiler::shape(70, 8, 2, 2, 12, 9, true, 1), {.rows = 2, .cols = 2}},
                    compiler::Case{"spread_heads",
                                   compiler::shape(11, 12, 1, 2, 12, 7, true, 1),
                                   {.rows = 4, .cols = 1, .psum_cycles = 2}},
                    compiler::Case{"gptj",
                                   turning("gptj", compiler::shape(70, 8, 1, 2, 12, 7, false, 1), 2),
                                   {.rows = 2, .cols = 2, .psum_cycles = 2}},
                    compiler::Case{"llama",
                                   turning("llama", compiler::shape(70, 8, 1, 2, 12, 7, false, 1), 4),
                                   {.rows = 2, .cols = 2}},
                    compiler::Case{"grouped",
                                   grouped(turning("llama", compiler::shape(70, 8, 1, 2, 12, 7, false, 1), 4)),
                                   {.rows = 2, .cols = 2}}),
    compiler::case_name);

/// More positions than an accumulator file has entries: scores are computed in blocks.
TEST(Decoder, KeepsMorePositionsThanTheAccumulatorFileHasEntries) {
  const compiler::ModelShape model = compiler::shape(7, 4, 1, 1, 4, 300, true, 1);
  const machine::WaferShape wafer{.rows = 2, .cols = 4, .sram_kib = 128, .sequence_columns = 4};
  const compiler::Plan decode = compiler::compile_decode(model, wafer),
                       whole = compiler::compile_generation(model, wafer);
  const std::vector<float> parameters = compiler::random_parameters(whole, 3, 4);
  Decoder decoder(decode, parameters, make_model_wafer(decode.wafer));
  Generator generator(whole, parameters, make_model_wafer(whole.wafer));
  std::mt19937 random(9);
  std::vector<TokenId> text;
  for (int p = 0; p < model.seq; ++p) {
    text.push_back(static_cast<TokenId>(random() % 7));
    const bool asked = p == 253 || p == 254 || p == 255 || p + 1 == model.seq;
    const Decoder::Next next{text.back(), asked};
    const Logits logits = bits_of(decoder.next({&next, 1}));
    ASSERT_EQ(logits, asked ? bits_of({generator.logits(text)}) : Logits{}) << p;
  }
  EXPECT_THROW(decoder.next({{{}}}), std::out_of_range);
}

}  // namespace
}  // namespace weft::generate
