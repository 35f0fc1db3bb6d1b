/// An op's frames, converted back, give the plan's messages.
#include <stdexcept>

#include "sw/compiler/stream/expand.hpp"
#include "tests/swarmx/op_sides.hpp"

namespace weft::swarmx {
namespace {

/// Plans with ops of all kinds, and all frames that each may have.
TEST(OpMessages, AreThePlans) {
  compiler::Plan plan;
  plan.ops = {matrix(300, 700, compiler::StreamDescriptor::Values::Weights, true),
              matrix(300, 700, compiler::StreamDescriptor::Values::Indices, false),
              matrix(3, 2, compiler::StreamDescriptor::Values::Weights, false),
              matrix(40, 9, compiler::StreamDescriptor::Values::Weights, true)};
  std::vector<bool> kept(301 * 700);
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = k % 3 == 0;
  for (const std::size_t op : {0U, 1U}) {  // both again, with a mask
    plan.ops.push_back(plan.ops[op]);
    plan.ops.back().descriptor.kept = std::make_shared<const std::vector<bool>>(kept);
  }
  compiler::Op sum;  // no parameters: without a bias, with the old value
  sum.descriptor = plan.ops[0].descriptor;
  sum.descriptor.lines[0].clear();
  sum.descriptor.bias.reset();
  plan.ops.push_back(sum);
  compiler::Op commands;
  commands.commands = {plan.ops[0].commands[0], plan.ops[0].commands[2]};
  plan.ops.push_back(commands);
  const std::vector<float> parameters = some(301 * 700);
  OpMessages side(plan);
  std::vector<machine::Message> expected;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t op = 0; op < plan.ops.size(); ++op) {
      compiler::expand(plan.ops[op], parameters, expected);
      EXPECT_EQ(received(side, frames_of(plan, op, parameters)), expected) << op;
    }
  }
  std::size_t bytes = 0;
  for (const Frame& frame : frames_of(plan, 0, parameters)) bytes += frame.bytes().size() - kOpHeader;
  EXPECT_EQ(bytes, 2U * (1 + 301 * 700)) << "a command's weight, the matrix, the bias";
  EXPECT_EQ(frames_of(plan, 0, parameters).size(), 4U);
  EXPECT_EQ(frames_of(plan, 7, parameters).size(), 1U);
}

/// A line with more weights than fit into a frame.
TEST(OpMessages, LineLargerThanAFrameIsSplit) {
  compiler::Plan plan;
  plan.ops.resize(2);
  for (std::uint64_t k = 0; k < 3 * kMostWeights; ++k)
    plan.ops[0].commands.push_back({static_cast<std::uint32_t>(k) << 16, k});
  plan.ops[1].commands = {{1, compiler::StreamEntry::kLiteral}};
  const std::vector<float> parameters = some(3 * kMostWeights);
  const std::vector<Frame> frames = frames_of(plan, 0, parameters);
  EXPECT_EQ(frames.size(), 3U);
  for (const Frame& frame : frames) EXPECT_LE(frame.bytes().size(), kMaxPayload);
  std::vector<machine::Message> expected;
  compiler::expand(plan.ops[0], parameters, expected);
  OpMessages side(plan);
  EXPECT_TRUE(received(side, frames) == expected);
  for (const Frame& frame : std::span(frames).first(2)) side.add(frame);
  Frame small = frames[0];
  small.carry(Bytes(frames[0].bytes().begin(), frames[0].bytes().begin() + 100));
  OpMessages slow(plan);
  refuses([&] { slow.add(small); }, "in frames that are too small");
  refuses([&] { side.add(frames_of(plan, 1, parameters)[0]); }, "left out a part of op 0");
  OpMessages flooded(plan);
  refuses(
      [&] {
        for (Frame frame = frames[0]; frame.part < 5; ++frame.part) flooded.add(frame);
      },
      "more weights than op 0 has");
}

/// The next op's frames after an op was abandoned, as by a failed step.
TEST(OpMessages, AreThoseOfTheNextOpWhereTheLastWasGivenUp) {
  compiler::Plan plan;
  plan.ops = {matrix(300, 700, compiler::StreamDescriptor::Values::Weights, true),
              matrix(40, 9, compiler::StreamDescriptor::Values::Weights, false)};
  const std::vector<float> parameters = some(301 * 700);
  OpFrames maker(plan);
  EXPECT_THROW(maker.make(0, parameters, [](const Frame&) { throw std::runtime_error("given up"); }),
               std::runtime_error);
  std::vector<Frame> frames;
  maker.make(1, parameters, [&](Frame frame) { frames.push_back(std::move(frame)); });
  std::vector<machine::Message> expected;
  compiler::expand(plan.ops[1], parameters, expected);
  OpMessages side(plan);
  EXPECT_EQ(received(side, frames), expected);
}

}  // namespace
}  // namespace weft::swarmx
