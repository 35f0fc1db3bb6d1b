#include "host/config/keys/path_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <variant>

#include "host/config/keys/key_names.hpp"
#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

constexpr std::array kPathKeys = {
    PathKey{"train_input.data_dir", true},   PathKey{"train_input.more_data_dirs", true},
    PathKey{"train_input.vocab_file", true}, PathKey{"train_input.merges_file", true},
    PathKey{"eval_input.data_dir", true},    PathKey{"model.network", true},
    PathKey{"runconfig.model_dir", false},   PathKey{"runconfig.checkpoint_path", true},
    PathKey{"runconfig.prompts_file", true}, PathKey{"fpga.device", false},
    PathKey{"swarmx.key_file", false},       PathKey{"memoryx.flash_dir", false},
    PathKey{"metrics.prometheus", true},
};

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view kNameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

/// `user`: empty for the current user.
std::string home_of(const std::string& user) {
  if (const char* home = std::getenv("HOME"); user.empty() && home != nullptr && *home != 0) return home;
  const passwd* entry = user.empty() ? ::getpwuid(::getuid()) : ::getpwnam(user.c_str());
  if (entry != nullptr && entry->pw_dir != nullptr && *entry->pw_dir != 0) return entry->pw_dir;
  throw Refusal("", "begins with ~" + user + ", whose home folder is not known",
                "write the whole path, or ./~" + user + " for a folder of that name");
}

std::string value_of(const std::string& name) {
  if (const char* value = std::getenv(name.c_str()); value != nullptr && *value != 0) return value;
  throw Refusal("", "names the variable " + name + ", which is not set",
                "set it, write the path without it, or $$ for a dollar sign");
}

/// Length of the variable name at the beginning of `text`, which follows a dollar sign; 0 if there is none.
std::size_t name_length(std::string_view text) {
  if (text.empty() || kLetters.find(text.front()) == std::string_view::npos) return 0;
  return std::min(text.find_first_not_of(kNameCharacters), text.size());
}

/// Error for a path containing `part`, which only a shell would expand.
Refusal of_shell(std::string_view part) {
  return {"", fmt::format("has {}, which only a shell expands", part),
          "write $NAME or ${NAME} of a variable that is set, $$ for a dollar sign, or $` for a backtick"};
}

}  // namespace

std::span<const PathKey> path_keys() { return kPathKeys; }

bool is_path_key(std::string_view name) {
  return std::ranges::find(kPathKeys, name, &PathKey::name) != kPathKeys.end();
}

void for_each_path(Config& config, std::string_view key, const std::function<void(std::string&)>& act) {
  const Slot slot = config_key(std::string(key), {}).slot(config);
  if (auto* const* one = std::get_if<std::string*>(&slot)) {
    std::vector<std::string> paths = key.ends_with(".data_dir") ? listed_paths(**one) : std::vector{**one};
    for (std::string& path : paths) act(path);
    **one = joined_paths(paths);
  }
  if (auto* const* list = std::get_if<std::vector<std::string>*>(&slot))
    for (std::string& one : **list) act(one);
}

std::vector<std::string> listed_paths(const std::string& data_dir) {
  std::vector<std::string> paths;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = data_dir.find('\n', begin)) != std::string::npos; begin = end + 1)
    paths.push_back(data_dir.substr(begin, end - begin));
  paths.push_back(data_dir.substr(begin));
  return paths;
}

std::string joined_paths(const std::vector<std::string>& paths) { return fmt::format("{}", fmt::join(paths, "\n")); }

std::string paths_text(const std::string& data_dir) {
  return fmt::format("{}", fmt::join(listed_paths(data_dir), ", "));
}

std::string expanded_path(const std::string& path) {
  std::string result;
  std::size_t at = 0;
  if (path.starts_with('~')) {
    at = std::min(path.find('/'), path.size());
    result = home_of(path.substr(1, at - 1));
  }
  while (at < path.size()) {
    if (path[at] == '`') throw of_shell("a backtick");
    if (path[at] != '$') {
      result += path[at++];
      continue;
    }
    const std::string_view rest = std::string_view(path).substr(at + 1);
    const bool braces = rest.starts_with('{');
    const std::size_t length = name_length(rest.substr(braces ? 1 : 0));
    if (rest.starts_with('$') || rest.starts_with('`')) {
      result += rest.front();
      at += 2;
    } else if (rest.starts_with('(')) {
      throw of_shell("$(");
    } else if (length > 0 && (!braces || rest.substr(1 + length).starts_with('}'))) {
      result += value_of(std::string(rest.substr(braces ? 1 : 0, length)));
      at += 1 + length + (braces ? 2 : 0);
    } else if (const std::size_t end = rest.find('}'); braces && end != std::string_view::npos) {
      throw of_shell(fmt::format("${}", rest.substr(0, end + 1)));
    } else {
      result += path[at++];
    }
  }
  return result;
}

std::string written_path(const std::string& path) {
  std::string result = path.starts_with('~') ? "./" : "";
  for (const char character : path)
    result += (character == '$' || character == '`' ? "$" : "") + std::string(1, character);
  return result;
}

}  // namespace weft::config
