/// A board's debug chain: commands to tiles, and status words back (docs/debug_chain.md).
#pragma once

#include <cstdint>
#include <vector>

#include "host/board/session.hpp"

namespace weft::board {

/// What a node is told in one transaction.
struct NodeCommand {
  bool halt = true;      ///< or goes on
  bool give_up = false;  ///< threads and sequencers end where they are
  bool run = false;      ///< `word`, one instruction
  bool psum = false;     ///< ... in this thread
  int index = 0;         ///< of the status word that comes with the next transaction
  std::uint32_t word = 0;

  /// The next bit of a count of the tile's last record, of a thread (0 main, 1 psum).
  static NodeCommand count(int thread, unsigned cause) {
    return {.halt = false, .word = 1U << 31 | static_cast<std::uint32_t>(thread) << 4 | cause};
  }
};

/// [node], row by row, a row's cell before its tiles.
using NodeCommands = std::vector<NodeCommand>;
using NodeWords = std::vector<std::uint16_t>;

class DebugChain {
 public:
  /// The board must have a chain.
  DebugChain(Session& session, int rows, int cols);

  std::size_t nodes() const { return nodes_; }
  std::size_t cell(int row) const;
  std::size_t tile(int row, int col) const { return cell(row) + 1 + static_cast<std::size_t>(col); }

  /// Makes the transactions in order, [transaction][node]; the words that the chain brought after each of them, with
  /// which each node has done what it was told (an instruction, if it waits for nothing). All tiles stay as they are
  /// told last. Throws BoardLost.
  std::vector<NodeWords> exchange(const std::vector<NodeCommands>& transactions);
  /// The same command for all nodes, once.
  NodeWords all(const NodeCommand& command);

 private:
  Session& session_;
  std::size_t cols_, nodes_;
};

}  // namespace weft::board
