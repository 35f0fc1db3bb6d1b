/// What one side of a comparison says of itself: a trail, as coarse or as fine as it was asked for.
///
/// A trail is text (docs/bisect.md), so that two commits can be compared: what would need the program or the plan to be
/// understood, instructions, messages, weights, is in it as words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::bisect {

/// What a trail is asked for, the coarsest first.
enum class Level : std::uint8_t { Steps, State, Phases, Phase };

struct Request {
  Level level = Level::Steps;
  std::uint64_t step = 1;         ///< Phases, Phase: the training step; State: the state after it
  std::uint64_t micro_batch = 0;  ///< Phase
  std::string phase;              ///< Phase: `load`, `tokens` or an op
  int row = 0, col = 0;           ///< Phase: the tile
};

/// Level Steps: hashes of weights and moments, of the beginning and after each step.
struct Steps {
  std::uint64_t first = 0;  ///< steps done in the beginning
  std::vector<std::string> hashes;
  std::string stopped;  ///< why there is no further step; empty: there was to be none
};

/// Level State: weights and moments after a step, 8 hexadecimal digits a number.
struct Tensor {
  std::string name;
  std::vector<int> dims;
  std::string weights, first_moments, second_moments;
};
struct State {
  std::vector<Tensor> tensors;
};

/// Level Phases: checksums of what went into a wafer, came back and is in the tiles.
struct PhaseSums {
  std::string name;
  std::string data, control, returned;
  std::vector<std::string> tiles;   ///< of the SRAM of each, row by row, in rest after the phase
  std::vector<std::string> flags;   ///< sticky ones of each in words; empty: this commit or wafer does not tell
  std::vector<std::string> routes;  ///< checksums of those of each; empty likewise
};
struct MicroBatch {
  std::vector<PhaseSums> phases;  ///< `load`, `tokens`, then the plan's
  std::string stopped;            ///< why there is no further phase
};
struct Phases {
  int rows = 0, cols = 0, lanes = 0;
  std::vector<MicroBatch> micro_batches;
};

/// Something that a tile has done: written an element of SRAM or an accumulator, taken a message or sent one.
struct Event {
  std::string place;  ///< `M[0x4a1]`, `R[3] lane 1`, `takes W`, `sends RING`
  std::string value;  ///< in hexadecimal, and in words
  std::string by;     ///< the thread and its instruction; of messages nothing
};
/// Level Phase: the stream in words, and all that one tile did, in order.
struct Phase {
  std::vector<std::string> messages;
  std::vector<std::vector<std::string>> returned;  ///< [row], in words
  std::string memory;                              ///< the tile's after it, 4 hexadecimal digits an element
  std::vector<std::string> arrays;                 ///< "0120 residual": the plan's, by rising address
  std::vector<std::string> routes;                 ///< the tile's after it, in words; empty as above
  std::vector<Event> events;
  std::string stopped;
};

/// A trail as a file: a line that says what it is, the trail, a checksum. Throws Refusal if it cannot be written.
template <class Trail>
void save(const Trail& trail, const std::filesystem::path& file);
/// Throws Refusal if it is damaged, of another version or another level.
template <class Trail>
Trail load(const std::filesystem::path& file);

std::string level_name(Level level);
/// Throws Refusal of `--level`.
Level find_level(const std::string& name);

}  // namespace weft::bisect
