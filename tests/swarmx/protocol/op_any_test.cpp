/// The round trip of op_messages_test for random descriptors of all kinds.
#include <stdexcept>

#include "sw/compiler/stream/expand.hpp"
#include "tests/swarmx/op_sides.hpp"

namespace weft::swarmx {
namespace {

/// A random descriptor of any kind, including some that StreamReader rejects.
compiler::Op any(std::mt19937& random, std::size_t parameters) {
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  const int rows = 1 + below(7), inputs = 1 + below(400), outputs = 1 + below(200);
  const auto space = [rows](int size) {
    return std::make_shared<const compiler::Space>(
        compiler::Space::interleaved(compiler::heaviest_first(size, {}), rows));
  };
  compiler::Op op;
  compiler::StreamDescriptor& descriptor = op.descriptor;
  descriptor.outputs = space(outputs);
  const bool interleaved = below(3) == 0;
  if (below(3) == 0) {
    const int lines = interleaved ? 1 : 1 + below(2);
    for (int k = below(3); k >= 0; --k)
      descriptor.own.push_back({.local = 50 * k,
                                .fixed = below(2) == 0,
                                .offset = 1000 * static_cast<std::uint64_t>(k),
                                .line = below(static_cast<unsigned>(lines))});
    if (!interleaved && descriptor.lines_of_output() == 1) descriptor.together = 1 + below(4);
  } else {
    const auto in = static_cast<std::uint64_t>(inputs), out = static_cast<std::uint64_t>(outputs);
    const bool beside = below(2) == 0;
    for (int k = below(interleaved ? 2 : 3); k >= 0; --k)
      descriptor.lines.push_back({{.space = space(inputs),
                                   .local = 10,
                                   .offset = static_cast<std::uint64_t>(k) * in * out,
                                   .in_stride = beside ? out : 1,
                                   .out_stride = beside ? 1 : in}});
    if (below(2) == 0) descriptor.bias = {.offset = parameters - 300, .local = 5, .before_home = true};
    if (below(2) == 0) descriptor.residual = {.local = 500, .line = static_cast<int>(descriptor.lines.size()) - 1};
  }
  if (interleaved)
    descriptor.interleave = {.each = 1 + below(20),
                             .ones = std::vector<int>(static_cast<std::size_t>(descriptor.lines_of_output()), 9),
                             .numbered = below(2) == 0,
                             .apart = below(9)};
  if (below(3) == 0) {
    std::vector<bool> kept(parameters);
    for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = random() % 3 != 0;
    descriptor.kept = std::make_shared<const std::vector<bool>>(std::move(kept));
  }
  if (!interleaved && below(4) == 0) descriptor.values = compiler::StreamDescriptor::Values::Indices;
  for (std::uint32_t k = random() % 4; k > 0; --k)
    op.commands.push_back({k << 16, below(3) == 0   ? random() % 1000
                                    : below(2) == 0 ? compiler::StreamEntry::kLiteral
                                                    : compiler::StreamEntry::kCtrl});
  return op;
}

TEST(OpMessages, AnyKindEqualsThePlan) {
  std::mt19937 random(3);
  const std::vector<float> parameters = some(300'000);
  int compared = 0;
  for (int n = 0; n < 400; ++n) {
    compiler::Plan plan;
    plan.ops = {any(random, parameters.size())};
    std::vector<machine::Message> expected;
    try {
      compiler::expand(plan.ops[0], parameters, expected);
    } catch (const std::invalid_argument&) {
      continue;
    }
    OpMessages side(plan);
    ASSERT_TRUE(received(side, frames_of(plan, 0, parameters)) == expected) << n;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace weft::swarmx
