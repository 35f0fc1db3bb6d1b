#include "host/board/debug/count_reader.hpp"

#include <cstdint>
#include <numeric>

#include "host/board/debug/debug_chain.hpp"
#include "host/board/debug/node_status.hpp"
#include "sw/base/refusal.hpp"
#include "verif/sim/stall_counter_code.hpp"

namespace weft::board {
namespace {

constexpr unsigned kNextBit = 1, kOverflowBit = 2;

using isa::StallReason;

/// MainStallReasons and PsumStallReasons of rtl/pe/weft_pe_pkg.sv: the stall reasons that are counted.
bool is_counted(int thread, unsigned number) {
  switch (static_cast<StallReason>(number)) {
    case StallReason::Other:
    case StallReason::Weight:
    case StallReason::Command:
    case StallReason::Join:
      return thread == 0;
    case StallReason::Psum:
    case StallReason::Credit:
    case StallReason::Asleep:
      return thread == 1;
    default:
      return true;
  }
}

std::uint64_t sum(const sim::StallRecord& r, std::size_t thread) {
  return std::accumulate(r.counts[thread].begin(), r.counts[thread].end(), std::uint64_t{0});
}

/// Calls `count` for each counted pair of thread and stall reason.
template <class Count>
void for_each(Count count) {
  for (int thread = 0; thread < sim::kThreads; ++thread)
    for (unsigned reason = 0; reason < sim::kStallReasons; ++reason)
      if (is_counted(thread, reason)) count(thread, reason);
}

}  // namespace

std::vector<sim::StallRecord> read_counts(Session& session, const machine::WaferShape& shape) {
  const DeviceInfo info = *session.link().info();
  if (info.tally == 0 || !info.debug)
    throw Refusal("fpga.device", session.line().name() + " is a board without stall counters",
                  "make fpga MESH=\"debug=1 tally=23\" builds one with them; for an emulated one: cmake -B build "
                  "-DWEFT_BOARD_TALLY=23 and make board");
  DebugChain chain(session, shape.rows, shape.cols);
  const int tag = tile_words(info.colors, info.depth, info.all_turns), counts = tag + 1;
  // Reading is a rotation: after as many bits as it has, each count has its old value.
  std::vector<NodeCommands> commands;
  const auto add = [&](NodeCommand c, int index) {
    c.index = index;
    commands.emplace_back(chain.nodes(), c);
  };
  add({.halt = false}, tag);
  for_each([&](int thread, unsigned reason) {
    for (int bit = 0; bit < info.tally; ++bit) add(NodeCommand::count(thread, reason), counts);
  });
  add({.halt = false}, tag);
  const std::vector<NodeWords> words = chain.exchange(commands);

  std::vector<sim::StallRecord> records;
  for (int row = 0; row < shape.rows; ++row)
    for (int col = 0; col < shape.cols; ++col) {
      const std::size_t node = chain.tile(row, col);
      sim::StallRecord& r = records.emplace_back(sim::StallRecord{.row = row, .col = col, .tag = words[0][node]});
      std::size_t at = 1;
      for_each([&](int thread, unsigned reason) {
        // The former highest bit is read last, because the bit that is read is the one after a step.
        std::uint32_t state = 0;
        for (int bit = 0; bit < info.tally; ++bit, ++at) {
          const unsigned word = words[at][node], next = word & kNextBit;
          r.overflow |= (word & kOverflowBit) != 0;
          state = bit + 1 < info.tally ? state << 1 | next : state | next << (info.tally - 1);
        }
        r.counts[static_cast<std::size_t>(thread)][reason] = sim::stall_counter_steps(state, info.tally);
      });
      if (words[at][node] != r.tag || (!r.overflow && sum(r, 0) != sum(r, 1)))
        session.lost(
            "returned counts of different phases: a MARK arrived while the counts were read, or the chain is "
            "incomplete");
    }
  return records;
}

}  // namespace weft::board
