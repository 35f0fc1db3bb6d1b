/// Fingerprints of a run for comparison with another, at the requested level of detail.
///
/// A fingerprint is text (docs/howto/bisect.md), so that two commits can be compared: instructions, messages and
/// weights, which would need the program or the plan to be decoded, are recorded in words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::inspect::bisect {

/// Level of detail of a fingerprint, the coarsest first.
enum class Level : std::uint8_t { Steps, State, Phases, Phase };

struct Request {
  Level level = Level::Steps;
  std::uint64_t step = 1;         ///< Phases, Phase: the training step; State: the state after it
  std::uint64_t micro_batch = 0;  ///< Phase
  std::string phase;              ///< Phase: `load`, `tokens` or an op
  int row = 0, col = 0;           ///< Phase: the tile
};

/// Level Steps: hashes of weights and moments, initially and after each step.
struct Steps {
  std::uint64_t first = 0;  ///< steps done before the first hash
  std::vector<std::string> hashes;
  std::string stopped;  ///< reason why there is no further step; empty if the run ended as configured
};

/// Level State: weights and moments after a step, 8 hexadecimal digits per number.
struct Tensor {
  std::string name;
  std::vector<int> dims;
  std::string weights, first_moments, second_moments;
};
struct State {
  std::vector<Tensor> tensors;
};

/// Level Phases: checksums of what entered a wafer, what returned, and the contents of the tiles.
struct PhaseSums {
  std::string name;
  std::string
      former;  ///< name in fingerprints of former commits (sw/network/former_phase_names.hpp); empty if it had none
  std::string data, control, returned;
  std::vector<std::string> tiles;   ///< digest of each tile's SRAM, row by row, at rest after the phase
  std::vector<std::string> flags;   ///< sticky flags of each tile in words; empty if not reported by this commit or
                                    ///< wafer
  std::vector<std::string> routes;  ///< checksums of the routes of each tile; empty likewise
};
struct MicroBatch {
  std::vector<PhaseSums> phases;  ///< `load`, `tokens`, then the plan's
  std::string stopped;            ///< reason why there is no further phase
};
struct Phases {
  int rows = 0, cols = 0, lanes = 0;
  std::vector<MicroBatch> micro_batches;
};

/// An event in a tile: a write to an element of SRAM or to an accumulator, or a message taken or sent.
struct Event {
  std::string place;  ///< `M[0x4a1]`, `R[3] lane 1`, `takes W`, `sends RING`
  std::string value;  ///< in hexadecimal and in words
  std::string by;     ///< thread and instruction; empty for messages
};
/// Level Phase: the stream in words, and all events of one tile, in order.
struct Phase {
  std::vector<std::string> messages;
  std::vector<std::vector<std::string>> returned;  ///< [row], in words
  std::string memory;                              ///< contents after the phase, 4 hexadecimal digits per element
  std::vector<std::string> arrays;                 ///< arrays of the plan, like "0120 residual", by rising address
  std::vector<std::string> routes;                 ///< routes of the tile after the phase, in words; empty as above
  std::vector<Event> events;
  std::string stopped;
};

/// Writes a fingerprint to a file: a header line, the fingerprint, and its checksum in the header. Throws Refusal if
/// the file cannot be written.
template <class Fingerprint>
void save(const Fingerprint& fingerprint, const std::filesystem::path& file);
/// Throws Refusal if the file is damaged, or of another version or level.
template <class Fingerprint>
Fingerprint load(const std::filesystem::path& file);

std::string level_name(Level level);
/// Throws Refusal of `--level`.
Level find_level(const std::string& name);

}  // namespace weft::inspect::bisect
