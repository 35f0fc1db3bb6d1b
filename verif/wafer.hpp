/// Interface of one wafer: the functional model, the Verilated RTL or a board.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/machine/hang.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "sw/machine/state.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft {

/// Cycles and work, summed over all tiles of the wafer. The model leaves cycles at 0.
struct WaferCounters {
  std::uint64_t cycles = 0;         ///< cycles of the wafer's clock
  std::uint64_t fma_lanes = 0;      ///< multiply-adds: lanes of all beats of vf, vaxs and vdot
  std::uint64_t beats = 0;          ///< beats issued, both threads
  std::uint64_t edge_messages = 0;  ///< messages in and out at the west edge
};

/// The host waits for messages, but nothing moves any more; `what()` lists what each waiting tile waits for.
struct WaferHang : std::runtime_error {
  using std::runtime_error::runtime_error;
  WaferHang(const std::string& what, std::shared_ptr<const machine::HangSnapshot> where)
      : std::runtime_error(what), hang_snapshot(std::move(where)) {}

  /// snapshot of the wafer; null if this wafer cannot provide one
  std::shared_ptr<const machine::HangSnapshot> hang_snapshot;
};

class Wafer {
 public:
  virtual ~Wafer() = default;
  virtual const machine::WaferShape& shape() const = 0;

  /// Offers messages to the valves in order; returns when all are accepted (or queued). Wafer time passes only while
  /// the valves have messages or `await` runs, so cycle counts do not depend on the host's speed or on the chunking. A
  /// wafer with threads of its own may still be processing the messages, and throw an error at any later call; all
  /// calls except `outlet` and `shape` wait for completion.
  virtual void feed(std::span<const machine::Message> messages) = 0;

  /// As feed(), for the rows of one of shape().row_groups groups only (docs/explanation/row_groups.md).
  virtual void feed_group(int /*group*/, std::span<const machine::Message> messages) {
    if (shape().row_groups != 1) throw std::logic_error("this wafer has no groups of rows");
    feed(messages);
  }

  /// As feed(), for the messages of a stream piece.
  virtual void feed_piece(const machine::StreamPiece& piece) {
    piece.make(made_);
    feed(made_);
  }

  /// Runs until row r's outlet has delivered, since construction or reset(), at least `totals[r]` messages, for all
  /// rows of all groups. Throws WaferHang if nothing moves any more.
  virtual void await(std::span<const std::uint64_t> totals) = 0;

  /// Runs until nothing moves any more. Throws WaferHang if a thread of some tile then does not rest
  /// (docs/reference/pe.md, Rest), or the valves still have messages.
  virtual void settle() = 0;

  /// Returns to the state after power-up, except for memory, accumulators and registers, which keep their contents
  /// (docs/reference/pe.md); messages in flight, queues, flags, counters and outlet contents are lost. After any fault,
  /// also after a WaferHang, the wafer can be loaded again.
  virtual void reset() = 0;

  /// The messages that row r's outlet delivered and the caller has not removed; complete after `await` or `settle`. The
  /// caller may clear it.
  virtual std::vector<std::uint32_t>& outlet(int row) = 0;

  /// SRAM of one PE as 16-bit elements (a copy, for tests and dumps).
  virtual std::vector<std::uint16_t> sram(int row, int col) const = 0;

  /// Architectural state of a tile (a copy, for tests). Throws std::logic_error if this wafer does not support it.
  virtual machine::TileState state(int /*row*/, int /*col*/) const {
    throw std::logic_error("this wafer does not show the state of its tiles");
  }

  /// The host announces what it is about to send, for reports.
  virtual void at(const machine::StreamPlace& /*place*/) {}

  /// From now on increments `count`, from any thread, at each step of progress: each cycle, or work of milliseconds, so
  /// that a monitor in another thread can detect a hang. `count` must outlive the wafer. Returns false if this wafer
  /// does not support it.
  virtual bool count_progress(std::atomic<std::uint64_t>& /*count*/) { return false; }

  virtual WaferCounters counters() const = 0;
  /// Beats issued by one tile of each row, [rows] (all tiles of a row issue the same number); empty if only sums are
  /// counted.
  virtual std::vector<std::uint64_t> row_beats() const { return {}; }
  /// OR of the sticky flags of all tiles and edge cells, with their places; empty if none is set.
  virtual std::string flags() const = 0;

 private:
  std::vector<machine::Message> made_;
};

/// The functional model (verif/model), run by `threads` threads, at most one per column; the bits do not depend on
/// their number. `depth`: messages a link buffers for each color, as in the RTL; the model then finds the deadlocks of
/// the RTL, tile by tile in the caller's thread. 0: unbounded links.
std::unique_ptr<Wafer> make_model_wafer(const machine::WaferShape& shape, int threads = 1, int depth = 0);
/// The Verilated RTL, one tile replicated `rows x cols` times (verif/sim), run by `threads` threads, at most one per
/// row; bits and cycles do not depend on their number. Throws std::invalid_argument for lanes that are not built in;
/// build/gen/weft_lanes.hpp lists those that are.
std::unique_ptr<Wafer> make_rtl_wafer(const machine::WaferShape& shape, int threads = 1);

}  // namespace weft
