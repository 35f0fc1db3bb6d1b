#include "sw/network/operations.hpp"

namespace weft::network {

const OperationRules& gelu_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Gelu,
      .name = "gelu",
      .listed = 4,
      .gradient_in_place = true,
      .scratch = "gelu_scratch",
      .make =
          [](NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
            maker.need_inputs(from, 1), maker.need_outputs(from, 1);
            if (maker.role(op.in[0]) != Role::Filter)
              maker.fail(from, "its input does not have filter features", "give it filter features");
            op.out = {maker.make(from, op.layer, from.out[0], Role::Filter)};
          },
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward =
          [](ScheduleMaker& maker, int index) {
            const NetworkOperation& op = maker.operation(index);
            maker.only_use(op, op.in[0]);
            maker.make_available(op, op.in[0]);
            maker.reads(op, op.out[0]), maker.makes(op.in[0]);
            maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index});
          },
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            const bool forward = step.kind == Step::Kind::Forward;
            use_all(uses, op.in, false, false);
            use_all(uses, op.out, !forward, forward);
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
