#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "network_files.hpp"
#include "sw/base/refusal.hpp"
#include "sw/network/blueprint.hpp"

namespace weft {
namespace {

std::string text_of(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {  // it is read again and again: a pipe would be empty then
    std::ifstream file(path);
    std::ostringstream text;
    if (file && text << file.rdbuf()) return text.str();
  }
  std::vector<std::string_view> names;
  for (const NetworkFile& network : kNetworkFiles) names.push_back(network.name);
  throw Refusal("model.network", fmt::format("{} is neither built in nor a file that can be read", path),
                fmt::format("use {} or the path of a network file", fmt::join(names, ", ")));
}

/// Built-in ones are read once.
const Blueprint& built_in(const NetworkFile& network) {
  static std::mutex mutex;
  static std::map<std::string_view, Blueprint> known;
  const std::lock_guard lock(mutex);
  const auto at = known.find(network.name);
  if (at != known.end()) return at->second;
  const std::string file = fmt::format("sw/network/{}.yaml", network.name);
  return known.emplace(network.name, read_blueprint(network.text, file)).first->second;
}

}  // namespace

LayerGraph read_network(std::string_view text, const std::string& file, const NetworkSizes& sizes) {
  return instantiate(read_blueprint(text, file), sizes);
}

std::string network_text(const std::string& name) {
  for (const NetworkFile& network : kNetworkFiles)
    if (network.name == name) return std::string(network.text);
  return text_of(name);
}

LayerGraph find_network(const std::string& name, const NetworkSizes& sizes) {
  for (const NetworkFile& network : kNetworkFiles)
    if (network.name == name) return instantiate(built_in(network), sizes);
  return read_network(text_of(name), name, sizes);
}

}  // namespace weft
