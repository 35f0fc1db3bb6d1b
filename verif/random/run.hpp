/// Runs a case on the RTL and on the functional model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verif/random/case.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::random {

/// Instructions and events executed by the RTL.
struct Coverage {
  std::uint64_t cases = 0, instructions = 0, messages = 0, cycles = 0;
  std::uint64_t longest = 0;  ///< cycles of the longest case
  /// [thread][opcode]
  std::vector<std::vector<std::uint64_t>> opcodes{2, std::vector<std::uint64_t>(64)};
  /// [thread][csrr, csrw][number]
  std::vector<std::vector<std::vector<std::uint64_t>>> csrs{2, {2, std::vector<std::uint64_t>(16)}};
  /// Counts for vf: [fn], [asel], [bsel], [csel], [dsel].
  std::vector<std::vector<std::uint64_t>> fields{5, std::vector<std::uint64_t>(8)};
  unsigned flags = 0;             ///< flags raised by any tile
  std::uint64_t in_lockstep = 0;  ///< cases at whose end the model still ran rows in lockstep

  void add(int thread, std::uint32_t word, std::uint64_t times);
  /// A table of all counts.
  std::string print() const;
};

enum class Verdict {
  Same,
  Mismatch,
  Broken  ///< the model rejects the case, or deadlocks: an error of the generator
};

struct Result {
  Verdict verdict = Verdict::Same;
  std::string text;  ///< the first difference, or why the case is broken
};

/// Makes the host take and offer messages as the case specifies; the case alone determines the cycles.
void press(sim::ClockedWafer& rtl, const Case& c);
/// Messages that load the case's programs.
std::vector<machine::Message> load(const Case& c);

/// `coverage`, if not null, receives what was executed. A failed assertion of the RTL ends the program.
Result run(const Case& c, Coverage* coverage = nullptr);
/// As run(), in a child process, so that a crash also counts as a mismatch.
Result run_apart(const Case& c);

}  // namespace weft::random
