/// Streams in parts: whole lines of many outputs, gradients from any word on.
#include "sw/compiler/stream/stream_descriptor.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "sw/compiler/stream/stream_counts.hpp"
#include "tests/compiler/matrix_op.hpp"

namespace weft::compiler {
namespace {

/// LayerNorm's scale and shift, each above its own base.
TEST(StreamDescriptor, OwnElementsInTwoLinesEnd) {
  Op op;
  op.descriptor.outputs = interleaved_space(7, 3);
  op.descriptor.own = {{.offset = 0}, {.fixed = true, .offset = 7, .line = 1}};
  StreamReader reader(op.descriptor);
  std::vector<Element> elements;
  std::vector<std::uint64_t> sources;
  int lines = 0;
  for (; reader.next(); ++lines) {
    reader.all_rows(elements);
    for (const Element& element : elements) sources.push_back(element.source);
  }
  EXPECT_EQ(lines, 6);
  EXPECT_EQ(sources, (std::vector<std::uint64_t>{0, 1, 2, 7, 8, 9, 3, 4, 5, 10, 11, 12, 6, 13}));
  EXPECT_FALSE(reader.next()) << "again";
  EXPECT_EQ(message_count(op), 20U);
  std::vector<machine::Message> messages;
  expand(op, {}, messages);
  EXPECT_EQ(messages.size(), 20U);
}

/// Scale and shift, interleaved two slots at a time; the rows have three, two and two slots.
TEST(StreamDescriptor, InterleavedSlotsTakeTurns) {
  Op op;
  op.descriptor.outputs = interleaved_space(7, 3);
  op.descriptor.own = {{.offset = 0}, {.fixed = true, .offset = 7}};
  op.descriptor.interleave = {.each = 2, .ones = {5}};
  StreamReader reader(op.descriptor);
  std::vector<Element> elements;
  std::vector<std::vector<std::uint64_t>> lines;
  while (reader.next()) {
    reader.all_rows(elements);
    lines.emplace_back();
    for (const Element& element : elements) lines.back().push_back(element.source);
  }
  EXPECT_EQ(lines, (std::vector<std::vector<std::uint64_t>>{{0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12}, {6, 13}}));
  op.descriptor.own[1].line = 1;
  EXPECT_THROW(StreamReader{op.descriptor}, std::invalid_argument);
}

/// Scale and shift, one slot after the other.
TEST(StreamDescriptor, SlotsThatShareALineFollowEachOther) {
  Op op;
  op.descriptor.values = StreamDescriptor::Values::Indices;
  op.descriptor.outputs = interleaved_space(7, 3);
  op.descriptor.own = {{.offset = 0}, {.fixed = true, .offset = 7}};
  op.descriptor.together = 2;
  StreamReader reader(op.descriptor);
  std::vector<Element> elements;
  std::vector<std::vector<std::uint64_t>> lines;
  while (reader.next()) {
    reader.of_row(0, elements);
    lines.emplace_back();
    for (const Element& element : elements) lines.back().push_back(element.source);
  }
  EXPECT_EQ(lines, (std::vector<std::vector<std::uint64_t>>{{0, 7, 3, 10}, {6, 13}}));
  EXPECT_EQ(message_count(op), 16U);
  EXPECT_EQ(gradient_parameters(op),
            (std::vector<std::vector<std::uint64_t>>{{0, 7, 3, 10, 6, 13}, {1, 8, 4, 11}, {2, 9, 5, 12}}));
  for (const int wrong : {0, -1}) {
    op.descriptor.together = wrong;
    EXPECT_THROW(StreamReader{op.descriptor}, std::invalid_argument);
  }
  op.descriptor.together = 2;
  op.descriptor.interleave = {.each = 2, .ones = {5}};
  EXPECT_THROW(StreamReader{op.descriptor}, std::invalid_argument);
  op.descriptor.interleave.reset();
  op.descriptor.own[1].line = 1;
  EXPECT_THROW(StreamReader{op.descriptor}, std::invalid_argument);
  EXPECT_THROW(StreamReader{(op.descriptor.own.clear(), op.descriptor)}, std::invalid_argument);
}

/// Matrices larger than the staging buffer, in both orientations: contiguous and strided.
TEST(StreamDescriptor, PiecesAreTheWhole) {
  for (const auto& [inputs, outputs, rows] : {std::tuple{1500, 2100, 40}, {37, 60001, 3}, {3000, 1100, 1}}) {
    for (const bool transposed : {false, true}) {
      Op op = matrix(inputs, outputs, rows, StreamDescriptor::Values::Weights);
      StreamDescriptor::Input& in = op.descriptor.lines[0][0];
      if (transposed) in.in_stride = 1, in.out_stride = static_cast<std::uint64_t>(inputs);
      std::vector<float> parameters(static_cast<std::size_t>(inputs + 1) * static_cast<std::size_t>(outputs));
      std::mt19937 random(1);
      for (float& p : parameters) p = as_float(static_cast<std::uint32_t>(random()));
      std::vector<machine::Message> expected;
      for (const StreamEntry& entry : entries(op)) {
        const bool weight = entry.source < StreamEntry::kLiteral;
        expected.push_back({weight ? entry.data | to_bf16(as_bits(parameters[entry.source])) : entry.data,
                            entry.source == StreamEntry::kCtrl});
      }
      std::vector<machine::Message> messages;
      Expansion expansion(op);
      std::size_t at = 0;
      while (expansion.next(parameters, messages)) {
        EXPECT_LT(messages.size() - at, Expansion::kPiece + 4000);
        at = messages.size();
      }
      EXPECT_TRUE(messages == expected) << inputs << " " << transposed;
    }
  }
}

TEST(StreamDescriptor, GradientsAreFoundFromAnyWordOn) {
  Op op = matrix(300, 700, 7, StreamDescriptor::Values::Indices);
  std::mt19937 random(2);
  for (const bool sparse : {false, true}) {
    if (sparse) {
      std::vector<bool> kept(301 * 700);
      for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = random() % 3 == 0;
      op.descriptor.kept = std::make_shared<const std::vector<bool>>(kept);
    }
    std::vector<std::uint64_t> all;
    for (const auto& row : gradient_parameters(op)) all.insert(all.end(), row.begin(), row.end());
    GradientOrder order(op);
    ASSERT_EQ(order.words(), all.size());
    for (int n = 0; n < 200; ++n) {
      const std::size_t first = random() % all.size(), count = random() % (all.size() - first) + 1;
      std::vector<std::uint64_t> some(count, ~0ULL);
      order.for_each(first, count, [&](const GradientOrder::Piece& piece) {
        piece.for_each([&](std::uint64_t parameter, std::size_t word) { some.at(word) = parameter; });
      });
      EXPECT_TRUE(std::ranges::equal(some, std::span(all).subspan(first, count))) << first << " " << count;
    }
    EXPECT_THROW(order.for_each(all.size(), 1, [](auto) {}), std::out_of_range);
  }
}

/// Heads of 3 features, of which each two share the parameters of one, as outputs and as inputs.
TEST(StreamDescriptor, CopiesTakeTheParametersOfTheirGroup) {
  const HeadCopies copies{.features = 3, .times = 2};
  const std::vector<std::uint64_t> of = {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5};
  for (const bool neighbours : {false, true}) {
    for (const bool outputs : {false, true}) {
      Op op = matrix(outputs ? 5 : 12, outputs ? 12 : 5, 4, StreamDescriptor::Values::Weights);
      StreamDescriptor::Input& in = op.descriptor.lines[0][0];
      const std::uint64_t ins = outputs ? 5 : 6, outs = outputs ? 6 : 5;
      in.in_stride = neighbours ? outs : 1, in.out_stride = neighbours ? 1 : ins;
      (outputs ? op.descriptor.outputs_copies : in.copies) = copies;
      op.descriptor.bias->offset = 30;
      EXPECT_EQ(parameters_end(op.descriptor), 30 + outs);
      std::vector<float> parameters(30 + outs);
      std::iota(parameters.begin(), parameters.end(), 1.0F);
      std::multiset<std::uint64_t> expected;
      for (std::uint64_t o = 0; o < (outputs ? 12U : 5U); ++o) {
        const std::uint64_t output = outputs ? of[o] : o;
        for (std::uint64_t i = 0; i < (outputs ? 5U : 12U); ++i)
          expected.insert((outputs ? i : of[i]) * in.in_stride + output * in.out_stride);
        expected.insert(30 + output);
      }
      std::vector<std::uint64_t> listed, streamed;
      for (const StreamEntry& entry : entries(op))
        if (entry.source < StreamEntry::kLiteral) listed.push_back(entry.source);
      EXPECT_EQ(std::multiset<std::uint64_t>(listed.begin(), listed.end()), expected);
      std::vector<machine::Message> messages;
      expand(op, parameters, messages);
      for (const machine::Message& message : messages)
        if (!message.ctrl) streamed.push_back(static_cast<std::uint64_t>(as_float(message.data << 16)) - 1);
      EXPECT_EQ(streamed, listed);
      op.descriptor.values = StreamDescriptor::Values::Indices;
      GradientOrder order(op);
      std::multiset<std::uint64_t> returned;
      for (std::size_t word = 0; word < order.words(); ++word) returned.insert(order.parameter(word));
      EXPECT_EQ(returned, expected);
    }
  }
}

TEST(StreamDescriptor, CountsWhatItHas) {
  const Op op = matrix(50, 30, 4, StreamDescriptor::Values::Indices);
  const StreamCounts counts(op.descriptor);
  EXPECT_EQ(counts.lines, 30u);
  EXPECT_EQ(std::accumulate(counts.elements.begin(), counts.elements.end(), 0u), 51u * 30);
  // 13 features on rows 0 and 1, 12 on the others: the row that adds the bias decides.
  EXPECT_EQ(counts.fullest, (IndexCounts{{13, 15}, {14, 15}}));
}

TEST(StreamDescriptor, ABiasWithAResidualIsOnTheRowBefore) {
  Op op = matrix(4, 4, 2, StreamDescriptor::Values::Weights);
  op.descriptor.residual = {.local = 7};
  EXPECT_THROW(StreamReader{op.descriptor}, std::invalid_argument);
  op.descriptor.bias->before_home = true;
  EXPECT_NO_THROW(StreamReader{op.descriptor});
}

}  // namespace
}  // namespace weft::compiler
