#include "sw/compiler/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "sw/base/bf16.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/blocks.hpp"
#include "sw/compiler/embedding.hpp"

namespace weft {
namespace {

using Kind = NetworkOperation::Kind;

[[noreturn]] void cannot_keep(const LayerGraph& network, const NetworkOperation& op, const std::string& problem) {
  throw Refusal("model.network", fmt::format("{}: {}: nothing of it can be kept", op.name, problem),
                "use runconfig.use_cache auto")
      .at(fmt::format("{}:{}", network.file, op.line));
}

/// Throws unless, within its block, the name of value `kept` belongs to this value alone (before or after its
/// rotation), and only attention reads the value.
void check_alone(const LayerGraph& network, const NetworkOperation& attention, int kept) {
  const NetworkValue& value = network.value(kept);
  const auto same = [&](int v) { return network.value(v).name == value.name && network.value(v).layer == value.layer; };
  if (value.layer < 0) cannot_keep(network, attention, fmt::format("{} is of no block", value.name));
  for (const NetworkOperation& op : network.operations) {
    const bool makes = std::ranges::any_of(op.out, same), reads = std::ranges::any_of(op.in, same);
    if (makes && (op.add >= 0 || (op.kind != Kind::Linear && op.kind != Kind::Rotary)))
      cannot_keep(network, op, fmt::format("makes {}, which only a linear and a rotation may", value.name));
    if ((op.add >= 0 && same(op.add)) || (reads && op.kind != Kind::Rotary && &op != &attention) ||
        (&op == &attention && same(op.in[0])))
      cannot_keep(network, op, fmt::format("reads {}, as keys or values are called", value.name));
    if (reads && op.kind == Kind::Rotary && !makes)
      cannot_keep(network, op, fmt::format("turns {} into what is called differently", value.name));
  }
}

}  // namespace

ModelShape decode_model(const ModelShape& model, const WaferShape& wafer) {
  ModelShape decode = model;
  decode.micro_batch = wafer.cols * wafer.lanes;
  decode.recompute = "none";
  decode.document_end = -1;  // a text is one document
  return decode;
}

WaferShape decode_wafer(const WaferShape& wafer) {
  WaferShape decode = wafer;
  decode.sequence_columns = 1;
  return decode;
}

Graph decode_graph(const ModelShape& model) {
  Graph graph(model);
  LayerGraph& network = graph.network;
  std::set<std::string> names;
  for (const NetworkOperation& op : network.operations) {
    if (op.kind != Kind::Attention) continue;
    for (const int v : {op.in[1], op.in[2]}) {
      check_alone(network, op, v);
      names.insert(network.value(v).name);
    }
  }
  for (NetworkValue& value : network.values) value.kept |= names.contains(value.name);
  return graph;
}

std::vector<Message> decode_messages(const Plan& plan, std::span<const TokenId> tokens, int position) {
  std::vector<Message> list;
  const auto put = [&](std::uint16_t word) { list.push_back(Message::command(Command::Mdata, 0, word)); };
  const int cols = plan.wafer.cols;
  for (int c = 0; c < cols; ++c) {
    list.push_back(Message::select({.col = c}));
    list.push_back(Message::command(Command::Maddr, 0, plan.token_address));
    for (int block = 0; block < plan.token_blocks; ++block) {
      for (int lane = 0; lane < plan.wafer.lanes; ++lane) {
        const auto text = static_cast<std::size_t>(lane * cols + c);
        put(index_in(plan.token_index[text < tokens.size() ? tokens[text] : 0], block));
      }
    }
  }
  list.push_back(Message::select());
  list.push_back(Message::command(Command::Maddr, 0, plan.position_address));
  for (int lane = 0; lane < plan.wafer.lanes; ++lane) put(plan.position_index.at(static_cast<std::size_t>(position)));
  return list;
}

std::vector<Message> decode_ask(const Plan& plan, int n, int before) {
  std::vector<Message> list;
  const auto put = [&](int text, std::uint16_t valid) {
    const int at = plan.valid_address() + text / plan.wafer.cols;
    list.push_back(Message::select({.col = text % plan.wafer.cols}));
    list.push_back(Message::command(Command::Maddr, 0, static_cast<std::uint16_t>(at)));
    list.push_back(Message::command(Command::Mdata, 0, valid));
  };
  if (before >= 0) put(before, 0);
  if (n >= 0) put(n, kOneBf16);
  list.push_back(Message::select());
  return list;
}

Op decode_op(const Plan& plan, std::size_t op, std::span<const TokenId> tokens, int position) {
  if (op == 0) {
    const std::set<int> ids(tokens.begin(), tokens.end());
    return embedding_of(plan, std::vector<int>(ids.begin(), ids.end()), {&position, 1});
  }
  Op at = plan.ops[op];
  for (const Op::Move& move : at.moves) {
    std::uint32_t& data = at.commands[move.command].data;
    data = (data & 0xffff0000) | ((data + static_cast<std::uint32_t>(move.each * position)) & 0xffff);
  }
  return at;
}

std::size_t decode_filling(const Plan& plan) {
  const auto last =
      std::ranges::find_if(plan.ops.rbegin(), plan.ops.rend(), [](const Op& op) { return !op.moves.empty(); });
  return static_cast<std::size_t>(plan.ops.rend() - last);
}

}  // namespace weft
