#include "host/board/debug/debug_chain.hpp"

#include <algorithm>

namespace weft::board {
namespace {

constexpr std::size_t kNodeBytes = 5;

void put(Bytes& to, const NodeCommand& c) {
  append(to, c.word);
  const bool above = c.run ? c.psum : c.index >= 16;  // one bit for either
  append(to, static_cast<std::uint8_t>((c.index & 15) | above << 4 | c.run << 5 | c.give_up << 6 | c.halt << 7));
}

}  // namespace

DebugChain::DebugChain(Session& session, int rows, int cols)
    : session_(session), cols_(static_cast<std::size_t>(cols)), nodes_(static_cast<std::size_t>(rows) * (cols_ + 1)) {}

std::size_t DebugChain::cell(int row) const { return static_cast<std::size_t>(row) * (cols_ + 1); }

std::vector<NodeWords> DebugChain::exchange(const std::vector<NodeCommands>& transactions) {
  // The words of a transaction were latched before it, so one more transaction, which does nothing, returns the results
  // of the last.
  std::vector<NodeCommands> list = transactions;
  list.push_back(transactions.back());
  for (NodeCommand& c : list.back()) c.run = c.give_up = false, c.word = 0;
  const std::size_t most = kMostPayload / (kNodeBytes * nodes_);
  std::vector<NodeWords> words;
  for (std::size_t at = 0; at < list.size(); at += most) {
    const std::size_t end = std::min(list.size(), at + most);
    Bytes payload;
    for (std::size_t t = at; t < end; ++t)
      for (const NodeCommand& c : list[t]) put(payload, c);
    ByteReader answer(session_.debug(std::move(payload)));
    for (std::size_t t = at; t < end; ++t) {
      NodeWords row;
      for (std::size_t n = 0; n < nodes_; ++n) {
        row.push_back(answer.take<std::uint16_t>());
        answer.take_bytes(kNodeBytes - 2);
      }
      words.push_back(std::move(row));
    }
  }
  words.erase(words.begin());
  return words;
}

NodeWords DebugChain::all(const NodeCommand& command) { return exchange({NodeCommands(nodes_, command)}).front(); }

}  // namespace weft::board
