/// Measurements of `weft profile`: one micro-batch of a training step on the RTL or a board, phase by phase.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::inspect::profile {

/// Traffic through one valve or outlet during a phase.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t begin = 0, end = 0;  ///< cycle of the first message, and the cycle after the last
};

/// An op of the plan, or the tokens before the ops: the interval between two MARKs.
struct Phase {
  std::string name;
  std::vector<sim::StallRecord> tiles;   ///< [row * cols + col]
  std::vector<Traffic> valves, outlets;  ///< [valve], [row]
  std::uint64_t multiply_adds = 0;       ///< sum over all tiles
};

/// A piece of the host's work, in wall-clock seconds.
struct HostWork {
  enum class Who : std::uint8_t { Stream, Sums, Tree };  ///< MemoryX's stream and sums, SwarmX
  Who who = Who::Stream;
  std::string what;
  std::uint64_t cycle = 0;  ///< wafer's cycle: deadline of a stream, earliest begin of any other work
  double seconds = 0;
};

struct Profile {
  std::string config;
  std::uint64_t step = 1;
  bool each_layer = false;  ///< list the phases of each layer separately
  machine::WaferShape wafer;
  std::vector<Phase> phases;
  std::vector<HostWork> host;

  std::size_t tiles() const { return static_cast<std::size_t>(wafer.rows) * static_cast<std::size_t>(wafer.cols); }
};

/// Several phases together, over all tiles.
struct Sum {
  std::string name;
  int phases = 0;
  std::uint64_t tile_cycles = 0;  ///< sum over tiles
  /// sum over tiles, [thread][reason]
  std::array<std::array<std::uint64_t, sim::kStallReasons>, sim::kThreads> counts{};
  std::uint64_t multiply_adds = 0, sent = 0, returned = 0;  ///< messages in, words out
  std::uint64_t valve = 0, outlet = 0;                      ///< messages of the busiest valve and outlet
  std::vector<std::uint64_t> issued, cycles;                ///< [tile]: beats of both threads, cycles

  void add(const Phase& phase);
  /// Fraction of the thread's cycles that a stall reason takes.
  double part(int thread, isa::StallReason reason) const;
  /// Mean cycles per tile.
  double mean() const { return static_cast<double>(tile_cycles) / static_cast<double>(cycles.size()); }
  /// Fraction of a tile's cycles in which its vector unit got a beat.
  double busy(std::size_t tile) const;
  double busiest() const;
};

/// Replaces the layer number: "h.*.ln_1" for "h.3.ln_1".
std::string of_all_layers(const std::string& name);
/// Phases summed by kind, in order of first occurrence. All layers are combined unless profile.each_layer is set.
std::vector<Sum> by_kind(const Profile& profile);
Sum total(const Profile& profile);

}  // namespace weft::inspect::profile
