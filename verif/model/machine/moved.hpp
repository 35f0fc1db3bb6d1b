/// One move of the model, tile by tile, as a debugger sees it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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
    bool out = false;                        ///< the tile sends them; otherwise it receives them
    std::vector<std::uint32_t> values = {};  ///< in order; none of W, and none on a bounded wafer
  };

  What what = What::Messages;
  int tile = -1;             ///< row * cols + col
  int thread = 0;            ///< 0 main, 1 psum
  bool arrives[2] = {};      ///< by thread, [main, psum]: it has arrived at an instruction that it has not begun
  std::uint16_t pc[2] = {};  ///< pc of that instruction
  std::uint16_t did = 0;     ///< pc of the instruction that the thread executed, or executed a part of
  bool ends = false;         ///< Part: the last one of its instruction
  std::uint64_t beats = 0;   ///< beats executed by the thread's sequencer
  std::vector<Written> writes = {};
  std::vector<Words> words = {};  ///< each at most once
  std::vector<int> marked = {};   ///< tiles that raised the flag NO_ROUTE

  void pass(int at, int color, bool out, std::span<const std::uint32_t> values = {}) {
    const auto same = [&](const Words& w) { return w.tile == at && w.color == color && w.out == out; };
    auto found = std::ranges::find_if(words, same);
    if (found == words.end()) found = words.insert(found, {at, color, out});
    found->values.insert(found->values.end(), values.begin(), values.end());
  }
};

}  // namespace weft::model
