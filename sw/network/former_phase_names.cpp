#include "sw/network/former_phase_names.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/network/arrays.hpp"

namespace weft::network {
namespace {

using Kind = NetworkOperation::Kind;
using Pairs = std::vector<std::pair<std::string, std::string>>;  // former name, present name

/// The name that a gradient of value v had after its "d.".
std::string former_value_name(const LayerGraph& network, int v) {
  const NetworkValue& value = network.value(v);
  const NetworkOperation& maker = network.operations[static_cast<std::size_t>(value.maker)];
  switch (maker.kind) {
    case Kind::Norm:
      return maker.name + ".out";
    case Kind::Attention:
      return maker.name + "." + value.name;
    case Kind::Linear:
      return maker.out.size() == 1 && value.name != "logits" ? maker.name : value.name;
    default:
      return maker.name;
  }
}

/// All names of a linear's gradients: of output n, of all outputs together, and of biases in ops of their own.
Pairs weight_gradient_names(const LayerGraph& network, const Step& step) {
  const NetworkOperation& op = network.operations[static_cast<std::size_t>(step.op)];
  const bool head = network.operations.back().in[0] == op.out[0];
  const auto former = [&](std::size_t tensor) {
    return "d." + network.tensor(op, tensor).name + (head ? ".head" : "");
  };
  const std::string one = op.out.size() == 1 ? "" : "." + network.value(op.out[static_cast<std::size_t>(step.n)]).name;
  Pairs names = {{former(0) + one, op.name + one + ".dw"}};
  if (op.tensors.size() > 1) names.emplace_back(former(1) + one, op.name + one + ".db");
  if (one.empty() || step.n > 0) return names;
  names.emplace_back(former(0), op.name + ".dw");
  if (op.tensors.size() > 1) names.emplace_back(former(1), op.name + ".db");
  return names;
}

/// The names of an operation's input gradient.
Pairs input_gradient_names(const LayerGraph& network, const Step& step, const NetworkOperation& op) {
  switch (op.kind) {
    case Kind::Loss:
    case Kind::ClassLoss:
    case Kind::SquaredError:
      return {{"d." + network.value(op.in[0]).name, step.name}};
    case Kind::Linear: {
      const bool further = is_stream(network, step.value) || step.adds;  // the value has several gradients
      return {{"d." + former_value_name(network, step.value) + (further ? "." + op.name : ""), step.name}};
    }
    case Kind::Elementwise:
      return {{"d." + former_value_name(network, op.in[0]), step.name}};
    case Kind::Rotary:
    case Kind::Attention:
    case Kind::Norm:
      return {{"d." + op.name, step.name}};
    default:
      return {};
  }
}

Pairs names_of(const LayerGraph& network, const Step& step) {
  if (step.op < 0) return {};
  const NetworkOperation& op = network.operations[static_cast<std::size_t>(step.op)];
  if (step.kind == Step::Kind::InputGradient) return input_gradient_names(network, step, op);
  if (step.kind != Step::Kind::WeightGradient) return {};
  switch (op.kind) {
    case Kind::Linear:
      return weight_gradient_names(network, step);
    case Kind::Norm:
      return {{"d." + network.tensor(op, 0).name, step.name}, {"d." + op.name + ".bias", op.name + ".db"}};
    case Kind::Embed:
      return {{"d." + network.tensor(op, static_cast<std::size_t>(step.n)).name, step.name}};
    default:
      return {};
  }
}

/// Looks up `name`, also if the number of a part or of a repetition follows it.
std::string look_up(const std::map<std::string, std::string>& names, const std::string& name) {
  if (const auto at = names.find(name); at != names.end()) return at->second;
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return "";
  const std::string number = name.substr(dot);
  if (number.find_first_not_of("0123456789", 1) != std::string::npos) return "";
  const auto at = names.find(name.substr(0, dot));
  return at == names.end() ? "" : at->second + number;
}

}  // namespace

FormerPhaseNames::FormerPhaseNames(const LayerGraph& network, const Schedule& training) {
  std::set<std::string> olds, news;
  // Numbers repeated names as lowering does.
  const auto numbered = [](std::set<std::string>& known, const std::string& name) {
    std::string one = name;
    for (int time = 2; !known.insert(one).second; ++time) one = fmt::format("{}.{}", name, time);
    return one;
  };
  for (const Step& step : training.steps) {
    for (const auto& [former, current] : names_of(network, step)) {
      const std::string before = numbered(olds, former), now = numbered(news, current);
      current_.emplace(before, now);
      former_.emplace(now, before);
    }
  }
}

std::string FormerPhaseNames::current(const std::string& name) const {
  const std::string current = look_up(current_, name);
  return current.empty() ? name : current;
}

std::string FormerPhaseNames::former(const std::string& name) const { return look_up(former_, name); }

}  // namespace weft::network
