#include "sw/compiler/plan/decode.hpp"

#include <algorithm>
#include <set>

#include "sw/base/bf16.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "sw/compiler/plan/embedding.hpp"

namespace weft::compiler {
std::vector<machine::Message> decode_messages(const Plan& plan, std::span<const TokenId> tokens, int position) {
  std::vector<machine::Message> list;
  const auto put = [&](std::uint16_t word) {
    list.push_back(machine::Message::command(machine::Command::Mdata, 0, word));
  };
  const int cols = plan.wafer.cols;
  for (int c = 0; c < cols; ++c) {
    list.push_back(machine::Message::select({.col = c}));
    list.push_back(machine::Message::command(machine::Command::Maddr, 0, plan.token_address));
    for (int block = 0; block < plan.token_blocks; ++block) {
      for (int lane = 0; lane < plan.wafer.lanes; ++lane) {
        const auto text = static_cast<std::size_t>(lane * cols + c);
        put(index_in(plan.token_index[text < tokens.size() ? tokens[text] : 0], block));
      }
    }
  }
  list.push_back(machine::Message::select());
  list.push_back(machine::Message::command(machine::Command::Maddr, 0, plan.position_address));
  for (int lane = 0; lane < plan.wafer.lanes; ++lane) put(plan.position_index.at(static_cast<std::size_t>(position)));
  return list;
}

std::vector<machine::Message> decode_ask(const Plan& plan, int n, int before) {
  std::vector<machine::Message> list;
  const auto put = [&](int text, std::uint16_t valid) {
    const int at = plan.valid_address() + text / plan.wafer.cols;
    list.push_back(machine::Message::select({.col = text % plan.wafer.cols}));
    list.push_back(machine::Message::command(machine::Command::Maddr, 0, static_cast<std::uint16_t>(at)));
    list.push_back(machine::Message::command(machine::Command::Mdata, 0, valid));
  };
  if (before >= 0) put(before, 0);
  if (n >= 0) put(n, kOneBf16);
  list.push_back(machine::Message::select());
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

}  // namespace weft::compiler
