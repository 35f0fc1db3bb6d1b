#include "sw/network/operations.hpp"

namespace weft::network {

const OperationRules& loss_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Loss,
      .name = "loss",
      .listed = 7,
      .keys = {"in", "add"},
      .loss = true,
      .make =
          [](NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
            maker.need_inputs(from, 1);
            if (maker.role(op.in[0]) != Role::Vocab)
              maker.fail(from, "its input does not have vocabulary features", "give it logits");
          },
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward =
          [](ScheduleMaker& maker, int index) {
            const NetworkOperation& op = maker.operation(index);
            maker.begin_backward(op.in[0]);
            maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index, .value = op.in[0]});
          },
      .uses =
          [](const Step&, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            use_all(uses, op.in, false, false);
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
