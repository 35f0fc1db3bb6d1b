#include "host/data/shard_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "host/data/megatron_index.hpp"
#include "host/data/token_shard.hpp"
#include "host/data/width_check.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

constexpr auto kLeaveAlone = "leave the files of data_dir as they are while a run reads them, and start it again";

/// Reads `bytes` from `offset` on, and returns how many of them the file has.
std::size_t read_at(const std::string& path, int file, std::uint64_t offset, std::span<std::uint8_t> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Refusal(path, "cannot be read: " + std::generic_category().message(errno), "check the disk it is on")
          .caused_by(errno);
    }
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

/// Converts little-endian tokens of `width` bytes each, 2 or 4.
std::vector<TokenId> tokens_of(std::span<const std::uint8_t> bytes, std::size_t width) {
  std::vector<TokenId> tokens(bytes.size() / width);
  if (width == sizeof(TokenId)) {
    std::memcpy(tokens.data(), bytes.data(), bytes.size());
    return tokens;
  }
  std::uint16_t token = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::memcpy(&token, bytes.data() + sizeof token * i, sizeof token);
    tokens[i] = token;
  }
  return tokens;
}

/// Calls `each(block, bytes)` for the consecutive blocks in `bytes`, the first of which has the number `block`.
template <class Each>
void for_each_block(std::size_t block, std::span<const std::uint8_t> bytes, const Each& each) {
  for (; !bytes.empty(); ++block) {
    const auto one = bytes.first(std::min(bytes.size(), ShardFile::kBlockBytes));
    each(block, one);
    bytes = bytes.subspan(one.size());
  }
}

}  // namespace

ShardFile::ShardFile(std::string path, int vocab, std::shared_ptr<OpenFiles> files, std::uint32_t& checksum,
                     ShardFormat format)
    : path_(std::move(path)), files_(std::move(files)) {
  const auto file = files_->get(path_);
  struct stat status {};
  if (::fstat(file->get(), &status) != 0) throw Refusal(path_, "cannot be read", "check the disk it is on");
  std::array<std::uint8_t, kShardHeaderBytes> header{};
  const std::size_t there = read_at(path_, file->get(), 0, header);
  const auto check_known = [&] {
    check_format({reinterpret_cast<const char*>(header.data()), std::min(there, kFormatBytes)},
                 format == ShardFormat::Headerless ? Expected::BareTokens : Expected::Shard, path_);
  };
  try {
    if (format == ShardFormat::Headerless) check_megatron_index(path_);
    layout_ = parse_shard_header(std::span(header).first(there), static_cast<std::uint64_t>(status.st_size), format);
  } catch (const Refusal& e) {
    check_known();
    throw e.within(path_);
  }
  if (format == ShardFormat::Headerless) check_known();
  constexpr std::size_t kAtOnce = 64;  // blocks
  std::vector<std::uint8_t> buffer(bytes_of(0, kAtOnce));
  VocabularyCheck check(vocab);
  WidthCheck width;
  const auto check_width = [&](auto... vocabulary) {
    try {
      if (format == ShardFormat::Headerless) width.check(vocabulary...);
    } catch (const Refusal& e) {
      throw e.within(path_);
    }
  };
  checks_.reserve(blocks());
  for (std::size_t first = 0; first < blocks(); first += kAtOnce) {
    const Bytes bytes = Bytes(buffer).first(bytes_of(first, kAtOnce));
    read(first, bytes);
    for_each_block(first, bytes, [&](std::size_t, auto block) { checks_.push_back(crc32c(block)); });
    checksum = token_checksum(tokens_of(bytes, layout_.width), checksum);
    check.examine(bytes, layout_.width);
    if (format == ShardFormat::Headerless) width.examine(bytes);
    if (first == 0) check_width();  // reports errors in a long file early
  }
  check_width(vocab);
  check.finish(path_);
}

std::size_t ShardFile::bytes_of(std::size_t first, std::size_t count) const {
  return std::min<std::uint64_t>(count * kBlockBytes, layout_.width * size() - first * kBlockBytes);
}

void ShardFile::read(std::size_t first_block, Bytes bytes) const {
  const auto file = files_->get(path_);
  const std::size_t there = read_at(path_, file->get(), layout_.header + first_block * kBlockBytes, bytes);
  if (there == bytes.size()) return;
  const std::size_t whole = there / kBlockBytes;
  throw Refusal(path_,
                fmt::format("was cut short while it is read: block {} of {} has {} of {} bytes", first_block + whole,
                            blocks(), there - whole * kBlockBytes, bytes_of(first_block + whole, 1)),
                kLeaveAlone);
}

void ShardFile::copy(std::uint64_t first, std::span<TokenId> out) const {
  if (out.empty()) return;
  const std::size_t width = layout_.width, begin = width * first / kBlockBytes,
                    end = (width * (first + out.size()) - 1) / kBlockBytes + 1;
  std::vector<std::uint8_t> bytes(bytes_of(begin, end - begin));
  read(begin, bytes);
  for_each_block(begin, bytes, [&](std::size_t block, auto now) {
    if (crc32c(now) == checks_[block]) return;
    throw Refusal(
        path_, fmt::format("was changed while it is read: block {} of {} differs from the first time", block, blocks()),
        kLeaveAlone);
  });
  const Bytes wanted = Bytes(bytes).subspan(width * first - begin * kBlockBytes, width * out.size());
  std::ranges::copy(tokens_of(wanted, width), out.begin());
}

void append_token_shards(const std::vector<std::string>& paths, int vocab, Tokens& tokens, ShardFormat format) {
  const auto files = std::make_shared<OpenFiles>();
  for (const std::string& path : paths) {
    std::uint32_t checksum = tokens.checksum();
    auto shard = std::make_shared<const ShardFile>(path, vocab, files, checksum, format);
    tokens.append(std::move(shard), checksum);
  }
}

}  // namespace weft::data
