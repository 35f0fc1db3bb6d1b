/// The lines of a metrics.jsonl that was there before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// What a checkpoint and its folder say of the lines that a run goes on from.
struct MetricsBefore {
  std::uint64_t keep = 0;       ///< the checkpoint's step: up to here; 0: there is none
  std::uint64_t first = 0;      ///< step of the first line, or of the one to come; 0: not known
  std::string state_hash = {};  ///< of the checkpoint, and so of its step's line; empty: not known
  std::string last = {};        ///< that line, if it could not be written; else empty
  std::string runs = {};        ///< whose lines they may be besides the run's own: identities, in any form
  bool named = true;  ///< the checkpoint says whose it is: an older program's lines are not compared with that
};

/// The lines of steps up to `before.keep`. Throws Refusal that names file and line if one is damaged, of another run or
/// another state, or missing, but for `before.last`, which is added. A line without a checksum (of an older program) is
/// as good as one, before the first that has one.
std::string lines_up_to(const std::string& file, std::string_view text, const std::string& run,
                        const MetricsBefore& before);

/// Of lines that `lines_up_to` returned.
std::uint64_t first_step(std::string_view lines);

/// The same, the last of them, without its end.
std::string_view last_line(std::string_view lines);

/// Whether nothing in it is of another run, or anything else than metrics; the last line may be cut short.
bool is_of_run(std::string_view text, const std::string& run);

}  // namespace weft
