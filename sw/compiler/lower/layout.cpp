#include "sw/compiler/lower/layout.hpp"

#include <fmt/format.h>

#include "sw/base/refusal.hpp"
#include "sw/compiler/check/check.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/graph/decode_graph.hpp"

namespace weft::compiler {
namespace {

const ModelShape& checked(const ModelShape& model, const machine::WaferShape& wafer, Purpose purpose) {
  purpose == Purpose::Decode ? check_decode(model, wafer) : check(model, wafer);
  return model;
}

machine::WaferShape wafer_of(const ModelShape& model, const machine::WaferShape& wafer, Purpose purpose) {
  return purpose == Purpose::Decode ? wafer : with_sequence_columns(model, wafer);
}

Graph graph_for(const ModelShape& model, Purpose purpose) {
  Graph graph = purpose == Purpose::Decode ? decode_graph(model) : Graph(model);
  if (model.has_documents() && !graph.has(network::NetworkOperation::Kind::Attention))
    throw Refusal(document_key(model), "network " + model.network + " has no attention", "leave it out");
  const network::NetworkOperation* const full = graph.attention(false);
  if (model.has_padding() && full == nullptr)
    throw Refusal("model.padding_token",
                  "network " + model.network + " has no attention with causal: false, which alone sees padding",
                  "leave it out");
  const bool continues = purpose == Purpose::Generation || purpose == Purpose::Decode;
  if (graph.has_segments() && continues)
    throw Refusal("model.network",
                  "network " + model.network + " has embeddings of segments, which a text that is continued lacks",
                  "use runconfig.mode train or eval");
  if (full != nullptr && continues)
    throw Refusal("model.network",
                  full->name + " also sees later tokens, so network " + model.network + " cannot continue a text",
                  "use runconfig.mode train or eval, or causal attention")
        .at(fmt::format("{}:{}", graph.network.file, full->line));
  return graph;
}

}  // namespace

Layout::Layout(const ModelShape& m, const machine::WaferShape& w, Purpose p)
    : purpose(p),
      model(checked(m, w, p)),
      wafer(wafer_of(m, w, p)),
      graph(graph_for(m, p)),
      schedule(p == Purpose::Training ? graph.training : network::generation_schedule(graph.network)),
      tensors(model_tensors(m, graph.network)),
      spaces(m, wafer.rows),
      memory(m, wafer, spaces, graph, p == Purpose::Decode ? m.seq : 0) {}

}  // namespace weft::compiler
