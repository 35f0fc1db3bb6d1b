#include "host/tokenizer/shards/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

namespace fs = std::filesystem;

constexpr auto kGive = "give a text, a *.jsonl, or a folder of *.txt and *.jsonl; each may be *.gz or *.zst";

std::string_view without_packing(std::string_view path) {
  for (const std::string_view end : {".gz", ".zst"})
    if (path.ends_with(end)) path.remove_suffix(end.size());
  return path;
}

std::vector<std::string> files_in(const std::string& path) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with('.')) {  // macOS' ._a.txt, Jupyter's .ipynb_checkpoints
      at.disable_recursion_pending();
      continue;
    }
    const std::string file = at->path().string();
    const std::string_view name = without_packing(file);
    const bool is_text = name.ends_with(".txt") || name.ends_with(".jsonl") || name.ends_with(".ndjson");
    if (is_text && at->is_fifo()) throw Refusal(file, "is a pipe, which may never have a writer", "name it alone");
    if (is_text && !at->is_directory()) files.push_back(file);
  }
  if (error)
    throw Refusal(path, "cannot be read: " + error.message(), "check its permissions").caused_by(error.value());
  if (files.empty()) throw Refusal(path, "has no *.txt and no *.jsonl", kGive);
  std::ranges::sort(files);
  return files;
}

}  // namespace

bool has_json_lines(const std::string& path) {
  const std::string_view name = without_packing(path);
  return name.ends_with(".jsonl") || name.ends_with(".ndjson") || name.ends_with(".json");
}

std::vector<std::string> corpus_files(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Refusal(path, "does not exist", kGive);
  return fs::is_directory(status) ? files_in(path) : std::vector{path};
}

Parts::Parts(std::vector<std::string> files, const TextTokenizer& tokenizer)
    : files_(std::move(files)), tokenizer_(tokenizer) {
  for (const std::string& file : files_) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    size_ += error ? 0 : bytes;
  }
}

/// Position after a whole part of `buffer_`; npos if more data is needed to find one.
std::size_t Parts::find_cut(bool lines) {
  const std::size_t from = std::max(looked_, kPartBytes);
  if (buffer_.size() <= from) return std::string::npos;
  std::size_t cut = lines ? buffer_.find('\n', from) : tokenizer_.cut(buffer_, from);
  if (lines && cut != std::string::npos) ++cut;
  looked_ = cut == std::string::npos ? buffer_.size() : 0;
  return cut;
}

bool Parts::next(Part& part) {
  while (file_ < files_.size()) {
    const std::string& file = files_[file_];
    if (!input_) {
      input_ = open_input(file);
      offset_ = 0, line_ = 1;
    }
    const bool lines = has_json_lines(file);
    std::size_t end = find_cut(lines);
    const bool more = end != std::string::npos || input_->read(buffer_);
    if (more && end == std::string::npos) {
      if (buffer_.size() < kMostBytes) continue;
      throw Refusal(fmt::format("{}:{}", file, line_),
                    lines ? "is a line of more than 2 GiB" : "has a document of more than 2 GiB",
                    "cut it into smaller documents");
    }
    if (!more) end = buffer_.size();
    part = {.number = number_,
            .file = file,
            .offset = offset_,
            .line = line_,
            .text = buffer_.substr(0, end),
            .taken = done_ + input_->taken(),
            .json_lines = lines,
            .ends_document = lines || !more};
    buffer_.erase(0, end);
    looked_ = 0;
    offset_ += end;
    if (!more) {
      done_ += input_->taken();
      input_.reset();
      ++file_;
    }
    // The last part of a divided document may be empty, but must still end the document.
    if (part.text.empty() && (lines || part.offset == 0)) continue;
    line_ += static_cast<std::uint64_t>(std::count(part.text.begin(), part.text.end(), '\n'));
    ++number_;
    return true;
  }
  return false;
}

}  // namespace weft::tokenizer
