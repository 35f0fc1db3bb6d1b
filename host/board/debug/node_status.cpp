#include "host/board/debug/node_status.hpp"

#include <bit>
#include <iterator>

#include "isa_machine.hpp"

namespace weft::board {
namespace {

/// Reads consecutive bit fields, the first in the lowest bits.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint16_t> words) : words_(words) {}
  unsigned take(int bits) {
    unsigned number = 0;
    for (int b = 0; b < bits; ++b, ++at_)
      if (at_ / 16 < words_.size() && (words_[at_ / 16] >> at_ % 16 & 1) != 0) number |= 1U << b;
    return number;
  }
  bool flag() { return take(1) != 0; }
  std::size_t at() const { return at_; }

 private:
  std::span<const std::uint16_t> words_;
  std::size_t at_ = 0;
};

int pointer_bits(int depth) { return std::bit_width(static_cast<unsigned>(depth) - 1); }
int credit_bits(int depth) { return std::bit_width(static_cast<unsigned>(depth)); }

/// Number of messages in a queue.
std::uint32_t fill(BitReader& from, int depth) {
  const bool some = from.flag();
  const unsigned read = from.take(pointer_bits(depth)), written = from.take(pointer_bits(depth));
  const unsigned n = (written - read) & static_cast<unsigned>(depth - 1);
  return n == 0 && some ? static_cast<unsigned>(depth) : n;
}

/// The turns of a router. Without `all`, colors beyond those of the kernels have none, regardless of the board's number
/// of colors.
struct Turns {
  bool all = false;

  bool has_queue(std::size_t port, std::size_t color) const {
    return all || (color < std::size(isa::kKernelTurns) && isa::kKernelTurns[color][port] != 0);
  }
  bool has_credits(std::size_t port, std::size_t color) const {
    if (all || color >= std::size(isa::kKernelTurns)) return all;
    for (const unsigned outputs : isa::kKernelTurns[color])
      if ((outputs >> port & 1) != 0) return true;
    return false;
  }
};

constexpr std::size_t kPorts = 5;
constexpr int kOutPointer = 4;  // bits

TileStatus read(BitReader& from, int colors, int depth, Turns turns) {
  TileStatus s;
  machine::TileHang& t = s.tile;
  from.take(32);  // kMainWord, kPsumWord
  struct Thread {
    unsigned pc, state;
  };
  const auto thread = [&](machine::ThreadState& state) {
    const unsigned pc = from.take(10), at = from.take(4);
    state.runs = at != kThreadHalted;
    // An executing thread's pc has already advanced to the next instruction.
    if (state.runs) state.pc = static_cast<std::uint16_t>((at > kThreadDecodes ? pc - 1 : pc) % isa::kIDepth);
    return at;
  };
  s.main_state = thread(t.state.main);
  s.psum_state = thread(t.state.psum);
  const unsigned main_pc = from.take(10) - 1, psum_pc = from.take(10) - 1;
  t.main.busy = from.flag();
  t.main.lacks_w = from.flag();
  t.psum.busy = from.flag();
  t.psum.lacks_words = from.flag();
  t.psum.lacks_room = from.flag();
  if (t.main.busy) t.main.pc = static_cast<std::uint16_t>(main_pc % isa::kIDepth);
  if (t.psum.busy) t.psum.pc = static_cast<std::uint16_t>(psum_pc % isa::kIDepth);
  const unsigned mp = from.take(2), pm = from.take(2);
  t.state.pm.taken_buffer = static_cast<int>(from.take(1));
  t.state.pm.put_buffer = static_cast<int>(from.take(1));
  t.state.mp.taken_buffer = static_cast<int>(from.take(2));
  t.state.mp.put_buffer = static_cast<int>(from.take(2));
  t.state.mp.filled = from.flag();
  const std::array<unsigned, 2> entries = {from.take(7), from.take(7)};
  for (unsigned i = 0; i < mp; ++i) t.state.mp.entries.push_back(static_cast<std::uint8_t>(entries[i]));
  t.state.pm.entries.assign(pm, 0);
  const unsigned read = from.take(kOutPointer), written = from.take(kOutPointer);
  const unsigned front = from.take(colors > 1 ? std::bit_width(static_cast<unsigned>(colors) - 1) : 1);
  t.out.assign((written - read) & ((1U << kOutPointer) - 1), machine::kColorUnknown);
  if (!t.out.empty()) t.out.front() = static_cast<std::uint8_t>(front);
  const auto n = static_cast<std::size_t>(colors);
  for (std::size_t c = 0; c < n; ++c) t.ramp.push_back(fill(from, depth));
  for (std::size_t c = 0; c < n; ++c) t.out_credits.push_back(static_cast<std::uint8_t>(from.take(credit_bits(depth))));
  for (std::size_t port = 0; port < kPorts; ++port) {
    t.buffers[port].assign(n, 0);
    for (std::size_t c = 0; c < n; ++c)
      if (turns.has_queue(port, c)) t.buffers[port][c] = fill(from, depth);
  }
  for (std::size_t port = 0; port < kPorts; ++port) {
    t.credits[port].assign(n, static_cast<std::uint8_t>(depth));  // ports that are not built have all their credits
    for (std::size_t c = 0; c < n; ++c)
      if (turns.has_credits(port, c)) t.credits[port][c] = static_cast<std::uint8_t>(from.take(credit_bits(depth)));
  }
  s.w_to_east = from.flag();
  s.w_to_pe = from.flag();
  // Only a halted thread is stopped before an instruction; released, it would continue.
  t.awake = s.main_state == kThreadFetches || s.psum_state == kThreadFetches;
  return s;
}

}  // namespace

int tile_words(int colors, int depth, bool all_turns) {
  BitReader nothing({});
  read(nothing, colors, depth, {all_turns});
  return static_cast<int>((nothing.at() + 15) / 16);
}

TileStatus tile_status(std::span<const std::uint16_t> words, int colors, int depth, bool all_turns) {
  BitReader from(words);
  return read(from, colors, depth, {all_turns});
}

CellStatus cell_status(std::uint16_t word, int colors, int depth) {
  BitReader from(std::span(&word, 1));
  CellStatus s;
  s.row.cell = fill(from, depth);
  s.row.served = static_cast<std::uint8_t>(from.take(2));
  const auto credits = [&] { return static_cast<std::uint8_t>(from.take(credit_bits(depth))); };
  s.row.cell_credits = {credits(), credits()};
  s.valve_credits = credits();
  s.row.outlet.assign(static_cast<std::size_t>(colors), 0);  // a board at rest has emptied its outlets
  return s;
}

}  // namespace weft::board
