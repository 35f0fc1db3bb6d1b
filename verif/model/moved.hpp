/// One move of the model, tile by tile, as a debugger sees it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Who did what. Filled by those whose pointer to one is not null.
struct ModelMove {
  enum class What : std::uint8_t {
    Instruction,  ///< a thread's core has done one
    Part,         ///< a thread's sequencer has done its instruction, or as much as words allow
    Command,      ///< a tile at rest has taken a message of W
    Messages,     ///< no tile: the intake, or links of a bounded wafer
  };
  /// Elements of the tile's SRAM that were written, whatever they held before.
  struct Written {
    unsigned first = 0, count = 0;
  };
  struct Words {
    int tile = 0, color = 0;
    bool out = false;  ///< the tile sends them; else they come to it
  };

  What what = What::Messages;
  int tile = -1;             ///< row * cols + col
  int thread = 0;            ///< 0 main, 1 psum
  bool arrives[2] = {};      ///< the thread, [main, psum], is now at an instruction that it has not begun
  std::uint16_t pc[2] = {};  ///< of that
  std::uint64_t beats = 0;   ///< that the thread's sequencer has done
  std::vector<Written> writes = {};
  std::vector<Words> words = {};  ///< each at most once
  std::vector<int> marked = {};   ///< tiles that got the flag NO_ROUTE

  void pass(int at, int color, bool out) {
    const auto same = [&](const Words& w) { return w.tile == at && w.color == color && w.out == out; };
    if (std::ranges::none_of(words, same)) words.push_back({at, color, out});
  }
};

}  // namespace weft
