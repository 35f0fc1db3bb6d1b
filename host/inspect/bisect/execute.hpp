/// Runs another program to its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::inspect::bisect {

/// Splits a command line into words at spaces; quotes are not special.
std::vector<std::string> split(const std::string& text);

/// Returns the exit code, or -1 if a signal killed the program. Its standard output is written to `out`; its standard
/// error too, or to the caller's own standard error (AsOurs). Throws Refusal if the program cannot be started.
enum class Errors : std::uint8_t { ToFile, AsOurs };
int execute(const std::vector<std::string>& words, const std::filesystem::path& out, Errors errors = Errors::ToFile);

/// Last non-empty line of a file.
std::string last_line(const std::filesystem::path& file);

}  // namespace weft::inspect::bisect
