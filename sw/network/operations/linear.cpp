#include <fmt/format.h>

#include <algorithm>

#include "sw/network/arrays.hpp"
#include "sw/network/operations.hpp"

namespace weft::network {
namespace {

void make_linear(NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op) {
  if (op.in.size() != 1) maker.fail(from, fmt::format("has {} inputs", op.in.size()), "give it 1");
  op.tensors = {maker.tensor(from, op.name + ".weight")};
  const auto& shape = maker.tensor(op.tensors[0]).shape;
  if (shape.size() != 2) maker.fail(from, "its weight has one dimension", "give it two");
  const Role in = maker.role(op.in[0]);
  const auto is_in = [&](const NetworkTensor::Axis& axis) { return axis == NetworkTensor::Axis{in}; };
  if (!from.form.empty() && from.form != "in_out" && from.form != "out_in")
    maker.fail(from, "there is no weight of the form " + from.form, "use in_out or out_in");
  op.out_by_in = is_in(shape[1]) && (from.form == "out_in" || (from.form.empty() && !is_in(shape[0])));
  if (!op.out_by_in && !is_in(shape[0]))
    maker.fail(from, "no side of its weight has its input's features", "correct shape:");
  const NetworkTensor::Axis out = shape[op.out_by_in ? 0 : 1];
  if (maker.tensor(from, op.name + ".bias", false) >= 0)
    op.tensors.push_back(maker.tensor(from, op.name + ".bias", {out}));
  if (out.role == Role::Position || out.role == Role::Segment)
    maker.fail(from, fmt::format("makes features of {}", kRoleNames[static_cast<std::size_t>(out.role)]),
               "use another size");
  if (op.add >= 0 && op.add == op.in[0]) maker.fail(from, "adds its own input", "put an operation between them");
  if (static_cast<int>(from.out.size()) != out.times)
    maker.fail(from, fmt::format("has {} outputs, its weight {}", from.out.size(), out.times), "name as many");
  const Role made = out.role == Role::KvHead ? Role::Head : out.role;
  if (op.add >= 0 && (maker.role(op.add) != made || out.times != 1))
    maker.fail(from, "the added array has other features", "add an array of the same features");
  for (const std::string& name : from.out) op.out.push_back(maker.make(from, op.layer, name, made));
}

/// Checks that no norm between linear `index`, at which the gradient of `v` is computed, and a later linear that reads
/// `v` has replaced the gradient of that linear's sum.
void check_sums_kept(const ScheduleMaker& maker, int index, int v) {
  const LayerGraph& network = maker.network();
  for (const int user : maker.consumers(v)) {
    if (!is_stream(network, maker.operation(user).out[0])) continue;
    for (int between = index + 1; between < user; ++between) {
      const NetworkOperation& norm = maker.operation(between);
      if (norm.kind == OperationKind::Norm && is_stream(network, norm.out[0]))
        maker.fail(maker.operation(user),
                   fmt::format("the gradient of its sum is replaced at {} before that of {} is computed", norm.name,
                               network.value(v).name),
                   "let linears that share an input add to the stream before a norm of it");
    }
  }
}

void backward_of_linear(ScheduleMaker& maker, int index) {
  const NetworkOperation& op = maker.operation(index);
  const LayerGraph& network = maker.network();
  const int v = op.in[0];
  if (op.add >= 0 && std::ranges::any_of(maker.consumers(op.add), [&](int user) { return user > index; }))
    maker.fail(op, fmt::format("{} is read again after the addition", network.value(op.add).name), "read the sum");
  if (op.add >= 0 && !is_stream(network, op.add))
    maker.fail(op, fmt::format("{} is not the residual stream", network.value(op.add).name),
               "add to the output of embed");
  maker.make_available(op, v);
  for (std::size_t n = 0; n < op.out.size(); ++n) {
    maker.reads(op, op.out[n]);
    maker.add({.kind = Step::Kind::WeightGradient,
               .name = maker.output(op, n) + ".dw",
               .op = index,
               .n = static_cast<int>(n)});
  }
  const bool stream = is_stream(network, v);
  if (!stream && maker.consumers(v).front() == index) check_sums_kept(maker, index, v);
  if (stream || maker.consumers(v).front() == index)
    maker.input_gradient(v, stream ? std::vector<int>{index} : maker.consumers(v));
}

}  // namespace

const OperationRules& linear_rules() {
  static const OperationRules rules{
      .kind = OperationKind::Linear,
      .name = "linear",
      .listed = 3,
      .keys = {"in", "out", "add", "form"},
      .make = make_linear,
      .forward =
          [](ScheduleMaker& maker, int index, const std::string& again) {
            const NetworkOperation& op = maker.operation(index);
            for (std::size_t n = 0; n < op.out.size(); ++n)
              maker.add({.kind = Step::Kind::Forward,
                         .name = maker.output(op, n) + again,
                         .op = index,
                         .n = static_cast<int>(n)});
          },
      .backward = backward_of_linear,
      .uses =
          [](const Step& step, const NetworkOperation& op) {
            std::vector<ArrayUse> uses;
            use_all(uses, op.in, false, false);
            const bool forward = step.kind == Step::Kind::Forward;
            uses.push_back({op.out[static_cast<std::size_t>(step.n)], !forward, forward && op.add < 0});
            return uses;
          }};
  return rules;
}

}  // namespace weft::network
