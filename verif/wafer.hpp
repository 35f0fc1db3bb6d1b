/// One wafer, whatever it is made of: the functional model, the Verilated RTL or a board.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "sw/machine/standstill.hpp"
#include "sw/machine/state.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft {

/// Where the cycles went, summed over all tiles of the wafer. The model leaves cycles at 0.
struct WaferCounters {
  std::uint64_t cycles = 0;         ///< cycles of the wafer's clock
  std::uint64_t fma_lanes = 0;      ///< multiply-adds done: lanes of beats of vf/vaxs/vdot that use the multiplier
  std::uint64_t beats = 0;          ///< beats issued, both threads
  std::uint64_t edge_messages = 0;  ///< messages in and out at the west edge
};

/// Nothing moves although the host waits for messages; `what()` says who waits for whom.
struct WaferStuck : std::runtime_error {
  using std::runtime_error::runtime_error;
  WaferStuck(const std::string& what, std::shared_ptr<const Standstill> where)
      : std::runtime_error(what), standstill(std::move(where)) {}

  std::shared_ptr<const Standstill> standstill;  ///< the wafer as it stands; null if this wafer cannot show it
};

class Wafer {
 public:
  virtual ~Wafer() = default;
  virtual const WaferShape& shape() const = 0;

  /// Offers messages to the intake in order; returns when all are accepted (or queued). Wafer time passes only while
  /// the intake has messages or `await` runs, so cycle counts do not depend on the host's speed or on the chunking.
  /// A wafer with threads of its own may still be at it, and throw what went wrong at any later call; all but `outlet`
  /// and `shape` wait for it.
  virtual void feed(std::span<const Message> messages) = 0;

  /// The same of a piece's messages.
  virtual void feed_piece(const StreamPiece& piece) {
    piece.make(made_);
    feed(made_);
  }

  /// Runs until row r's outlet has delivered, since construction or reset(), at least `totals[r]` messages, for all
  /// rows. Throws WaferStuck if nothing moves any more.
  virtual void await(std::span<const std::uint64_t> totals) = 0;

  /// Runs until nothing moves any more. Throws WaferStuck if then a thread of some tile does not rest (docs/pe.md,
  /// Rest), or the intake has messages that nobody takes.
  virtual void settle() = 0;

  /// Back to the state after power-up, but for memory, accumulators and registers, which keep what they had
  /// (docs/pe.md); messages in flight, queues, flags, counters and what outlets delivered are gone. After any fault,
  /// also after a WaferStuck, the wafer can then be loaded again.
  virtual void reset() = 0;

  /// The messages row r's outlet delivered and nobody took yet, all of them after `await` or `settle`; the caller may
  /// clear it.
  virtual std::vector<std::uint32_t>& outlet(int row) = 0;

  /// SRAM of one PE as 16-bit elements (a copy, for tests and dumps).
  virtual std::vector<std::uint16_t> sram(int row, int col) const = 0;

  /// All that programs can tell of a tile (a copy, for tests). Throws std::logic_error if this wafer does not show it.
  virtual TileState state(int /*row*/, int /*col*/) const {
    throw std::logic_error("this wafer does not show the state of its tiles");
  }

  /// The host tells what it is about to send, for reports.
  virtual void at(const StreamPlace& /*place*/) {}

  /// From now on counts `count` up, from any thread, each time it gets on with what it was asked for, however slowly:
  /// by the cycle, or by what takes milliseconds. Then who looks on from another thread can tell whether it stands.
  /// `count` must outlive the wafer. False: this one cannot say.
  virtual bool count_progress(std::atomic<std::uint64_t>& /*count*/) { return false; }

  virtual WaferCounters counters() const = 0;
  /// Beats issued by one tile of each row, [rows] (those of a row issue the same); empty if only sums are counted.
  virtual std::vector<std::uint64_t> row_beats() const { return {}; }
  /// OR of the sticky flags of all tiles and edge cells, with their places; empty if none is set.
  virtual std::string flags() const = 0;

 private:
  std::vector<Message> made_;
};

/// The functional model (verif/model). So many threads, at most one a column, share its tiles; the bits are the same.
/// `depth`: messages a link buffers for each color, as in the RTL; then it finds the deadlocks that the RTL has, tile
/// by tile in the caller's thread. 0: links without a bound.
std::unique_ptr<Wafer> make_model_wafer(const WaferShape& shape, int threads = 1, int depth = 0);
/// The Verilated RTL, one tile stamped `rows x cols` times (verif/sim). So many threads, at most one a row, share its
/// tiles; bits and cycles are the same. Throws std::invalid_argument for lanes that are not built in: those of
/// build/gen/weft_lanes.hpp are.
std::unique_ptr<Wafer> make_rtl_wafer(const WaferShape& shape, int threads = 1);

}  // namespace weft
