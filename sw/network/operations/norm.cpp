#include "sw/network/arrays.hpp"
#include "sw/network/operations.hpp"

namespace weft::network {

namespace {

/// Checks that the gradient of a norm's input can take the place of its output's.
void check_replaces(const ScheduleMaker& maker, const NetworkOperation& op) {
  const NetworkValue& in = maker.network().value(op.in[0]);
  if (maker.consumers(op.in[0]).size() > 1 || is_added(maker.network(), op.in[0]))
    maker.fail(op, in.name + " also has other uses", "let only this norm read it, and others read the norm's output");
  if (!op.centers)
    maker.fail(op, "an RMSNorm only normalizes the residual stream, and nothing adds to its output", "use form: layer");
}

}  // namespace

const OperationRules& norm_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Norm,
      .name = "norm",
      .listed = 2,
      .keys = {"in", "out", "add", "form"},
      .make =
          [](NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
            maker.need_inputs(from, 1), maker.need_outputs(from, 1);
            if (!from.form.empty() && from.form != "layer" && from.form != "rms")
              maker.fail(from, "there is no norm of the form " + from.form, "use layer or rms");
            op.centers = from.form != "rms";
            op.tensors = {maker.tensor(from, op.name + ".weight", {{Role::Hidden}})};
            if (maker.tensor(from, op.name + ".bias", false) >= 0)
              op.tensors.push_back(maker.tensor(from, op.name + ".bias", {{Role::Hidden}}));
            if (maker.role(op.in[0]) != Role::Hidden)
              maker.fail(from, "its input does not have hidden features", "normalize an array of hidden features");
            op.out = {maker.make(from, op.layer, from.out[0], Role::Hidden)};
          },
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            if (again.empty()) maker.statistics(index, "");
            maker.add(
                {.kind = Step::Kind::Forward, .name = maker.operation(index).name + ".affine" + again, .op = index});
          },
      .backward =
          [](ScheduleMaker& maker, int index) {
            const NetworkOperation& op = maker.operation(index);
            const bool replaces = replaces_gradient(maker.network(), op);
            if (replaces) check_replaces(maker, op);
            maker.make_statistics_available(index);
            maker.reads(op, op.out[0]);
            maker.add({.kind = Step::Kind::WeightGradient, .name = op.name + ".dw", .op = index});
            replaces ? maker.makes(op.in[0]) : maker.adds_to_stream(op.in[0]);
            maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index});
          },
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            if (step.kind == Step::Kind::Statistics) use_all(uses, op.in, false, false);
            if (step.kind == Step::Kind::Forward) use_all(uses, op.out, false, true);
            if (step.kind == Step::Kind::WeightGradient) use_all(uses, op.out, true, false);
            if (step.kind == Step::Kind::InputGradient)
              use_all(uses, op.out, true, false), use_all(uses, op.in, true, false);
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
