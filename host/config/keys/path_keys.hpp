/// Keys whose values are paths, and the syntax of paths.
///
///   ~ and ~/x    the home folder ($HOME); ~name that of a user; only at the beginning. ./~ is a folder named ~
///   $NAME        an environment variable, also ${NAME}; $$ is a dollar sign, as is one before any other character
///   $`           a backtick; `...`, $(...) and ${NAME:-...} of a shell are rejected
///
/// The syntax also applies to values of flags that are files or folders, in case a shell has not expanded them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/config/config.hpp"

namespace weft::config {

struct PathKey {
  std::string_view name;
  bool in_file_folder;  ///< in a parameter file, relative to its folder instead of the current one
};

std::span<const PathKey> path_keys();
bool is_path_key(std::string_view name);
/// Calls `act` for each path of the key: one, or those of a list.
void for_each_path(Config& config, std::string_view key, const std::function<void(std::string&)>& act);

/// A data_dir may be a list of paths, which are kept in one text, one a line.
std::vector<std::string> listed_paths(const std::string& data_dir);
std::string joined_paths(const std::vector<std::string>& paths);
/// For messages: the paths with commas between them.
std::string paths_text(const std::string& data_dir);

/// Expands a path. Throws Refusal without a subject if a variable or user is unknown, or if only a shell expands a
/// part.
std::string expanded_path(const std::string& path);
/// Inverse of expanded_path(), for paths that a program writes into a parameter file.
std::string written_path(const std::string& path);

}  // namespace weft::config
