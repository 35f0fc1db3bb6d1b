/// Checks the lines of an existing metrics.jsonl.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::metrics {

/// Expectations about the lines from which a run resumes, taken from a checkpoint and its folder.
struct MetricsBefore {
  std::uint64_t keep = 0;       ///< step of the checkpoint, the last line to keep; 0: no checkpoint
  std::uint64_t first = 0;      ///< step of the first line, present or future; 0: unknown
  std::string state_hash = {};  ///< hash of the checkpoint, which its step's line must match; empty: unknown
  std::string last = {};        ///< the line of that step, if it could not be written; else empty
  std::string runs = {};        ///< identities, in any form, of other runs whose lines are valid
  bool named = true;  ///< the checkpoint names its run; older ones do not, and lines are then not checked for it
};

/// Lines of the steps up to `before.keep`. Throws Refusal that names file and line if a line is damaged, of another run
/// or another state, or missing, except for `before.last`, which is added. Lines without a checksum (from an older
/// program) are valid before the first line that has one.
std::string lines_up_to(const std::string& file, std::string_view text, const std::string& run,
                        const MetricsBefore& before);

/// Step of the first of the lines that `lines_up_to` returned.
std::uint64_t first_step(std::string_view lines);

/// The last of these lines, without the newline.
std::string_view last_line(std::string_view lines);

/// True if all lines are metrics and none is of another run. The last line may be truncated.
bool is_of_run(std::string_view text, const std::string& run);

}  // namespace weft::metrics
