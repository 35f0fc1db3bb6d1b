#include "host/appliance/data/corpus.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "host/appliance/data/documents.hpp"
#include "host/appliance/data/token_shard.hpp"
#include "host/checkpoint/file.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Whether a file starts like one of HDF5.
bool is_hdf5(const std::string& path) {
  constexpr std::array<char, 8> kSignature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> start{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // to open a pipe would be to wait
  return std::ifstream(path, std::ios::binary).read(start.data(), start.size()) && start == kSignature;
}

bool is_named_hdf5(const std::string& file) { return file.ends_with(".h5") || file.ends_with(".hdf5"); }

Corpus find_in_folder(const std::string& path) {
  std::vector<std::string> shards, texts, hdf5;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const std::string file = at->path().string();
    if (file.ends_with(".bin")) shards.push_back(file);
    if (is_named_text(file)) texts.push_back(file);
    if (is_named_hdf5(file)) hdf5.push_back(file);
  }
  if (error) throw Refusal(path, "cannot be read: " + error.message(), "check its permissions");
  if (!hdf5.empty() && (!shards.empty() || !texts.empty()))
    throw Refusal(path, "has HDF5 and other data", "keep each in a folder of its own");
  if (!hdf5.empty()) {
    std::ranges::sort(hdf5);
    return {.shards = true, .hdf5 = true, .files = hdf5};
  }
  if (shards.empty() && texts.empty())
    throw Refusal(path, "has no *.txt, *.jsonl, *.bin or *.h5", "put the corpus there");
  if (!shards.empty() && !texts.empty()) {
    throw Refusal(path, "has text and *.bin", "keep text and token shards in folders of their own");
  }
  Corpus corpus{.shards = texts.empty(), .files = texts.empty() ? shards : texts};
  std::sort(corpus.files.begin(), corpus.files.end());
  return corpus;
}

}  // namespace

Corpus find_corpus(const std::string& path) {
  constexpr auto kGive = "give a text file, a token shard, or a folder of *.txt, *.jsonl, *.bin or *.h5";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw Refusal(path, "cannot be read: " + error.message(), kGive);
  if (!fs::exists(status)) throw Refusal(path, "does not exist", kGive);
  if (fs::is_directory(status)) return find_in_folder(path);
  if (!fs::is_regular_file(status)) throw Refusal(path, "is no file and no folder", kGive);
  if (is_named_hdf5(path) || is_hdf5(path)) return {.shards = true, .hdf5 = true, .files = {path}};
  return {.shards = path.ends_with(".bin") || is_token_shard(path), .files = {path}};
}

std::string read_text(const std::string& path, std::uint64_t most, std::string_view hint) {
  const std::vector<std::uint8_t> bytes = read_file(path, most);
  if (bytes.empty()) throw Refusal(path, "is empty", hint);
  try {
    return {bytes.begin(), bytes.end()};
  } catch (const std::bad_alloc&) {
    throw does_not_fit(path, bytes.size());
  }
}

}  // namespace weft
