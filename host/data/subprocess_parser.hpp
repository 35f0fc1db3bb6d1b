/// Runs a library that may crash on untrusted files in a separate process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft::data {

/// Runs `work` in a forked process and returns its result. A Refusal thrown by `work` is rethrown here. If the process
/// ends without a result, by a signal or out of memory, throws a Refusal about `file` with this `hint`. `work` has no
/// side effects in this process, and must not use other threads.
std::vector<std::uint8_t> in_subprocess(const std::string& file, const std::string& hint,
                                        const std::function<std::vector<std::uint8_t>()>& work);

}  // namespace weft::data
