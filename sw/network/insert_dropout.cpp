#include <algorithm>
#include <utility>

#include "sw/network/blueprint.hpp"

namespace weft::network {
namespace {

using Kind = NetworkOperation::Kind;
using Operation = Blueprint::Operation;

bool reads(const Operation& op, const std::string& name) {
  return std::ranges::count(op.in, name) > 0 || op.add == name;
}
bool makes(const Operation& op, const std::string& name) { return std::ranges::count(op.out, name) > 0; }

/// Index of the operation that makes the first value of the residual stream: embed, or the norm that alone reads its
/// output.
std::size_t first_of_stream(const std::vector<Operation>& operations) {
  if (operations.size() < 2 || operations[0].out.empty() || operations[1].kind != Kind::Norm) return 0;
  const std::string& name = operations[0].out[0];
  if (!reads(operations[1], name)) return 0;
  for (std::size_t n = 2; n < operations.size(); ++n) {
    if (reads(operations[n], name)) return 0;
    if (makes(operations[n], name)) break;
  }
  return 1;
}

}  // namespace

void insert_dropout(Blueprint& blueprint, const NetworkSizes& sizes) {
  std::vector<Operation> operations;
  const std::size_t first = first_of_stream(blueprint.operations);
  for (std::size_t n = 0; n < blueprint.operations.size(); ++n) {
    Operation& op = operations.emplace_back(std::move(blueprint.operations[n]));
    if (op.kind == Kind::Attention && op.p == 0) op.p = sizes.attention_dropout;
    Operation dropout{.kind = Kind::Dropout, .name = op.name + ".dropout", .block = op.block, .out = op.out};
    dropout.line = op.line;
    if (sizes.residual_dropout > 0 && op.kind == Kind::Linear && !op.add.empty()) {
      op.out = {op.name + ".branch"};
      dropout.in = op.out, dropout.add = std::exchange(op.add, ""), dropout.p = sizes.residual_dropout;
      operations.push_back(std::move(dropout));
    } else if (sizes.embedding_dropout > 0 && n == first) {
      dropout.in = op.out, dropout.p = sizes.embedding_dropout;
      operations.push_back(std::move(dropout));
    }
  }
  blueprint.operations = std::move(operations);
}

}  // namespace weft::network
