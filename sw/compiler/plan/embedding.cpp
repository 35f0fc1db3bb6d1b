#include "sw/compiler/plan/embedding.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

namespace weft::compiler {
namespace {

/// A line with only these features of a table, as far as the table has them, each as an input of its own.
std::vector<StreamDescriptor::Input> only(const StreamDescriptor::Input& table, std::span<const int> features) {
  const int rows = table.space->rows();
  std::map<int, std::shared_ptr<const Space>> places;  // by row
  std::vector<StreamDescriptor::Input> line;
  for (const int f : features) {
    if (!table.has(f)) continue;
    const int row = table.space->row(f);
    std::shared_ptr<const Space>& place = places[row];
    if (place == nullptr) place = std::make_shared<const Space>(Space::on_rows({row}, rows));
    line.push_back({place, table.local_of(f), table.offset + static_cast<std::uint64_t>(f) * table.in_stride,
                    table.in_stride, table.out_stride});
  }
  return line;
}

}  // namespace

Op embedding_of(const Plan& plan, std::span<const std::span<const TokenId>> texts) {
  std::set<int> ids;
  std::size_t longest = 0;
  for (const auto& text : texts) {
    ids.insert(text.begin(), text.end());
    longest = std::max(longest, text.size());
  }
  std::vector<int> positions(longest);
  std::iota(positions.begin(), positions.end(), 0);
  return embedding_of(plan, std::vector<int>(ids.begin(), ids.end()), positions);
}

Op embedding_of(const Plan& plan, std::span<const int> tokens, std::span<const int> positions) {
  Op op = plan.ops.front();
  std::vector<std::vector<StreamDescriptor::Input>>& lines = op.descriptor.lines;  // sw/compiler/operations/embed.cpp
  const std::size_t last = lines.size() - 1;
  for (std::size_t block = 0; block < last; ++block) lines[block] = only(lines[block].front(), tokens);
  if (!lines[last].empty()) lines[last] = only(lines[last].front(), positions);
  return op;
}

}  // namespace weft::compiler
