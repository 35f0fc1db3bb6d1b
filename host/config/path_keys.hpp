/// Keys whose values are paths, and the one rule of how a path is written.
///
///   ~ and ~/x    the home folder ($HOME), ~name that of a user: at the beginning only; ./~ is a folder of that name
///   $NAME        a variable of the environment, also ${NAME}; $$ is a dollar sign, as is one before anything else
///   $`           a backtick; `...`, $(...) and ${NAME:-...} of a shell are refused
///
/// The rule also holds for values of flags that are files or folders, where a shell has not expanded them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "host/config/config.hpp"

namespace weft {

struct PathKey {
  std::string_view name;
  bool in_file_folder;  ///< in a parameter file it is relative to that file's folder, not to the current one
};

std::span<const PathKey> path_keys();
bool is_path_key(std::string_view name);
/// Calls `act` for each path that the key has: one, or those of a list.
void for_each_path(Config& config, std::string_view key, const std::function<void(std::string&)>& act);

/// Throws Refusal without a subject if a variable or a user is not known, or only a shell expands a part.
std::string expanded_path(const std::string& path);
/// The form that expanded_path() turns back into `path`: for a path that a program writes into a parameter file.
std::string written_path(const std::string& path);

}  // namespace weft
