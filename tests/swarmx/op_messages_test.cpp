/// An op's frames and back: the messages are the plan's, whatever the op is; and frames that are not as the plan has it
/// are refused.
#include "host/swarmx/op_messages.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>

#include "host/swarmx/error.hpp"
#include "host/swarmx/op_frames.hpp"
#include "sw/compiler/expand.hpp"
#include "sw/compiler/loads.hpp"
#include "tests/says.hpp"

namespace weft {
namespace {

/// `work` is refused with these words.
template <class Work>
void refuses(Work work, const std::string& words) {
  try {
    work();
    ADD_FAILURE() << "taken, and not: " << words;
  } catch (const CorruptFrame& refusal) {
    EXPECT_SAYS(refusal.what(), "the parent");
    EXPECT_SAYS(refusal.what(), words);
  }
}

std::vector<float> some(std::size_t count) {
  std::mt19937 random(1);
  std::vector<float> values(count);
  for (float& value : values) value = as_float(static_cast<std::uint32_t>(random()));
  return values;
}

/// A matrix, with a bias and a residual or without, as a plan has it.
Op matrix(int inputs, int outputs, Sweep::Values values, bool extras) {
  constexpr int kRows = 5;
  const auto space = [](int size) {
    return std::make_shared<const Space>(Space::dealt(heaviest_first(size, {}), kRows));
  };
  Op op;
  op.commands = {
      {Message::command(Command::Call, 0, 3).data, StreamEntry::kCtrl}, {0x30000, 7}, {0x40005, StreamEntry::kLiteral}};
  op.sweep.values = values;
  op.sweep.outputs = space(outputs);
  op.sweep.lines = {{{.space = space(inputs), .in_stride = static_cast<std::uint64_t>(outputs), .out_stride = 1}}};
  if (!extras) return op;
  op.sweep.bias = {.offset = static_cast<std::uint64_t>(inputs) * static_cast<std::uint64_t>(outputs),
                   .local = 200,
                   .before_home = true};
  op.sweep.residual = {.local = 300};
  return op;
}

std::vector<Frame> frames_of(const Plan& plan, std::size_t op, const Parameters& parameters) {
  std::vector<Frame> frames;
  OpFrames(plan).make(op, parameters, [&](Frame frame) { frames.push_back(std::move(frame)); });
  return frames;
}

std::vector<Message> received(OpMessages& side, const std::vector<Frame>& frames) {
  std::vector<Message> all, piece;
  for (const Frame& frame : frames) {
    side.take(frame);
    while (const StreamPiece* const some = side.next()) {
      some->make(piece);
      EXPECT_EQ(piece.size(), some->size());
      all.insert(all.end(), piece.begin(), piece.end());
    }
  }
  side.end();
  return all;
}

/// Plans of ops of all kinds, and the frames that each may have.
TEST(OpMessages, AreThePlans) {
  Plan plan;
  plan.ops = {matrix(300, 700, Sweep::Values::Weights, true), matrix(300, 700, Sweep::Values::Indices, false),
              matrix(3, 2, Sweep::Values::Weights, false), matrix(40, 9, Sweep::Values::Weights, true)};
  std::vector<bool> kept(301 * 700);
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = k % 3 == 0;
  for (const std::size_t op : {0U, 1U}) {  // the same again, as a mask leaves them
    plan.ops.push_back(plan.ops[op]);
    plan.ops.back().sweep.kept = std::make_shared<const std::vector<bool>>(kept);
  }
  Op sum;  // no parameter at all: a bias that is none, and the old value
  sum.sweep = plan.ops[0].sweep;
  sum.sweep.lines[0].clear();
  sum.sweep.bias.reset();
  plan.ops.push_back(sum);
  Op commands;
  commands.commands = {plan.ops[0].commands[0], plan.ops[0].commands[2]};
  plan.ops.push_back(commands);
  const std::vector<float> parameters = some(301 * 700);
  OpMessages side(plan);
  std::vector<Message> expected;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t op = 0; op < plan.ops.size(); ++op) {
      expand(plan.ops[op], parameters, expected);
      EXPECT_EQ(received(side, frames_of(plan, op, parameters)), expected) << op;
    }
  }
  std::size_t bytes = 0;
  for (const Frame& frame : frames_of(plan, 0, parameters)) bytes += frame.bytes().size() - kOpHeader;
  EXPECT_EQ(bytes, 2U * (1 + 301 * 700)) << "a command's weight, the matrix, the bias";
  EXPECT_EQ(frames_of(plan, 0, parameters).size(), 4U);
  EXPECT_EQ(frames_of(plan, 7, parameters).size(), 1U);
}

/// A sweep of any kind that there is, also of some that SweepReader refuses.
Op any(std::mt19937& random, std::size_t parameters) {
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  const int rows = 1 + below(7), inputs = 1 + below(400), outputs = 1 + below(200);
  const auto space = [rows](int size) {
    return std::make_shared<const Space>(Space::dealt(heaviest_first(size, {}), rows));
  };
  Op op;
  Sweep& sweep = op.sweep;
  sweep.outputs = space(outputs);
  const bool dealt = below(3) == 0;
  if (below(3) == 0) {
    const int lines = dealt ? 1 : 1 + below(2);
    for (int k = below(3); k >= 0; --k)
      sweep.own.push_back({.local = 50 * k,
                           .fixed = below(2) == 0,
                           .offset = 1000 * static_cast<std::uint64_t>(k),
                           .line = below(static_cast<unsigned>(lines))});
    if (!dealt && sweep.lines_of_output() == 1) sweep.together = 1 + below(4);
  } else {
    const auto in = static_cast<std::uint64_t>(inputs), out = static_cast<std::uint64_t>(outputs);
    const bool beside = below(2) == 0;
    for (int k = below(dealt ? 2 : 3); k >= 0; --k)
      sweep.lines.push_back({{.space = space(inputs),
                              .local = 10,
                              .offset = static_cast<std::uint64_t>(k) * in * out,
                              .in_stride = beside ? out : 1,
                              .out_stride = beside ? 1 : in}});
    if (below(2) == 0) sweep.bias = {.offset = parameters - 300, .local = 5, .before_home = true};
    if (below(2) == 0) sweep.residual = {.local = 500, .line = static_cast<int>(sweep.lines.size()) - 1};
  }
  if (dealt) sweep.deal = {.each = 1 + below(5), .ones = 9};
  if (below(3) == 0) {
    std::vector<bool> kept(parameters);
    for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = random() % 3 != 0;
    sweep.kept = std::make_shared<const std::vector<bool>>(std::move(kept));
  }
  if (!dealt && below(4) == 0) sweep.values = Sweep::Values::Indices;
  for (std::uint32_t k = random() % 4; k > 0; --k)
    op.commands.push_back({k << 16, below(3) == 0   ? random() % 1000
                                    : below(2) == 0 ? StreamEntry::kLiteral
                                                    : StreamEntry::kCtrl});
  return op;
}

TEST(OpMessages, OfOpsOfAnyKindAreThePlans) {
  std::mt19937 random(3);
  const std::vector<float> parameters = some(300'000);
  int compared = 0;
  for (int n = 0; n < 400; ++n) {
    Plan plan;
    plan.ops = {any(random, parameters.size())};
    std::vector<Message> expected;
    try {
      expand(plan.ops[0], parameters, expected);
    } catch (const std::invalid_argument&) {
      continue;
    }
    OpMessages side(plan);
    ASSERT_TRUE(received(side, frames_of(plan, 0, parameters)) == expected) << n;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

/// One line of more weights than a frame has room for.
TEST(OpMessages, OfALineThatIsLargerThanAFrame) {
  Plan plan;
  plan.ops.resize(2);
  for (std::uint64_t k = 0; k < 3 * kMostWeights; ++k)
    plan.ops[0].commands.push_back({static_cast<std::uint32_t>(k) << 16, k});
  plan.ops[1].commands = {{1, StreamEntry::kLiteral}};
  const std::vector<float> parameters = some(3 * kMostWeights);
  const std::vector<Frame> frames = frames_of(plan, 0, parameters);
  EXPECT_EQ(frames.size(), 3U);
  for (const Frame& frame : frames) EXPECT_LE(frame.bytes().size(), kMaxPayload);
  std::vector<Message> expected;
  expand(plan.ops[0], parameters, expected);
  OpMessages side(plan);
  EXPECT_TRUE(received(side, frames) == expected);
  for (const Frame& frame : std::span(frames).first(2)) side.take(frame);
  Frame small = frames[0];
  small.carry(Bytes(frames[0].bytes().begin(), frames[0].bytes().begin() + 100));
  OpMessages slow(plan);
  refuses([&] { slow.take(small); }, "in small parts");
  refuses([&] { side.take(frames_of(plan, 1, parameters)[0]); }, "left out a part of op 0");
  OpMessages flooded(plan);
  refuses(
      [&] {
        for (Frame frame = frames[0]; frame.part < 5; ++frame.part) flooded.take(frame);
      },
      "more weights than op 0 has");
}

/// As a step that has failed leaves it.
TEST(OpMessages, AreThoseOfTheNextOpWhereTheLastWasGivenUp) {
  Plan plan;
  plan.ops = {matrix(300, 700, Sweep::Values::Weights, true), matrix(40, 9, Sweep::Values::Weights, false)};
  const std::vector<float> parameters = some(301 * 700);
  OpFrames maker(plan);
  EXPECT_THROW(maker.make(0, parameters, [](const Frame&) { throw std::runtime_error("given up"); }),
               std::runtime_error);
  std::vector<Frame> frames;
  maker.make(1, parameters, [&](Frame frame) { frames.push_back(std::move(frame)); });
  std::vector<Message> expected;
  expand(plan.ops[1], parameters, expected);
  OpMessages side(plan);
  EXPECT_EQ(received(side, frames), expected);
}

struct Lies : testing::Test {
  Lies() {
    plan.ops = {matrix(300, 700, Sweep::Values::Weights, true), matrix(30, 20, Sweep::Values::Indices, false)};
    plan.ops[1].commands.erase(plan.ops[1].commands.begin() + 1);
  }
  /// The op's frames, one of them changed, are refused with these words.
  void refused(std::size_t op, std::size_t at, const std::function<void(Frame&, Bytes&)>& change,
               const std::string& words) {
    std::vector<Frame> frames = frames_of(plan, op, parameters);
    Bytes bytes(frames.at(at).bytes().begin(), frames[at].bytes().end());
    change(frames[at], bytes);
    frames[at].carry(std::move(bytes));
    OpMessages side(plan);
    refuses([&] { received(side, frames); }, words);
  }
  Plan plan;
  std::vector<float> parameters = some(301 * 700);
};

TEST_F(Lies, AreRefused) {
  refused(
      0, 0, [](Frame&, Bytes& b) { b.resize(b.size() - 2); }, "not as its plan has it");
  refused(
      0, 1, [](Frame&, Bytes& b) { b.resize(b.size() + 2, 0); }, "not as its plan has it");
  refused(
      0, 1, [](Frame&, Bytes& b) { b.resize(b.size() + 1, 0); }, "another part than the next of op 0");
  refused(
      0, 0, [](Frame&, Bytes& b) { b.resize(3); }, "another part than the next of op 0");
  refused(
      0, 0, [](Frame&, Bytes& b) { b.clear(); }, "another part than the next of op 0");
  refused(
      0, 1, [](Frame&, Bytes& b) { b[0] ^= 2; }, "not as its plan has it");
  refused(
      0, 1, [](Frame&, Bytes& b) { b[0] |= 1; }, "in small parts");
  refused(
      0, 1, [](Frame& f, Bytes&) { f.part = 2; }, "another part than the next of op 0");
  refused(
      0, 1, [](Frame& f, Bytes&) { f.part = 0; }, "left out a part of op 0");
  refused(
      0, 2, [](Frame& f, Bytes&) { f.op = 1; }, "another part than the next of op 1");
  refused(
      1, 0, [](Frame&, Bytes& b) { b[0] = 2; }, "weights of an op that has none");
  refused(
      1, 0, [](Frame&, Bytes& b) { b.resize(6, 0); }, "weights of an op that has none");
  refused(
      1, 0, [](Frame& f, Bytes&) { f.part = 1; }, "another part than the next of op 1");
  refused(
      0, 3, [](Frame& f, Bytes& b) { f.part = 3, b.resize(4), b[0] = b[1] = b[2] = b[3] = 0; },
      "not as its plan has it");
  OpMessages side(plan);
  refuses(
      [&] {
        auto frames = frames_of(plan, 0, parameters);
        frames.pop_back();
        received(side, frames);
      },
      "left out a part of op 0");
}

}  // namespace
}  // namespace weft
