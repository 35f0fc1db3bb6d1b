/// Work on files of strangers by a library that may end with them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft {

/// Does `work` in a process of its own, a copy of this one, and returns what it says. What it refuses is refused here.
/// If it ends without a word, by a signal or out of memory, that is a Refusal of `file` with this `hint`. `work`
/// changes nothing here, and uses no thread but its own.
std::vector<std::uint8_t> in_own_process(const std::string& file, const std::string& hint,
                                         const std::function<std::vector<std::uint8_t>()>& work);

}  // namespace weft
