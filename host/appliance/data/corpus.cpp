#include "host/appliance/data/corpus.hpp"

#include <algorithm>
#include <filesystem>

#include "host/appliance/data/token_shard.hpp"
#include "host/checkpoint/file.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

Corpus find_in_folder(const std::string& path) {
  std::vector<std::string> shards, texts;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const std::string file = at->path().string();
    if (file.ends_with(".bin")) shards.push_back(file);
    if (file.ends_with(".txt")) texts.push_back(file);
  }
  if (error) throw Refusal(path, "cannot be read: " + error.message(), "check its permissions");
  if (shards.empty() && texts.empty()) throw Refusal(path, "has no *.txt and no *.bin", "put the corpus there");
  if (!shards.empty() && !texts.empty()) {
    throw Refusal(path, "has *.txt and *.bin", "keep text and token shards in folders of their own");
  }
  Corpus corpus{.shards = texts.empty(), .files = texts.empty() ? shards : texts};
  std::sort(corpus.files.begin(), corpus.files.end());
  return corpus;
}

}  // namespace

Corpus find_corpus(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return find_in_folder(path);
  if (!fs::exists(path, error)) {
    throw Refusal(path, "does not exist", "give a text file, a token shard, or a folder of *.txt or *.bin");
  }
  if (!fs::is_regular_file(path, error)) {
    throw Refusal(path, "is no file and no folder", "give a text file, a token shard, or a folder of *.txt or *.bin");
  }
  return {.shards = path.ends_with(".bin") || is_token_shard(path), .files = {path}};
}

std::string read_text(const std::string& path, std::uint64_t most) {
  const std::vector<std::uint8_t> bytes = read_file(path, most);
  if (bytes.empty()) throw Refusal(path, "is empty", "put the text into it or name another");
  try {
    return {bytes.begin(), bytes.end()};
  } catch (const std::bad_alloc&) {
    throw does_not_fit(path, bytes.size());
  }
}

}  // namespace weft
