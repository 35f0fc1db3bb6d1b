#include <fmt/format.h>

#include <algorithm>

#include "sw/network/arrays.hpp"
#include "sw/network/operations.hpp"

namespace weft::network {
namespace {

void make_dropout(NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
  maker.need_inputs(from, 1), maker.need_outputs(from, 1);
  const Role role = maker.role(op.in[0]);
  if (role != Role::Hidden && role != Role::Filter)
    maker.fail(from, "its input has neither hidden nor filter features",
               "drop the output of a linear, which has hidden or filter features");
  if (op.add < 0 && from.in != from.out)
    maker.fail(from, "drops features of its input in place",
               "give out: the name of in:, or add: to the residual stream");
  if (op.add >= 0 && (op.add == op.in[0] || maker.role(op.add) != role))
    maker.fail(from, "the added array has other features, or is its input", "add the residual stream to a branch");
  op.p = from.p;
  op.out = {maker.make(from, op.layer, from.out[0], role)};
}

void backward_of_dropout(ScheduleMaker& maker, int index) {
  const NetworkOperation& op = maker.operation(index);
  const LayerGraph& network = maker.network();
  const int in = op.in[0];
  if (maker.consumers(in).size() > 1 ||
      std::ranges::any_of(network.operations, [&](const NetworkOperation& other) { return other.add == in; }))
    maker.fail(op, fmt::format("{} also has other uses", network.value(in).name), "let only the dropout read it");
  if (op.add >= 0) {
    maker.only_use(op, in);
    if (std::ranges::any_of(maker.consumers(op.add), [&](int user) { return user > index; }))
      maker.fail(op, fmt::format("{} is read again after the addition", network.value(op.add).name), "read the sum");
    if (!is_stream(network, op.add))
      maker.fail(op, fmt::format("{} is not the residual stream", network.value(op.add).name),
                 "add to the output of embed");
  }
  maker.reads(op, op.out[0]);
  maker.makes(in);
  maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index});
}

}  // namespace

const OperationRules& dropout_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Dropout,
      .name = "dropout",
      .keys = {"in", "out", "add", "p"},
      .in_place = true,
      .gradient_in_place = true,
      .make = make_dropout,
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward = backward_of_dropout,
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            const bool forward = step.kind == Step::Kind::Forward;
            use_all(uses, forward ? op.in : op.out, !forward, false);
            if (op.add >= 0) use_all(uses, forward ? op.out : op.in, !forward, !forward);
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
