/// Lines as the estimate reads them have the messages of the stream, in its order.
#include "host/planning/estimate/lines.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::planning {
namespace {

/// Compares each line of all ops, and returns the number of those that are whole, with interleaved outputs and without.
std::pair<int, int> expect_order_of_the_stream(const compiler::Plan& plan) {
  std::pair<int, int> whole;
  std::vector<compiler::Element> elements;
  for (const compiler::Op& op : plan.ops) {
    if (op.descriptor.empty()) continue;
    StreamLines lines(op.descriptor);
    compiler::StreamReader reader(op.descriptor);
    std::size_t count = 0;
    for (; reader.next(); ++count) {
      EXPECT_TRUE(lines.next()) << op.name;
      reader.all_rows(elements);
      std::vector<std::uint16_t> rows;
      for (const compiler::Element& element : elements) rows.push_back(element.row);
      EXPECT_EQ(lines.rows(), rows) << op.name << ", line " << count;
      if (reader.is_numbered()) {
        std::vector<std::uint8_t> sums;
        for (const compiler::Element& element : elements)
          sums.push_back(static_cast<std::uint8_t>(element.index % compiler::SumOrder::kMostSums));
        EXPECT_EQ(lines.sums(), sums) << op.name << ", line " << count;
      }
      whole.first += reader.is_whole_interleaved();
      whole.second += reader.is_whole();
    }
    EXPECT_FALSE(lines.next()) << op.name;
    EXPECT_EQ(StreamLines::count(op.descriptor), count) << op.name;
  }
  return whole;
}

TEST(Lines, HaveTheOrderOfTheStream) {
  const compiler::ModelShape model{
      .vocab = 50, .hidden = 44, .layers = 1, .heads = 4, .filter = 90, .seq = 8, .micro_batch = 6};
  const machine::WaferShape wafer{.rows = 5, .cols = 6, .sram_kib = 64, .valves = 5, .psum_cycles = 2};
  const auto [interleaved, others] = expect_order_of_the_stream(compiler::compile(model, wafer));
  EXPECT_GT(interleaved, 20);
  EXPECT_GT(others, 20);
  compiler::Mask mask;
  for (const compiler::TensorInfo& tensor : compiler::model_tensors(model))
    if (tensor.name.starts_with("h.") && tensor.dims.size() == 2)
      mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, 0.7, 1);
  expect_order_of_the_stream(compiler::compile(model, wafer, mask));
}

}  // namespace
}  // namespace weft::planning
