/// Runs a case on the RTL and on the functional model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verif/random/case.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::random {

/// What the RTL has executed.
struct Coverage {
  std::uint64_t cases = 0, instructions = 0, messages = 0, cycles = 0;
  std::uint64_t longest = 0;  ///< cycles of a case
  /// [thread][opcode]
  std::vector<std::vector<std::uint64_t>> opcodes{2, std::vector<std::uint64_t>(64)};
  /// [thread][csrr, csrw][number]
  std::vector<std::vector<std::vector<std::uint64_t>>> csrs{2, {2, std::vector<std::uint64_t>(16)}};
  /// Of vf: [fn], [asel], [bsel], [csel], [dsel].
  std::vector<std::vector<std::uint64_t>> fields{5, std::vector<std::uint64_t>(8)};
  unsigned flags = 0;         ///< that some tile has had
  std::uint64_t in_step = 0;  ///< cases at whose end the model still ran rows in step

  void add(int thread, std::uint32_t word, std::uint64_t times);
  /// A table for a reader.
  std::string print() const;
};

enum class Verdict {
  Same,
  Mismatch,
  Broken  ///< the model refuses the case, or stands still: it is the generator's fault
};

struct Result {
  Verdict verdict = Verdict::Same;
  std::string text;  ///< what differs first, or why it is broken
};

/// Has the wafer take and offer messages as the case says: which cycles they are follows from the case alone.
void press(ClockedWafer& rtl, const Case& c);
/// The messages that load its programs.
std::vector<Message> load(const Case& c);

/// `coverage`, if not null, gets what was executed. Assertions of the RTL that fail end the program.
Result run(const Case& c, Coverage* coverage = nullptr);
/// The same in a process of its own: the end of that is a mismatch, too.
Result run_apart(const Case& c);

}  // namespace weft::random
