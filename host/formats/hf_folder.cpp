#include "host/formats/hf_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/json_room.hpp"
#include "host/formats/hf_bert.hpp"
#include "host/formats/hf_config.hpp"
#include "host/formats/other_folders.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/memory_room.hpp"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr auto kCopy = "take another copy of the folder";

std::string text_of(const std::string& file, std::uint64_t most) {
  const std::vector<std::uint8_t> bytes = checkpoint::read_file(file, most);
  return {bytes.begin(), bytes.end()};
}

std::string config_file(const std::string& folder) { return (fs::path(folder) / "config.json").string(); }

/// The shards listed in an index, each with the names of its tensors.
std::map<std::string, std::set<std::string>> shards_of(const std::string& index) {
  const std::string text = text_of(index, checkpoint::kMaxHeader);
  checkpoint::check_json_fits(text, index);
  const auto json = parse_json_or_discard(text);
  const bool map = json.is_object() && json.contains("weight_map") && json["weight_map"].is_object();
  if (const auto other = other_format(text.substr(0, kFormatBytes), Expected::Json, index); other && !map)
    throw checkpoint::file_error<DamagedFile>(index, "", other->problem, other->hint);
  if (!map || json["weight_map"].empty())
    throw checkpoint::file_error<DamagedFile>(index, "", "has no weight_map of tensors and files", kCopy);
  std::map<std::string, std::set<std::string>> shards;
  for (const auto& [tensor, file] : json["weight_map"].items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos || name == "..")
      throw checkpoint::file_error<DamagedFile>(index, tensor,
                                                dump_json(file) + " is not the name of a file next to it", kCopy);
    shards[name].insert(tensor);
  }
  return shards;
}

/// Concatenation of several files.
class JoinedSource final : public checkpoint::ByteSource {
 public:
  /// Appends `part` and returns the position of its first byte.
  std::uint64_t add(std::unique_ptr<checkpoint::ByteSource> part) {
    const std::uint64_t begin = size_;
    size_ += part->size();
    parts_.push_back({begin, std::move(part)});
    return begin;
  }

  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t at, std::span<std::uint8_t> to) const override {
    while (!to.empty()) {
      const Part& part = *std::prev(std::ranges::upper_bound(parts_, at, {}, &Part::begin));
      const std::uint64_t here = std::min<std::uint64_t>(to.size(), part.begin + part.source->size() - at);
      part.source->read(at - part.begin, to.first(here));
      at += here;
      to = to.subspan(here);
    }
  }
  void check() const override {
    for (const Part& part : parts_) part.source->check();
  }

 private:
  struct Part {
    std::uint64_t begin = 0;
    std::unique_ptr<checkpoint::ByteSource> source;
  };
  std::vector<Part> parts_;
  std::uint64_t size_ = 0;
};

/// Adds the tensors of one file to the list; if there is an index, they must be exactly those `named` in it.
void add_file(const std::string& file, const std::set<std::string>* named, std::uint64_t most, JoinedSource& source,
              std::vector<checkpoint::TensorView>& tensors) {
  auto part = std::make_unique<checkpoint::FileSource>(file, most);
  checkpoint::Safetensors content = checkpoint::parse_safetensors(*part, file);
  const std::uint64_t begin = source.add(std::move(part));
  std::set<std::string> missing = named == nullptr ? std::set<std::string>() : *named;
  for (checkpoint::TensorView& tensor : content.tensors) {
    if (named != nullptr && missing.erase(tensor.name) == 0)
      throw checkpoint::file_error<DamagedFile>(file, tensor.name, "does not match the index entry of this file",
                                                kCopy);
    tensor.begin += begin;
    tensors.push_back(std::move(tensor));
  }
  if (!missing.empty())
    throw checkpoint::file_error<DamagedFile>(file, *missing.begin(),
                                              "is missing from this file, although the index lists it here", kCopy);
}

/// The file that has the tensors, or the index that lists their files.
std::string weights_file(const std::string& folder) {
  const std::string one = (fs::path(folder) / "model.safetensors").string(), index = one + ".index.json";
  std::error_code ignored;
  if (fs::exists(one, ignored)) return one;
  if (fs::exists(index, ignored)) return index;
  throw no_safetensors(folder);
}

/// The tensors of all files in a folder.
std::vector<checkpoint::TensorView> tensors_of(const std::string& folder, const std::string& file, std::uint64_t most,
                                               JoinedSource& source) {
  std::vector<checkpoint::TensorView> views;
  if (!file.ends_with(".index.json")) {
    add_file(file, nullptr, most, source, views);
    return views;
  }
  std::error_code ignored;
  for (const auto& [name, named] : shards_of(file)) {
    const fs::path shard = fs::path(folder) / name;
    if (!fs::exists(shard, ignored))
      throw checkpoint::file_error<DamagedFile>(file, "",
                                                fmt::format("names {}, which is not in the folder", printable(name)),
                                                "fetch that file into the folder, too");
    add_file(shard.string(), &named, most, source, views);
  }
  return views;
}

}  // namespace

bool is_hf_folder(const std::string& folder) {
  std::error_code ignored;
  return fs::is_directory(folder, ignored) && fs::exists(config_file(folder), ignored);
}

compiler::ModelShape hf_model(const std::string& folder) {
  constexpr std::uint64_t kMost = 1 << 20;
  const std::string file = config_file(folder);
  return read_hf_config(text_of(file, kMost), file);
}

std::shared_ptr<const checkpoint::CheckpointReader> open_hf_folder(const std::string& folder,
                                                                   const compiler::ModelShape& model,
                                                                   std::span<const compiler::TensorInfo> tensors) {
  check_same_model(hf_model(folder), model, config_file(folder));
  const std::string file = weights_file(folder);
  const std::uint64_t most = 4 * checkpoint::checkpoint_bytes(tensors);
  auto source = std::make_unique<JoinedSource>();
  try {
    const MemoryBound bound;
    std::vector<checkpoint::TensorView> views = tensors_of(folder, file, most, *source);
    if (is_bert(model)) take_bert_names(views, model);
    return std::make_shared<checkpoint::CheckpointReader>(std::move(source), std::move(views), folder, tensors);
  } catch (const std::bad_alloc&) {
    throw checkpoint::does_not_fit(file, fs::file_size(file), ", and its list of tensors takes more");
  }
}

}  // namespace weft::formats
