/// The RTL from a phase on, cycle by cycle, forwards and backwards.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::debug {

/// A micro-batch's phases one after the other, with a rest between them. Each cycle is that of every other time: the
/// way back is the way there once more, from the last rest before.
class Target final : private TileWatch {
 public:
  /// Before the first cycle of phase `first`: the RTL has the state that the functional model reaches there. `plan` and
  /// `parameters` must outlive this.
  Target(const Plan& plan, std::span<const float> parameters, std::span<const Message> tokens, std::size_t first,
         int model_threads);
  ~Target() override;

  /// One cycle. False if the last phase is over: nothing moves any more. Throws WaferStuck.
  bool tick();
  /// Cycles done, since the begin.
  std::uint64_t cycle() const { return cycle_; }
  /// As if no more than so many cycles had been done. `cycle` must be at most cycle().
  void rewind(std::uint64_t cycle);

  const Plan& plan() const { return plan_; }
  /// The number of the phase whose messages came last.
  std::size_t phase() const { return phase_; }
  /// A phase begins with the next cycle.
  bool phase_begins() const { return begins_; }
  const std::string& phase_name() const { return plan_.ops[phase_].name; }

  /// What a tile did in the cycle that was done last.
  const TileView& view(TilePlace tile) const { return views_[index(tile)]; }
  /// Registers and memories as they are now; of a thread at work, what it has written so far.
  TileState state(TilePlace tile) const { return rtl_->state(tile.row, tile.col); }
  Standstill standstill() const { return *rtl_->standstill("looked at"); }
  /// The instruction that a sequencer was given last.
  unsigned sequenced(TilePlace tile, bool psum) const { return follow_[index(tile)].thread[psum].sequenced; }

 private:
  struct Rest {
    std::size_t phase = 0;          // the next one
    std::vector<TileState> states;  // [tile]
  };
  struct Follow {
    struct Thread {
      unsigned state = 0, pc = 0, sequenced = 0;
    } thread[2];
  };

  void look(std::uint64_t cycle, std::size_t n, const TileView& view) override;
  void begin(std::size_t phase);
  void rest();
  void put(const Rest& rest);
  std::size_t index(TilePlace tile) const { return static_cast<std::size_t>(tile.row * plan_.wafer.cols + tile.col); }

  const Plan& plan_;
  std::span<const float> parameters_;
  std::unique_ptr<ClockedWafer> rtl_;
  std::vector<TilePlace> tiles_;
  std::vector<TileView> views_;
  std::vector<Follow> follow_;
  std::map<std::uint64_t, Rest> rests_;  // by cycle
  std::uint64_t cycle_ = 0;
  std::size_t phase_ = 0;
  bool begins_ = true;
};

}  // namespace weft::debug
