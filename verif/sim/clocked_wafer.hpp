/// Base class of all clocked wafers: it decides when the clock runs, and detects deadlocks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "verif/sim/intake.hpp"
#include "verif/sim/stall_record.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/wafer.hpp"

namespace weft::sim {

/// A message at the west edge, and the cycle of the clock edge that took it.
struct EdgeEvent {
  enum class Kind : std::uint8_t { In, Out };
  std::uint64_t cycle = 0;
  Kind kind = Kind::In;
  int place = 0;           ///< valve of each group, or row of the outlet
  std::uint64_t word = 0;  ///< 38 bits in and the groups (sim::queued), 32 bits out

  friend bool operator==(const EdgeEvent&, const EdgeEvent&) = default;
};

/// The clock runs only while every valve has a message or await() runs: cycle counts never depend on how the host
/// splits its stream, nor on its speed.
class ClockedWafer : public Wafer {
 public:
  const machine::WaferShape& shape() const override { return shape_; }
  void feed(std::span<const machine::Message> messages) override;
  void feed_group(int group, std::span<const machine::Message> messages) override;
  void await(std::span<const std::uint64_t> totals) override;
  void settle() override;
  void reset() override;
  void at(const machine::StreamPlace& place) override { place_ = place; }
  bool count_progress(std::atomic<std::uint64_t>& count) override {
    progress_ = &count;
    return true;
  }
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_[static_cast<std::size_t>(row)]; }
  WaferCounters counters() const override;
  std::string flags() const override;

  /// Appends every message at the west edge to `log` from now on (nullptr: stop). `log` must outlive the wafer.
  void record(std::vector<EdgeEvent>* log) { log_ = log; }
  /// From now on the host takes a message of row r's outlet in cycle n only if `takes(r, n)`; empty: always.
  void listen(std::function<bool(int row, std::uint64_t cycle)> takes) { takes_ = std::move(takes); }
  /// From now on the host offers a message to valve v in cycle n only if `offers(v, n)`; empty: always.
  void hesitate(std::function<bool(int valve, std::uint64_t cycle)> offers) { offers_ = std::move(offers); }
  /// Appends every stall record of the tiles (docs/explanation/stalls.md) to `log` from now on, in order of creation
  /// (nullptr: stop). `log` must outlive the wafer. Throws std::logic_error if this build does not count (STALLS).
  virtual void log_stalls(StallLog* log);
  /// Limit on cycles since construction or reset; WaferHang is thrown when it is reached.
  void limit(std::uint64_t cycles) { limit_ = cycles; }

  /// From now on `watch` observes these tiles in every cycle (nullptr: stop); cycles stay the same. `watch` must
  /// outlive the wafer, or be removed. Throws std::logic_error if this kind of wafer does not expose signals.
  virtual void watch(TileWatch* watch, std::span<const TilePlace> tiles = {});
  /// Sets a tile's state (TileGrid::set_state). All tiles must rest.
  virtual void set_state(int row, int col, const machine::TileState& state);
  /// As feed(), but runs no cycles: tick() takes the messages.
  void queue(std::span<const machine::Message> messages) { intake_.push(messages); }
  /// A cycle would change the state.
  bool can_move() const;
  /// One cycle. Throws WaferHang as await() does.
  void tick() { run_cycle(); }
  /// Snapshot of the wafer in its current state, which need not be at rest; `why` is the reason for taking it.
  std::shared_ptr<const machine::HangSnapshot> hang_snapshot(const std::string& why) const;
  /// The number of the next cycle, since construction or reset.
  std::uint64_t cycle_number() const { return cycles_; }

 protected:
  explicit ClockedWafer(const machine::WaferShape& shape);

  /// One clock edge in reset with idle inputs.
  virtual void reset_edge() = 0;
  /// One clock cycle: offers the front of every queue of `intake_`, and reports to accepted() and delivered().
  virtual void cycle() = 0;
  /// A register may change at the next clock edge, even if the intake offers nothing.
  virtual bool awake() const = 0;
  /// The valve can take a message at the next clock edge; with several groups of rows, the valve of any group that
  /// still needs the queue's front message.
  virtual bool ready(int valve) const = 0;
  /// The group's valve has taken the front message of the queue, for which other groups still wait.
  virtual bool served(int /*valve*/, int /*group*/) const { return false; }
  /// Sums of the tiles' counters (cycles and edge_messages are ignored).
  virtual WaferCounters work() const = 0;
  /// Messages moved on links so far, if known.
  virtual std::uint64_t link_messages() const { return 0; }

  /// Called when nothing moves any more, before debug().
  virtual void fetch_tile_states() {}
  /// State dbg_t of rtl/pe/weft_pe_pkg.sv of a sleeping tile.
  virtual std::uint64_t debug(int row, int col) const = 0;
  /// Description of the threads of an awake tile; empty for a sleeping one.
  virtual std::string running(int row, int col) const = 0;
  virtual std::uint8_t tile_flags(int row, int col) const = 0;
  virtual std::uint8_t edge_flags(int row) const = 0;
  /// Adds tiles, rows, valves and depth to `s`, after fetch_tile_states(). Returns false if this wafer cannot.
  virtual bool show(machine::HangSnapshot& /*s*/) const { return false; }

  /// The host takes a message of row r's outlet in this cycle.
  bool takes(int row) const { return !takes_ || takes_(row, cycles_); }
  /// The host offers valve v a message in this cycle, if it has one.
  bool offers(int valve) const { return !offers_ || offers_(valve, cycles_); }
  void accepted(int valve);
  void delivered(int row, std::uint32_t word);

  Intake intake_;

 private:
  void run_cycle();
  void look_for_progress();
  /// Every tile rests. Requires that all are asleep.
  bool rests() const;
  bool rests(int row) const;
  /// Reduces a snapshot of all groups of rows to the first group that does not rest.
  void keep_one_group(machine::HangSnapshot& s) const;
  /// A line for each tile that does not rest, with what it waits for.
  std::string waiting() const;
  [[noreturn]] void throw_hang(const std::string& why);

  machine::WaferShape shape_;
  std::uint64_t cycles_ = 0, limit_ = ~std::uint64_t{0};
  std::uint64_t edge_messages_ = 0;
  std::vector<std::vector<std::uint32_t>> outlets_;
  std::vector<std::uint64_t> delivered_, awaited_, taken_;  // [row], [row], [valve]
  machine::StreamPlace place_;
  std::vector<EdgeEvent>* log_ = nullptr;
  std::function<bool(int, std::uint64_t)> takes_, offers_;
  std::atomic<std::uint64_t>* progress_ = nullptr;
  /// State at the last progress check.
  struct Progress {
    std::uint64_t messages = 0, beats = 0, message_cycle = 0;
  } last_;
};

/// As make_rtl_wafer(), for inspection.
std::unique_ptr<ClockedWafer> make_clocked_wafer(const machine::WaferShape& shape);

/// Called with each new replicated wafer when it is ready, so that any test can write traces on request
/// (tests/trace_on_request.cpp); may be empty. Must be set before the first wafer is created.
inline std::function<void(ClockedWafer&)> wafer_created_hook;

}  // namespace weft::sim
