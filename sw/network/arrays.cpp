#include "sw/network/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sw/network/operations.hpp"

namespace weft::network {

int source_of(const LayerGraph& network, int value) {
  for (;;) {
    const NetworkOperation& maker = network.operations[static_cast<std::size_t>(network.value(value).maker)];
    if (maker.kind != NetworkOperation::Kind::Dropout || maker.add >= 0) return value;
    value = maker.in[0];
  }
}

std::string array_of(const LayerGraph& network, int value) {
  value = source_of(network, value);
  const NetworkValue& v = network.value(value);
  if (!v.kept) return v.name;
  if (v.layer >= 0) return fmt::format("h.{}.{}", v.layer, v.name);
  const NetworkOperation& maker = network.operations[static_cast<std::size_t>(v.maker)];
  if (rules_of(maker.kind).in_place && maker.add < 0)
    return array_of(network,
                    maker.in[static_cast<std::size_t>(std::ranges::find(maker.out, value) - maker.out.begin())]);
  return fmt::format("{}.{}", maker.name, v.name);
}

namespace {

std::string own(const NetworkOperation& norm, const char* part) {
  const std::string prefix = fmt::format("h.{}.", norm.layer);
  return (norm.keeps || norm.layer < 0 ? norm.name : norm.name.substr(prefix.size())) + part;
}

}  // namespace

std::string xhat_of(const NetworkOperation& norm) { return own(norm, ".xhat"); }
std::string rstd_of(const NetworkOperation& norm) { return own(norm, ".rstd"); }

bool is_stream(const LayerGraph& network, int value) {
  value = source_of(network, value);
  const NetworkOperation& maker = network.operations[static_cast<std::size_t>(network.value(value).maker)];
  if (maker.kind == NetworkOperation::Kind::Norm) return is_added(network, value);
  return maker.kind == NetworkOperation::Kind::Embed || maker.add >= 0;
}

bool is_added(const LayerGraph& network, int value) {
  return std::ranges::any_of(network.operations, [&](const NetworkOperation& op) {
    return op.add >= 0 && (op.add == value || source_of(network, op.add) == value);
  });
}

bool replaces_gradient(const LayerGraph& network, const NetworkOperation& norm) {
  return !is_stream(network, norm.in[0]) || is_stream(network, norm.out[0]);
}

std::vector<std::string> gradient_arrays(const LayerGraph& network) {
  std::vector<std::string> arrays;
  for (const NetworkValue& value : network.values) arrays.push_back("d" + value.name);
  const auto of = [&](int v) -> std::string& { return arrays[static_cast<std::size_t>(v)]; };
  for (auto op = network.operations.rbegin(); op != network.operations.rend(); ++op) {
    const bool norm = op->kind == NetworkOperation::Kind::Norm && replaces_gradient(network, *op);
    if (norm || (rules_of(op->kind).gradient_in_place && op->add < 0)) of(op->in[0]) = of(op->out[0]);
    if (rules_of(op->kind).loss) of(op->in[0]) = array_of(network, op->in[0]);
    if (op->add >= 0) of(op->add) = of(op->out[0]);
  }
  return arrays;
}

}  // namespace weft::network
