#include "sw/network/operations.hpp"

namespace weft::network {

const OperationRules& rotary_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Rotary,
      .name = "rotary",
      .listed = 5,
      .in_place = true,
      .make =
          [](NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
            if (from.in != from.out)
              maker.fail(from, "rotary rotates its inputs in place", "give out: the names of in:");
            for (const int v : op.in)
              if (maker.role(v) != Role::Head)
                maker.fail(from, "an input does not have head features", "give it an array of head features");
            for (const std::string& name : from.out) op.out.push_back(maker.make(from, op.layer, name, Role::Head));
          },
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward =
          [](ScheduleMaker& maker, int index) {
            const NetworkOperation& op = maker.operation(index);
            for (const int v : op.in) maker.only_use(op, v);
            for (const int v : op.out) maker.reads(op, v);
            for (const int v : op.in) maker.makes(v);
            maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index});
          },
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            use_all(uses, op.out, step.kind != Step::Kind::Forward, false);
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
