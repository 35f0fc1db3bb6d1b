/// Another program, run to its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::bisect {

/// Words of a command line; they are split at spaces, and quotes are not special.
std::vector<std::string> split(const std::string& text);

/// Its exit code, -1 if it was killed. What it prints goes to `out`; its errors too, or where ours go. Throws Refusal
/// if it cannot be started.
enum class Errors : std::uint8_t { ToFile, AsOurs };
int execute(const std::vector<std::string>& words, const std::filesystem::path& out, Errors errors = Errors::ToFile);

/// The last line of a file that is not empty.
std::string last_line(const std::filesystem::path& file);

}  // namespace weft::bisect
