/// A text that a user names: a file, or what another program writes, as in --params <(...).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

/// Its first `most` bytes. A pipe may take as long as whoever writes it: after two seconds in which nothing comes,
/// standard error is told, once, what is waited for. Throws std::system_error if it cannot be read; a folder cannot.
std::string named_text(const std::string& path, std::size_t most);

/// All of it; "-" is standard input. Throws Refusal, with `hint`, if it cannot be read or has more than `most` bytes,
/// a whole number of MiB.
std::string whole_text(const std::string& path, std::size_t most, std::string_view hint);

/// Waits until `file`, which is open as `path`, can be read or has ended. After two seconds a line on standard error
/// says so, unless `said` is set already.
void wait_to_read(int file, const std::string& path, bool& said);

}  // namespace weft
