#include <string_view>

#include "sw/network/operations.hpp"

namespace weft::network {
namespace {

/// "wte" of the tensor "wte.weight".
std::string table_name(const std::string& tensor) {
  constexpr std::string_view kWeight = ".weight";
  return tensor.ends_with(kWeight) ? tensor.substr(0, tensor.size() - kWeight.size()) : tensor;
}

}  // namespace

const OperationRules& embed_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Embed,
      .name = "embed",
      .listed = 1,
      .keys = {"tokens", "positions", "segments", "out", "add"},
      .make =
          [](NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
            maker.need_outputs(from, 1);
            op.tensors = {maker.tensor(from, from.tokens, {{Role::Vocab}, {Role::Hidden}})};
            if (!from.positions.empty())
              op.tensors.push_back(maker.tensor(from, from.positions, {{Role::Position}, {Role::Hidden}}));
            if (!from.segments.empty())
              op.tensors.push_back(maker.tensor(from, from.segments, {{Role::Segment}, {Role::Hidden}}));
            op.out = {maker.make(from, op.layer, from.out[0], Role::Hidden)};
          },
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward =
          [](ScheduleMaker& maker, int index) {
            const NetworkOperation& op = maker.operation(index);
            for (std::size_t n = 0; n < op.tensors.size(); ++n)
              maker.add({.kind = Step::Kind::WeightGradient,
                         .name = table_name(maker.network().tensor(op, n).name) + ".dw",
                         .op = index,
                         .n = static_cast<int>(n)});
          },
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            const bool forward = step.kind == Step::Kind::Forward;
            use_all(uses, op.out, !forward, forward);
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
