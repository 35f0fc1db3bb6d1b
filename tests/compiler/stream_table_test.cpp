/// The table of ops in docs/stream.md is the plan of a model with one layer.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {
namespace {

TEST(StreamTable, NamesTheOpsOfOneLayerInOrder) {
  std::ifstream file(WEFT_STREAM_DOC);
  ASSERT_TRUE(file.is_open()) << WEFT_STREAM_DOC;
  std::vector<std::string> documented, planned;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| op |")) in_table = true;
    if (line.empty()) in_table = false;
    if (in_table && line.starts_with("| `")) documented.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  ModelShape model;
  model.layers = 1;
  for (const Op& op : compile(model, {}).ops) planned.push_back(op.name);
  EXPECT_EQ(documented, planned);
}

}  // namespace
}  // namespace weft
