#include "sw/network/operations.hpp"

namespace weft::network {

const OperationRules& attention_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Attention,
      .name = "attention",
      .listed = 6,
      .keys = {"in", "out", "add", "causal", "p"},
      .make =
          [](NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
            maker.need_inputs(from, 3), maker.need_outputs(from, 1);
            for (const int v : op.in)
              if (maker.role(v) != Role::Head)
                maker.fail(from, "an input does not have head features", "give it three arrays of head features");
            op.causal = from.causal;
            op.p = from.p;
            op.out = {maker.make(from, op.layer, from.out[0], Role::Head)};
          },
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward =
          [](ScheduleMaker& maker, int index) {
            const NetworkOperation& op = maker.operation(index);
            for (const int v : op.in) maker.only_use(op, v), maker.make_available(op, v);
            maker.check_kept(op, op.in);
            maker.make_available(op, op.out[0]);
            maker.reads(op, op.out[0]);
            for (const int v : op.in) maker.not_in_place(op, op.out[0], v), maker.makes(v);
            for (const int v : op.in) maker.reads(op, v);  // their arrays must differ
            maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index});
          },
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            use_all(uses, op.in, false, false);
            if (step.kind == Step::Kind::Forward) {
              use_all(uses, op.out, false, true);
            } else {
              use_all(uses, op.out, true, false);
              use_all(uses, op.in, true, true);
            }
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
