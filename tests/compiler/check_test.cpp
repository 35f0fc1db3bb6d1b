/// What the compiler says about configurations it cannot plan, and that its hints are right.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "sw/compiler/plan.hpp"

namespace weft {
namespace {

/// The message compile() stops with; empty if it plans.
std::string complaint(const ModelShape& model, const WaferShape& wafer) {
  try {
    compile(model, wafer);
    return "";
  } catch (const CompileError& error) {
    return error.what();
  }
}

std::string with(int ModelShape::*field, int value) {
  ModelShape m;
  m.*field = value;
  return complaint(m, {});
}

std::string with(int WaferShape::*field, int value) {
  WaferShape w;
  w.*field = value;
  return complaint({}, w);
}

/// The number after `name` in `text`, or 0.
int number_after(const std::string& text, const std::string& name) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(name + "([0-9]+)")) ? std::stoi(found[1]) : 0;
}

TEST(Check, HeadsThatDoNotDivideNameTheNearestThatDo) {
  EXPECT_EQ(with(&ModelShape::heads, 5), "model.num_heads: 5 does not divide hidden_size 32. HINT: use 4 or 8.");
  EXPECT_EQ(with(&ModelShape::heads, 0), "model.num_heads: 0 does not divide hidden_size 32. HINT: use 1.");
  EXPECT_EQ(with(&ModelShape::heads, 99), "model.num_heads: 99 does not divide hidden_size 32. HINT: use 32.");
  EXPECT_EQ(with(&ModelShape::hidden, 0), "model.hidden_size: 0 is not at least 1.");
}

TEST(Check, ShapesOutOfRangeNameTheKey) {
  EXPECT_EQ(with(&WaferShape::rows, 129), "wafer.rows: 129 is not in 1..128.");
  EXPECT_EQ(with(&WaferShape::cols, 0), "wafer.cols: 0 is not in 1..128.");
  for (const int lanes : {-4, 0, 1, 3, 6, 32})
    EXPECT_EQ(with(&WaferShape::lanes, lanes),
              "wafer.lanes: " + std::to_string(lanes) + " is not 2, 4, 8 or 16. HINT: use 4.");
  EXPECT_EQ(with(&WaferShape::sram_kib, 0), "wafer.sram_kib: 0 is not in 1..128.");
  EXPECT_EQ(with(&WaferShape::valves, 5), "wafer.valves: 5 is not in 1..4 (wafer.rows). HINT: use 1.");
  for (int ModelShape::*field : {&ModelShape::layers, &ModelShape::filter, &ModelShape::seq, &ModelShape::micro_batch})
    EXPECT_NE(with(field, 0).find("must be at least 1"), std::string::npos);
  EXPECT_NE(with(&ModelShape::vocab, 1).find("vocab_size at least 2"), std::string::npos);
}

TEST(Check, AModelThatDoesNotFitSaysHowManyBytesAndEveryHintFits) {
  ModelShape m;
  m.layers = 6, m.micro_batch = 8;
  WaferShape w;
  w.sram_kib = 48;
  const std::string text = complaint(m, w);
  SCOPED_TRACE(text);
  EXPECT_EQ(number_after(text, "wafer.sram_kib 48 gives "), 48 * 1024);
  const int needed = number_after(text, "needs ");
  EXPECT_GT(needed, 48 * 1024);
  EXPECT_EQ(number_after(text, "total per PE +"), needed);

  WaferShape more = w;
  more.sram_kib = number_after(text, "HINT:.* wafer.sram_kib ");
  EXPECT_EQ(more.sram_kib, (needed + 1023) / 1024);
  EXPECT_EQ(complaint(m, more), "");
  --more.sram_kib;
  EXPECT_NE(complaint(m, more), "") << "less would do";

  more = w;
  more.rows = number_after(text, "wafer.rows ");
  EXPECT_EQ(complaint(m, more), "") << "rows " << more.rows;
  ModelShape less = m;
  less.layers = number_after(text, "num_hidden_layers ");
  EXPECT_EQ(complaint(less, w), "") << "layers " << less.layers;
  less = m;
  less.micro_batch = number_after(text, "micro_batch_size ");
  EXPECT_EQ(complaint(less, w), "") << "micro-batch " << less.micro_batch;
}

TEST(Check, AModelFarTooLargeIsToldToShrink) {
  ModelShape m;
  m.hidden = 4096, m.filter = 16384, m.seq = 1024;
  EXPECT_NE(complaint(m, {}).find("HINT: use a smaller model."), std::string::npos);
}

TEST(Check, TokensBeyondTheAccumulatorFileAreCounted) {
  ModelShape m;
  m.hidden = 4, m.heads = 1, m.filter = 4, m.vocab = 4, m.seq = 8, m.layers = 1, m.micro_batch = 22;
  WaferShape w;
  w.cols = 1;
  EXPECT_EQ(complaint(m, w),
            "176 tokens of a micro-batch fall on one column; the accumulator file holds 168. HINT: use more wafer.cols "
            "or a smaller train_input.micro_batch_size.");
  m.micro_batch = 21;
  EXPECT_EQ(complaint(m, w), "");
}

TEST(Check, AnIndexMustReachEveryArray) {
  ModelShape m;
  m.hidden = 128, m.heads = 1, m.filter = 128, m.seq = 4, m.micro_batch = 1, m.layers = 80;
  WaferShape w;
  w.rows = 128, w.cols = 1;
  EXPECT_EQ(complaint(m, w),
            "a weight's index cannot reach every array: 128 rows leave 512 local indices. HINT: use fewer rows.");
}

TEST(Check, TheSmallestModelOnTheSmallestWaferHasAPlan) {
  ModelShape m;
  m.vocab = 2, m.hidden = m.layers = m.heads = m.filter = m.seq = m.micro_batch = 1;
  EXPECT_EQ(complaint(m, {.rows = 1, .cols = 1, .sram_kib = 1}), "");
}

}  // namespace
}  // namespace weft
