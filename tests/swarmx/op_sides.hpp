/// Ops, their frames, and the messages made from these frames.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/op_frames.hpp"
#include "host/swarmx/protocol/op_messages.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "tests/says.hpp"

namespace weft::swarmx {

/// Expects `work` to throw an error with `words`.
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

inline std::vector<float> some(std::size_t count) {
  std::mt19937 random(1);
  std::vector<float> values(count);
  for (float& value : values) value = as_float(static_cast<std::uint32_t>(random()));
  return values;
}

/// A matrix as in a plan, with or without bias and residual.
inline compiler::Op matrix(int inputs, int outputs, compiler::StreamDescriptor::Values values, bool extras) {
  constexpr int kRows = 5;
  const auto space = [](int size) {
    return std::make_shared<const compiler::Space>(
        compiler::Space::interleaved(compiler::heaviest_first(size, {}), kRows));
  };
  compiler::Op op;
  op.commands = {{machine::Message::command(machine::Command::Call, 0, 3).data, compiler::StreamEntry::kCtrl},
                 {0x30000, 7},
                 {0x40005, compiler::StreamEntry::kLiteral}};
  op.descriptor.values = values;
  op.descriptor.outputs = space(outputs);
  op.descriptor.lines = {{{.space = space(inputs), .in_stride = static_cast<std::uint64_t>(outputs), .out_stride = 1}}};
  if (!extras) return op;
  op.descriptor.bias = {.offset = static_cast<std::uint64_t>(inputs) * static_cast<std::uint64_t>(outputs),
                        .local = 200,
                        .before_home = true};
  op.descriptor.residual = {.local = 300};
  return op;
}

inline std::vector<Frame> frames_of(const compiler::Plan& plan, std::size_t op,
                                    const compiler::Parameters& parameters) {
  std::vector<Frame> frames;
  OpFrames(plan).make(op, parameters, [&](Frame frame) { frames.push_back(std::move(frame)); });
  return frames;
}

inline std::vector<machine::Message> received(OpMessages& side, const std::vector<Frame>& frames) {
  std::vector<machine::Message> all, piece;
  for (const Frame& frame : frames) {
    side.add(frame);
    while (const machine::StreamPiece* const some = side.next()) {
      some->make(piece);
      EXPECT_EQ(piece.size(), some->size());
      all.insert(all.end(), piece.begin(), piece.end());
    }
  }
  side.end();
  return all;
}

}  // namespace weft::swarmx
