/// One move of the model, tile by tile, as a debugger sees it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::model {

/// Description of one move, filled in by components that hold a non-null pointer to it.
struct ModelMove {
  enum class What : std::uint8_t {
    Instruction,  ///< a thread's core executed one
    Part,         ///< a thread's sequencer executed its instruction, or as much of it as words allow
    Command,      ///< a tile at rest took a message of W
    Messages,     ///< no tile: the intake, or links of a bounded wafer, moved messages
  };
  /// Elements of the tile's SRAM that were written, whatever they held before.
  struct Written {
    unsigned first = 0, count = 0;
  };
  struct Words {
    int tile = 0, color = 0;
    bool out = false;  ///< the tile sends them; otherwise it receives them
  };

  What what = What::Messages;
  int tile = -1;             ///< row * cols + col
  int thread = 0;            ///< 0 main, 1 psum
  bool arrives[2] = {};      ///< by thread, [main, psum]: it has arrived at an instruction that it has not begun
  std::uint16_t pc[2] = {};  ///< pc of that instruction
  std::uint64_t beats = 0;   ///< beats executed by the thread's sequencer
  std::vector<Written> writes = {};
  std::vector<Words> words = {};  ///< each at most once
  std::vector<int> marked = {};   ///< tiles that raised the flag NO_ROUTE

  void pass(int at, int color, bool out) {
    const auto same = [&](const Words& w) { return w.tile == at && w.color == color && w.out == out; };
    if (std::ranges::none_of(words, same)) words.push_back({at, color, out});
  }
};

}  // namespace weft::model
