#include "host/tokenizer/shards/shard_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

#include "host/tokenizer/shards/shard_set.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr std::size_t kBuffer = 1 << 20;
constexpr std::uint64_t kMostTokens = std::numeric_limits<std::int32_t>::max();  // limit of the header

}  // namespace

ShardWriter::ShardWriter(std::string path, bool wide, std::uint64_t most, ShardHeader header)
    : path_(std::move(path)), wide_(wide), header_(header), most_(most) {
  if (most_ > kMostTokens)
    throw Refusal("--shard_tokens", fmt::format("{} is more than a shard can have", most_), "use less than 2^31");
  begin();
}

std::string ShardWriter::numbered(std::uint64_t n) const {
  return most_ == 0 ? path_ : shard_path(shard_stem(path_), n);
}

void ShardWriter::begin() {
  std::string path = numbered(files_.size());
  try {
    files_.push_back(files_.empty() ? std::make_unique<checkpoint::AtomicFile>(path)
                                    : std::make_unique<checkpoint::AtomicFile>(path, *files_.front()));
  } catch (const Refusal& e) {
    if (e.of_world()) throw;
    throw Refusal(
        path, e.problem(),
        e.hint() == checkpoint::kMoreFiles ? checkpoint::kMoreFiles : "name a file in a folder that you may write to");
  }
  paths_.push_back(std::move(path));
  in_shard_ = 0, written_ = header_ == ShardHeader::LlmC ? 256 * 4 : 0;
}

void ShardWriter::write(std::span<const std::uint32_t> ids) {
  while (!ids.empty()) {
    if (most_ > 0 && in_shard_ == most_) end(), begin();
    const std::uint64_t room = (most_ > 0 ? most_ : kMostTokens) - in_shard_;
    if (room == 0)
      throw Refusal(path_, "would have more tokens than a shard can have, 2^31 - 1",
                    "write several: --shard_tokens 100000000");
    const auto now = ids.first(std::min<std::uint64_t>(room, ids.size()));
    for (const std::uint32_t id : now) {
      buffer_.push_back(static_cast<std::uint8_t>(id));
      buffer_.push_back(static_cast<std::uint8_t>(id >> 8));
      if (wide_)
        buffer_.push_back(static_cast<std::uint8_t>(id >> 16)), buffer_.push_back(static_cast<std::uint8_t>(id >> 24));
    }
    in_shard_ += now.size();
    tokens_ += now.size();
    ids = ids.subspan(now.size());
    if (buffer_.size() >= kBuffer) flush();
  }
}

void ShardWriter::flush() {
  files_.back()->write_at(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

void ShardWriter::end() {
  flush();
  if (header_ == ShardHeader::LlmC) write_header();
  files_.back()->finish();  // closes the file: there may be more shards than files may be open
}

void ShardWriter::write_header() {
  std::vector<std::int32_t> header(256);
  header[0] = wide_ ? 20240801 : 20240520;
  header[1] = wide_ ? 7 : 1;
  header[2] = static_cast<std::int32_t>(in_shard_);
  std::vector<std::uint8_t> bytes(header.size() * 4);
  std::memcpy(bytes.data(), header.data(), bytes.size());
  files_.back()->write_at(0, bytes);
}

std::vector<std::string> ShardWriter::commit() {
  end();
  if (most_ == 0) {
    files_.front()->commit();
    return paths_;
  }
  IncompleteMark mark(shard_stem(path_));
  for (const auto& file : files_) file->publish();  // all files are on disk
  remove_later();
  mark.finish();
  return paths_;
}

void ShardWriter::remove_later() {
  while (true) {
    const std::string path = numbered(files_.size() + removed_);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    if (!std::filesystem::remove(path, error))
      throw Refusal(path, "is from an earlier run and cannot be removed: " + error.message(), "remove it")
          .caused_by(error.value());
    ++removed_;
  }
}

}  // namespace weft::tokenizer
