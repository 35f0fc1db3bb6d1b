#include "host/data/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "host/checkpoint/file.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/data/documents.hpp"
#include "host/data/file_names.hpp"
#include "host/data/token_shard.hpp"
#include "host/tokenizer/shards/shard_set.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

namespace fs = std::filesystem;

/// True if a file starts with the HDF5 signature.
bool is_hdf5(const std::string& path) {
  constexpr std::array<char, 8> kSignature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> start{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // opening a pipe would block
  return std::ifstream(path, std::ios::binary).read(start.data(), start.size()) && start == kSignature;
}

bool is_named_hdf5(const std::string& file) { return file.ends_with(".h5") || file.ends_with(".hdf5"); }
bool is_named_shard(const std::string& file) { return file.ends_with(".bin"); }

/// A corpus of `files`, which must be of one kind according to their names; `path` is named in errors.
Corpus of_one_kind(const std::string& path, std::vector<std::string> files) {
  std::ranges::sort(files);
  check_parts(path, files);
  const auto named = [&](const auto& is) { return std::ranges::any_of(files, is); };
  const bool hdf5 = named(is_named_hdf5), shards = named(is_named_shard), texts = named(is_named_text);
  if (hdf5 && (shards || texts)) throw Refusal(path, "has HDF5 and other data", "keep each in a folder of its own");
  if (shards)
    for (const std::string& file : files) tokenizer::check_whole_set(file);
  if (shards && texts) throw Refusal(path, "has text and *.bin", "keep text and token shards in folders of their own");
  return {.shards = hdf5 || shards, .hdf5 = hdf5, .files = std::move(files)};
}

bool is_named_data(const std::string& file) {
  return is_named_hdf5(file) || is_named_shard(file) || is_named_text(file);
}

/// Hidden files, such as macOS' ._a.txt next to a.txt, contain no text.
bool is_hidden(const fs::path& file) { return file.filename().string().starts_with('.'); }

/// The error for a folder without such data: names the first file in it whose format is known.
Refusal no_corpus(const std::string& path) {
  constexpr auto kNone = "has no *.txt, *.jsonl, *.bin or *.h5";
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (!is_hidden(at->path())) names.push_back(at->path().string());
  std::ranges::sort(names);
  for (const std::string& file : names)
    if (const auto other = other_format(first_bytes(file), Expected::Text, file))
      return Refusal(path, fmt::format("{}; {} {}", kNone, fs::path(file).filename().string(), other->problem),
                     other->hint);
  return Refusal(path, kNone, "put the corpus there");
}

Corpus find_in_folder(const std::string& path) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (const std::string file = at->path().string(); is_named_data(file) && !is_hidden(at->path()))
      files.push_back(file);
  if (error)
    throw Refusal(path, "cannot be read: " + error.message(), "check its permissions").caused_by(error.value());
  if (files.empty()) throw no_corpus(path);
  return of_one_kind(path, std::move(files));
}

/// The corpus of the files that match a shell pattern.
Corpus find_matches(const std::string& pattern) {
  const std::vector<std::string> files = matching_files(pattern);
  for (const std::string& file : files)
    if (!is_named_data(file) || fs::is_directory(file))
      throw Refusal(pattern, "matches " + file + ", which is not a *.txt, *.jsonl, *.bin or *.h5", "name fewer files");
  return of_one_kind(pattern, files);
}

Corpus find_one(const std::string& path) {
  constexpr auto kGive = "give a text file, a token shard, or a folder of *.txt, *.jsonl, *.bin or *.h5";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw Refusal(path, "cannot be read: " + error.message(), kGive).caused_by(error.value());
  if (!fs::exists(status) && !matching_files(path).empty()) return find_matches(path);
  if (!fs::exists(status)) throw Refusal(path, "does not exist", kGive);
  if (fs::is_directory(status)) return find_in_folder(path);
  if (!fs::is_regular_file(status)) throw Refusal(path, "is neither a file nor a folder", kGive);
  if (is_named_hdf5(path) || is_hdf5(path)) return {.shards = true, .hdf5 = true, .files = {path}};
  const bool shard = is_named_shard(path) || is_token_shard(path);
  if (shard) tokenizer::check_whole_set(path);
  return {.shards = shard, .files = {path}};
}

}  // namespace

Corpus find_corpus(const std::string& data_dir) {
  const std::vector<std::string> paths = config::listed_paths(data_dir);
  Corpus all = find_one(paths.front());
  for (std::size_t n = 1; n < paths.size(); ++n) {
    const Corpus one = find_one(paths[n]);
    if (one.shards != all.shards || one.hdf5 != all.hdf5)
      throw Refusal(paths[n], "has data of another kind than " + paths.front(),
                    "list text, shards or HDF5, one of them");
    all.files.insert(all.files.end(), one.files.begin(), one.files.end());
  }
  if (paths.size() > 1) {
    std::ranges::sort(all.files);
    check_parts(config::paths_text(data_dir), all.files);
  }
  return all;
}

}  // namespace weft::data
