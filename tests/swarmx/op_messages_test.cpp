/// An op's frames and back: the messages are the plan's, whatever the op is; and frames that are not as the plan has it
/// are refused.
#include "host/swarmx/op_messages.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>
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
  refuses([&] { side.take(frames_of(plan, 1, parameters)[0]); }, "left out a part of op 0");
  OpMessages flooded(plan);
  refuses(
      [&] {
        for (Frame frame = frames[0]; frame.part < 5; ++frame.part) flooded.take(frame);
      },
      "more weights than op 0 has");
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
      0, 1, [](Frame&, Bytes& b) { b[0] |= 1; }, "not as its plan has it");
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
