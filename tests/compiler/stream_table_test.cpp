/// The table of ops in docs/explanation/stream.md equals the plan of a model with one layer.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {
namespace {

/// Names of the ops in each of the page's tables, [table].
std::vector<std::vector<std::string>> documented() {
  std::ifstream file(WEFT_STREAM_DOC);
  EXPECT_TRUE(file.is_open()) << WEFT_STREAM_DOC;
  std::vector<std::vector<std::string>> tables;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) in_table = false;
    if (line.starts_with("| op |")) in_table = true, tables.emplace_back();
    if (in_table && line.starts_with("| `")) tables.back().push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return tables;
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> result;
  for (const Op& op : plan.ops) result.push_back(op.name);
  return result;
}

TEST(StreamTable, NamesTheOpsOfOneLayerInOrder) {
  ModelShape model;
  model.layers = 1;
  EXPECT_EQ(documented().at(0), names(compile(model, {})));
}

TEST(StreamTable, GenerationTableListsOpsAfterTheHead) {
  std::vector<std::string> planned = names(compile_generation({}, {}));
  planned.erase(planned.begin(), std::ranges::find(planned, "lm_head") + 1);
  EXPECT_EQ(documented().at(1), planned);
}

TEST(StreamTable, APhaseHasANameOfItsOwnThatIsOneWord) {
  ModelShape model;
  for (const bool tied : {true, false}) {
    model.tied = tied;
    std::set<std::string> seen;
    for (const std::string& name : names(compile(model, {}))) {
      EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._"), std::string::npos) << name;
      EXPECT_TRUE(seen.insert(name).second) << name << " twice";
    }
  }
}

}  // namespace
}  // namespace weft::compiler
