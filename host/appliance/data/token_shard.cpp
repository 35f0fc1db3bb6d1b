#include "host/appliance/data/token_shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "host/appliance/data/shard_file.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr std::int32_t kMagic = 20240520;
constexpr std::int32_t kVersion = 1;
constexpr auto kWriteAgain = "write or fetch the shard again";

std::int32_t header_word(std::span<const std::uint8_t> bytes, std::size_t n) {
  std::int32_t word = 0;
  std::memcpy(&word, bytes.data() + 4 * n, sizeof word);
  return word;
}

}  // namespace

std::uint64_t parse_shard_header(std::span<const std::uint8_t> start, std::uint64_t size) {
  if (size == 0) throw Refusal("", "is empty", kWriteAgain);
  if (start.size() < kShardHeaderBytes) {
    throw Refusal("", fmt::format("is cut short: {} bytes, the header alone has {}", start.size(), kShardHeaderBytes),
                  kWriteAgain);
  }
  const std::int32_t magic = header_word(start, 0), version = header_word(start, 1), count = header_word(start, 2);
  if (magic != kMagic) {
    throw Refusal("", fmt::format("is no token shard: it starts with {}, not with {}", magic, kMagic),
                  "use shards of uint16 tokens in the layout of llm.c, or a text named other than *.bin");
  }
  if (version != kVersion) {
    throw Refusal("", fmt::format("is a token shard of version {}, not {}", version, kVersion),
                  "use shards of uint16 tokens (GPT-2)");
  }
  if (count < 0) throw Refusal("", fmt::format("says it has {} tokens", count), kWriteAgain);
  const auto tokens = static_cast<std::uint64_t>(count), needed = kShardHeaderBytes + 2 * tokens;
  if (size < needed) {
    throw Refusal("", fmt::format("is cut short: {} tokens need {} bytes, {} are there", count, needed, size),
                  kWriteAgain);
  }
  if (size > needed) {
    throw Refusal("", fmt::format("has {} bytes after its {} tokens", size - needed, count), kWriteAgain);
  }
  return tokens;
}

bool is_token_shard(const std::string& path) {
  std::array<std::uint8_t, 4> start{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // to open a pipe would be to wait
  return std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(start.data()), start.size()) &&
         header_word(start, 0) == kMagic;
}

void VocabularyCheck::see(std::span<const std::uint8_t> bytes) {
  std::array<std::uint16_t, 2048> some;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(sizeof some, bytes.size()))) {
    const std::size_t count = std::min(sizeof some, bytes.size()) / 2;
    std::memcpy(some.data(), bytes.data(), 2 * count);
    std::uint16_t here = 0;  // a loop that the compiler makes vectors of
    for (std::size_t i = 0; i < count; ++i) here = std::max(here, some[i]);
    if (here >= vocab_ && most_ < vocab_) {
      const auto first = std::find_if(some.begin(), some.end(), [&](int token) { return token >= vocab_; });
      bad_ = seen_ + static_cast<std::uint64_t>(first - some.begin());
      bad_token_ = *first;
    }
    most_ = std::max<int>(most_, here);
    seen_ += count;
  }
}

void VocabularyCheck::finish(const std::string& path) const {
  if (most_ < vocab_) return;
  throw Refusal(path, fmt::format("token {} at position {} is not below model.vocab_size {}", bad_token_, bad_, vocab_),
                most_ == 65535 ? "is this a file of uint16 tokens? 65535 is no token of any vocabulary here"
                               : fmt::format("use model.vocab_size {} or more", most_ + 1));
}

void append_token_shards(const std::vector<std::string>& paths, int vocab, Tokens& tokens) {
  const auto files = std::make_shared<OpenFiles>();
  for (const std::string& path : paths) {
    std::uint32_t checksum = tokens.checksum();
    auto shard = std::make_shared<const ShardFile>(path, vocab, files, checksum);
    tokens.append(std::move(shard), checksum);
  }
}

}  // namespace weft
