/// What `weft profile` has measured: one micro-batch of a training step on the RTL or a board, phase by phase.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/sim/tally.hpp"

namespace weft::profile {

/// What passed one valve, or one outlet, for a phase.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t begin = 0, end = 0;  ///< cycles of the first, and behind the last
};

/// An op of the plan, or the tokens before them: what lies between two MARKs.
struct Phase {
  std::string name;
  std::vector<TallyRecord> tiles;        ///< [row * cols + col]
  std::vector<Traffic> valves, outlets;  ///< [valve], [row]
  std::uint64_t multiply_adds = 0;       ///< of all tiles
};

/// Something the host did, in seconds of its own.
struct HostWork {
  enum class Who : std::uint8_t { Stream, Sums, Tree };  ///< MemoryX's stream and sums, SwarmX
  Who who = Who::Stream;
  std::string what;
  std::uint64_t cycle = 0;  ///< of the wafer: a stream must be ready by then, anything else may begin then
  double seconds = 0;
};

struct Profile {
  std::string config;
  std::uint64_t step = 1;
  bool each_layer = false;  ///< kinds of phases are those of each layer
  WaferShape wafer;
  std::vector<Phase> phases;
  std::vector<HostWork> host;

  std::size_t tiles() const { return static_cast<std::size_t>(wafer.rows) * static_cast<std::size_t>(wafer.cols); }
};

/// Some phases together, over all tiles.
struct Sum {
  std::string name;
  int phases = 0;
  std::uint64_t tile_cycles = 0;                                      ///< summed over tiles
  std::array<std::array<std::uint64_t, kCauses>, kThreads> counts{};  ///< the same, [thread][cause]
  std::uint64_t multiply_adds = 0, sent = 0, returned = 0;            ///< messages in, words out
  std::uint64_t valve = 0, outlet = 0;                                ///< messages of the fullest valve and outlet
  std::vector<std::uint64_t> issued, cycles;                          ///< [tile]: beats of both threads, cycles

  void add(const Phase& phase);
  /// Of the thread's cycles.
  double part(int thread, isa::Cause cause) const;
  /// Cycles of a tile, the mean.
  double mean() const { return static_cast<double>(tile_cycles) / static_cast<double>(cycles.size()); }
  /// Of the cycles of a tile, those in which its vector unit got a beat.
  double busy(std::size_t tile) const;
  double busiest() const;
};

/// "h.*.ln_1" of "h.3.ln_1".
std::string of_all_layers(const std::string& name);
/// The phases by kind, all layers together unless profile.each_layer, in the order in which they come.
std::vector<Sum> by_kind(const Profile& profile);
Sum total(const Profile& profile);

}  // namespace weft::profile
