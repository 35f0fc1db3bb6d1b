/// The lines of a metrics.jsonl that was there before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// The lines of steps up to `last`. Throws Refusal that names file and line if one is damaged, of another run, or if a
/// step is missing, but for `line`, which is that of step `last`: it is added. A line without a checksum (of an older
/// program) is as good as one; an empty `run` is any.
std::string lines_up_to(const std::string& file, std::string_view text, const std::string& run, std::uint64_t last,
                        std::string_view line);

/// Whether nothing in it is of another run, or anything else than metrics; the last line may be cut short.
bool is_of_run(std::string_view text, const std::string& run);

}  // namespace weft
