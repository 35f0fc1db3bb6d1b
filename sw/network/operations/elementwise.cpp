#include "sw/network/function.hpp"
#include "sw/network/operations.hpp"

namespace weft::network {
namespace {

void make_elementwise(NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
  const Function& function = *op.function;
  maker.need_inputs(from, static_cast<std::size_t>(function.inputs())), maker.need_outputs(from, 1);
  const Role role = maker.role(op.in[0]);
  if (role != Role::Filter && !function.any_features())
    maker.fail(from, "its input does not have filter features", "give it filter features");
  if (role != Role::Filter && role != Role::Hidden)
    maker.fail(from, "its input has neither filter nor hidden features", "give it filter or hidden features");
  for (const int v : op.in)
    if (maker.role(v) != role)
      maker.fail(from, "its inputs have different features", "give it arrays of the same features");
  op.out = {maker.make(from, op.layer, from.out[0], role)};
}

/// The inputs that backward reads.
std::vector<int> read_by_backward(const NetworkOperation& op) {
  std::vector<int> values;
  for (std::size_t n = 0; n < op.in.size(); ++n)
    if (op.function->reads(static_cast<int>(n))) values.push_back(op.in[n]);
  return values;
}

void backward_of_elementwise(ScheduleMaker& maker, int index) {
  const NetworkOperation& op = maker.operation(index);
  const std::vector<int> read = read_by_backward(op);
  for (const int v : op.in) maker.only_use(op, v);
  for (const int v : read) maker.make_available(op, v);
  maker.check_kept(op, read);
  maker.reads(op, op.out[0]);
  for (std::size_t n = 1; n < op.in.size(); ++n) maker.not_in_place(op, op.out[0], op.in[n]);
  for (const int v : op.in) maker.makes(v);
  maker.add({.kind = Step::Kind::InputGradient, .name = op.name + ".dx", .op = index});
}

}  // namespace

const OperationRules& elementwise_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Elementwise,
      .name = "elementwise",
      .listed = 4,
      .gradient_in_place = true,
      .scratch = "elementwise_scratch",
      .make = make_elementwise,
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            maker.add({.kind = Step::Kind::Forward, .name = maker.operation(index).name + again, .op = index});
          },
      .backward = backward_of_elementwise,
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            if (step.kind == Step::Kind::Forward) {
              use_all(uses, op.in, false, false);
              use_all(uses, op.out, false, true);
            } else {
              use_all(uses, read_by_backward(op), false, false);
              use_all(uses, op.out, true, false);
              use_all(uses, {op.in.begin() + 1, op.in.end()}, true, true);
            }
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
