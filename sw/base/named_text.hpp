/// Texts that a user names: files, or the output of another program, as in --params <(...).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

/// Reads the first `most` bytes of the text. Waits for the writer of a pipe without a time limit; after two seconds
/// without data, reports the wait on standard error, once. Throws std::system_error if the text cannot be read, as a
/// folder.
std::string named_text(const std::string& path, std::size_t most);

/// Reads the whole text; "-" is standard input. Throws Refusal, with `hint`, if the text cannot be read or has more
/// than `most` bytes, a whole number of MiB.
std::string whole_text(const std::string& path, std::size_t most, std::string_view hint);

/// Waits until `file`, which was opened from `path`, can be read or has ended. After two seconds reports the wait on
/// standard error and sets `said`, unless `said` is set already.
void wait_to_read(int file, const std::string& path, bool& said);

}  // namespace weft
