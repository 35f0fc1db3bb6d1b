#include "sw/compiler/graph/decode_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "sw/base/refusal.hpp"

namespace weft::compiler {
namespace {

using Kind = network::NetworkOperation::Kind;

[[noreturn]] void cannot_keep(const network::LayerGraph& network, const network::NetworkOperation& op,
                              const std::string& problem) {
  throw Refusal("model.network", fmt::format("{}: {}: keys and values cannot be kept on the wafer", op.name, problem),
                "use runconfig.use_cache auto")
      .at(fmt::format("{}:{}", network.file, op.line));
}

/// Throws unless, within its block, the name of value `kept` belongs to this value alone (before or after its
/// rotation), and only attention reads the value.
void check_alone(const network::LayerGraph& network, const network::NetworkOperation& attention, int kept) {
  const network::NetworkValue& value = network.value(kept);
  const auto same = [&](int v) { return network.value(v).name == value.name && network.value(v).layer == value.layer; };
  if (value.layer < 0) cannot_keep(network, attention, fmt::format("{} does not belong to a block", value.name));
  for (const network::NetworkOperation& op : network.operations) {
    const bool makes = std::ranges::any_of(op.out, same), reads = std::ranges::any_of(op.in, same);
    if (makes && (op.add >= 0 || (op.kind != Kind::Linear && op.kind != Kind::Rotary)))
      cannot_keep(network, op, fmt::format("makes {}, which only a linear and a rotation may make", value.name));
    if ((op.add >= 0 && same(op.add)) || (reads && op.kind != Kind::Rotary && &op != &attention) ||
        (&op == &attention && same(op.in[0])))
      cannot_keep(network, op, fmt::format("reads {}, which is a name of keys or values", value.name));
    if (reads && op.kind == Kind::Rotary && !makes)
      cannot_keep(network, op, fmt::format("renames {} while rotating it", value.name));
  }
}

}  // namespace

ModelShape decode_model(const ModelShape& model, const machine::WaferShape& wafer) {
  ModelShape decode = model;
  decode.micro_batch = wafer.cols * wafer.lanes;
  decode.recompute = "none";
  decode.document_end = decode.padding_token = -1, decode.vsl = false;  // a text is one document
  decode.attention = "stored", decode.attention_dropout = 0;
  return decode;
}

machine::WaferShape decode_wafer(const machine::WaferShape& wafer) {
  machine::WaferShape decode = wafer;
  decode.sequence_columns = 1;
  return decode;
}

Graph decode_graph(const ModelShape& model) {
  Graph graph(model);
  network::LayerGraph& network = graph.network;
  std::set<std::string> names;
  for (const network::NetworkOperation& op : network.operations) {
    if (op.kind != Kind::Attention) continue;
    for (const int v : {op.in[1], op.in[2]}) {
      check_alone(network, op, v);
      names.insert(network.value(v).name);
    }
  }
  for (network::NetworkValue& value : network.values) value.kept |= names.contains(value.name);
  return graph;
}

}  // namespace weft::compiler
