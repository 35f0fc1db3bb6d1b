#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>

#include "network_files.hpp"
#include "sw/base/refusal.hpp"
#include "sw/network/blueprint.hpp"
#include "sw/network/kept_files.hpp"

namespace weft::network {
namespace {

constexpr std::uintmax_t kMostBytes = 1 << 20;  // maximum size of a file; GPT-2's has 1,817

std::string text_in_file(const std::string& path) {
  std::error_code error;
  if (const auto bytes = std::filesystem::file_size(path, error); !error && bytes > kMostBytes)
    throw Refusal("model.network", fmt::format("{} has {} bytes, which no network needs", path, bytes),
                  fmt::format("name another file: of at most {} bytes", kMostBytes));
  if (std::filesystem::is_regular_file(path, error)) {
    std::ifstream file(path);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (file && !file.bad()) return text;
  }
  if (std::filesystem::is_fifo(path, error))
    throw Refusal("model.network", path + " is a pipe, and a network is read again when its run continues",
                  "write it to a file, and name that");
  std::vector<std::string_view> names;
  for (const NetworkFile& network : kNetworkFiles) names.push_back(network.name);
  throw Refusal("model.network", fmt::format("{} is neither built in nor a file that can be read", path),
                fmt::format("use {} or the path of a network file", fmt::join(names, ", ")));
}

/// Cached texts of files, by path; empty optional: no caching.
struct Kept {
  std::mutex mutex;
  int objects = 0;
  std::optional<std::map<std::string, std::string>> texts;
};

Kept& kept() {
  static Kept all;
  return all;
}

std::string text_of(const std::string& path) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  if (!all.texts) return text_in_file(path);
  const auto at = all.texts->find(path);
  return at != all.texts->end() ? at->second : all.texts->emplace(path, text_in_file(path)).first->second;
}

/// The blueprint of a built-in network, which is parsed only once.
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

KeptNetworkFiles::KeptNetworkFiles() {
  const std::lock_guard lock(kept().mutex);
  if (kept().objects++ == 0) kept().texts.emplace();
}

KeptNetworkFiles::~KeptNetworkFiles() {
  const std::lock_guard lock(kept().mutex);
  if (--kept().objects == 0) kept().texts.reset();
}

LayerGraph read_network(std::string_view text, const std::string& file, const NetworkSizes& sizes) {
  return instantiate(read_blueprint(text, file), sizes);
}

bool is_built_in(std::string_view name) {
  return std::ranges::find(kNetworkFiles, name, &NetworkFile::name) != std::end(kNetworkFiles);
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

}  // namespace weft::network
