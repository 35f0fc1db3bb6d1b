/// Debug chain of a board: sends commands to tiles and returns status words (docs/reference/debug_chain.md).
#pragma once

#include <cstdint>
#include <vector>

#include "host/board/link/session.hpp"

namespace weft::board {

/// Command for a node in one transaction.
struct NodeCommand {
  bool halt = true;      ///< false: continue
  bool give_up = false;  ///< abort threads and sequencers at their positions
  bool run = false;      ///< execute the instruction `word`
  bool psum = false;     ///< in psum instead of main
  int index = 0;         ///< status word to return with the next transaction
  std::uint32_t word = 0;

  /// Requests the next bit of a count of the tile's last record, for a thread (0 main, 1 psum) and a stall reason.
  static NodeCommand count(int thread, unsigned reason) {
    return {.halt = false, .word = 1U << 31 | static_cast<std::uint32_t>(thread) << 4 | reason};
  }
};

/// [node], row by row, the cell of a row before its tiles.
using NodeCommands = std::vector<NodeCommand>;
using NodeWords = std::vector<std::uint16_t>;

class DebugChain {
 public:
  /// The board must have a debug chain.
  DebugChain(Session& session, int rows, int cols);

  std::size_t nodes() const { return nodes_; }
  std::size_t cell(int row) const;
  std::size_t tile(int row, int col) const { return cell(row) + 1 + static_cast<std::size_t>(col); }

  /// Performs the transactions in order, [transaction][node], and returns the words that each yields after its commands
  /// have been executed (an instruction only if it has nothing to wait for). All tiles stay as the last transaction set
  /// them. Throws BoardLost.
  std::vector<NodeWords> exchange(const std::vector<NodeCommands>& transactions);
  /// Sends the same command to all nodes in one transaction.
  NodeWords all(const NodeCommand& command);

 private:
  Session& session_;
  std::size_t cols_, nodes_;
};

}  // namespace weft::board
