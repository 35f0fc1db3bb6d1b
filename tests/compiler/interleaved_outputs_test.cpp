/// Streams whose lines hold several outputs: the order of their elements, pads, numbers and counts.
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "sw/base/bf16.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/stream_counts.hpp"
#include "sw/compiler/stream/stream_descriptor.hpp"
#include "tests/compiler/matrix_op.hpp"

namespace weft::compiler {
namespace {

TEST(InterleavedOutputs, AreCounted) {
  Op op = matrix(10, 31, 3, StreamDescriptor::Values::Weights);  // 4, 3 and 3 features on a row, and a bias
  op.descriptor.interleave = {.each = 4, .ones = {9}};
  std::vector<std::uint32_t> elements(3);
  IndexCounts fullest;
  std::vector<Element> row;
  for (StreamReader reader(op.descriptor); reader.next();) {
    std::size_t most = 0;
    for (int r = 0; r < 3; ++r) {
      reader.of_row(r, row);
      elements[static_cast<std::size_t>(r)] += static_cast<std::uint32_t>(row.size());
      most = std::max(most, row.size());
    }
    ++fullest[static_cast<int>(most)];
  }
  const StreamCounts counts(op.descriptor);
  EXPECT_EQ(counts.elements, elements);
  EXPECT_EQ(counts.fullest, fullest);
  EXPECT_GE(fullest.size(), 2U);
}

/// Each output of a line keeps its own elements in order; the remaining entries are pads without effect.
TEST(InterleavedOutputs, TakeTurns) {
  constexpr int kRows = 3;
  constexpr std::size_t kEach = 4;
  std::mt19937 random(3);
  for (const bool sparse : {false, true}) {
    Op op = matrix(10, 31, kRows,
                   StreamDescriptor::Values::Weights);  // 11 or 10 outputs of a home row: its last line has 2 or 3
    std::vector<bool> kept(11 * 31, true);
    if (sparse) {
      for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = random() % 4 == 0;
      op.descriptor.kept = std::make_shared<const std::vector<bool>>(kept);
    }
    const Op alone = op;
    op.descriptor.interleave = {.each = kEach, .ones = {99}};
    StreamReader one(alone.descriptor), reader(op.descriptor);
    std::vector<Element> elements, own;
    std::uint64_t lines = 0, sent = 0;
    for (; reader.next(); ++lines) {
      const int home = reader.home();
      const std::size_t outputs = std::min<std::size_t>(
          kEach, static_cast<std::size_t>(op.descriptor.outputs->count(home) - reader.place().slot));
      std::vector<StreamReader::Place> places(outputs);
      for (StreamReader::Place& place : places) {
        ASSERT_TRUE(one.next());
        place = one.place();
      }
      EXPECT_EQ(reader.output(), op.descriptor.outputs->on_row(home)[static_cast<std::size_t>(reader.place().slot)]);
      for (int row = 0; row < kRows; ++row) {
        reader.of_row(row, elements);
        sent += elements.size();
        std::vector<std::vector<std::uint64_t>> sources(kEach);
        for (std::size_t t = 0; t < elements.size(); ++t) {
          if (elements[t].source != Element::kPad) {
            sources[t % kEach].push_back(elements[t].source);
          } else {
            EXPECT_EQ(elements[t].index, row << 14 | 99);
          }
        }
        std::size_t all = 0;
        for (std::size_t n = 0; n < kEach; ++n) {
          std::vector<std::uint64_t> expected;
          if (n < outputs) {
            one.go(places[n]);
            one.of_row(row, own);
            for (const Element& element : own) expected.push_back(element.source);
          }
          EXPECT_EQ(sources[n], expected) << "output " << n << " of home " << home << ", row " << row;
          all += expected.size();
        }
        EXPECT_TRUE(all == 0 ? elements.empty() : elements.size() >= kEach) << "a whole round, or nothing";
        EXPECT_TRUE(elements.size() <= kEach || elements.back().source != Element::kPad)
            << "nothing is filled up behind";
      }
    }
    EXPECT_FALSE(one.next());
    EXPECT_EQ(lines, 9U);
    EXPECT_EQ(message_count(op), sent + lines);
    std::vector<machine::Message> messages;
    expand(op, std::vector<float>(11 * 31, 1.0F), messages);
    std::vector<machine::Message> expected;
    for (const StreamEntry& entry : entries(op)) {
      const bool weight = entry.source < StreamEntry::kLiteral;
      expected.push_back({weight ? entry.data | kOneBf16 : entry.data, entry.source == StreamEntry::kCtrl});
      EXPECT_TRUE(entry.source != StreamEntry::kLiteral || (entry.data & 0xffff) == 0x8000) << "-0";
    }
    EXPECT_TRUE(messages == expected);
  }
}

/// Each numbered output keeps its own elements in order; a pad replaces only the first element of an output that has
/// none. `far`: a residual in a line of its own, whose sums the first line begins.
void expect_numbered(int kept_of_ten, bool far) {
  constexpr int kRows = 3;
  constexpr std::size_t kEach = 4;
  std::mt19937 random(3);
  Op op = matrix(10, 31, kRows, StreamDescriptor::Values::Weights);  // a home row's last line has 2 or 3 outputs
  if (far) {
    op.descriptor.lines.emplace_back();
    op.descriptor.bias->before_home = true;
    op.descriptor.residual = {.local = 200, .line = 1};
  }
  std::vector<bool> kept(11 * 31, true);
  if (kept_of_ten < 10) {
    for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = random() % 10 < static_cast<unsigned>(kept_of_ten);
    op.descriptor.kept = std::make_shared<const std::vector<bool>>(kept);
  }
  const Op alone = op;
  op.descriptor.interleave = {
      .each = kEach, .ones = std::vector<int>(op.descriptor.lines.size(), 99), .numbered = true, .apart = 3};
  StreamReader one(alone.descriptor), reader(op.descriptor);
  std::vector<Element> elements, own;
  std::uint64_t lines = 0, sent = 0, weights = 0;
  for (; reader.next(); ++lines) {
    const auto place = reader.place();
    const std::size_t outputs =
        std::min<std::size_t>(kEach, static_cast<std::size_t>(op.descriptor.outputs->count(place.home) - place.slot));
    for (int row = 0; row < kRows; ++row) {
      reader.of_row(row, elements);
      sent += elements.size();
      EXPECT_EQ(reader.count_of_row(row, own), elements.size());
      std::vector<std::vector<std::pair<int, std::uint64_t>>> found(kEach);
      for (std::size_t t = 0; t < elements.size(); ++t) {
        const std::size_t n = elements[t].index % 16;
        ASSERT_LT(n, kEach);
        if (t < kEach && place.line == 0) {
          EXPECT_EQ(n, t) << "a whole first round";
        }
        EXPECT_EQ(elements[t].index >> 14, row);
        const int local = (elements[t].index & 0x3fff) >> 4;
        if (elements[t].source != Element::kPad) {
          found[n].emplace_back(local, elements[t].source);
        } else {
          EXPECT_TRUE(t < kEach && place.line == 0 && local == 99) << t;
        }
      }
      std::size_t all = 0;
      for (std::size_t n = 0; n < kEach; ++n) {
        std::vector<std::pair<int, std::uint64_t>> expected;
        if (n < outputs) {
          one.go({place.line, place.home, place.slot + static_cast<int>(n)});
          one.of_row(row, own);
          for (const Element& element : own) expected.emplace_back(element.index & 0x3fff, element.source);
        }
        EXPECT_EQ(found[n], expected) << "output " << n << ", row " << row;
        all += expected.size();
      }
      weights += all;
      EXPECT_EQ(elements.empty(), all == 0 && !(far && place.line == 0));
    }
  }
  EXPECT_EQ(weights + static_cast<std::uint64_t>(far ? 2 * 31 : 31), message_count(alone));
  EXPECT_EQ(message_count(op), sent + lines);
  std::vector<machine::Message> messages, expected;
  expand(op, std::vector<float>(11 * 31, 1.0F), messages);
  for (const StreamEntry& entry : entries(op)) {
    const bool weight = entry.source < StreamEntry::kLiteral;
    expected.push_back({weight ? entry.data | kOneBf16 : entry.data, entry.source == StreamEntry::kCtrl});
  }
  EXPECT_TRUE(messages == expected);
}

TEST(InterleavedOutputs, HavePadsOnlyInTheFirstRoundIfNumbered) {
  for (const int kept_of_ten : {10, 3, 1})
    for (const bool far : {false, true}) {
      SCOPED_TRACE(testing::Message() << kept_of_ten << (far ? " far" : ""));
      expect_numbered(kept_of_ten, far);
    }
}

TEST(InterleavedOutputs, AreNumberedUpToSixteen) {
  Op op = matrix(4, 40, 2, StreamDescriptor::Values::Weights);
  op.descriptor.interleave = {.each = 16, .ones = {9}, .numbered = true};
  EXPECT_NO_THROW(StreamReader{op.descriptor});
  op.descriptor.interleave->each = 17;
  EXPECT_THROW(StreamReader{op.descriptor}, std::invalid_argument);
}

}  // namespace
}  // namespace weft::compiler
