#include "host/data/token_shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sw/base/refusal.hpp"
#include "sw/base/token_id.hpp"

namespace weft::data {
namespace {

constexpr std::int32_t kMagic = 20240520, kWideMagic = 20240801;
constexpr std::int32_t kVersion = 1, kWideVersion = 7;
constexpr std::array<std::uint8_t, 6> kNumpy = {0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr auto kWriteShard = "write or fetch the shard again";

std::int32_t header_word(std::span<const std::uint8_t> bytes, std::size_t n) {
  std::int32_t word = 0;
  std::memcpy(&word, bytes.data() + 4 * n, sizeof word);
  return word;
}

/// Rejects formats of other programs that have a header or an index.
void check_known(std::span<const std::uint8_t> start) {
  if (start.size() >= kNumpy.size() && std::ranges::equal(start.first(kNumpy.size()), kNumpy))
    throw Refusal("", "is an array of NumPy, whose header would be read as tokens", "write numpy.uint16 by .tofile()");
}

/// Rejects a file whose size matches tokens wider or narrower than its header specifies.
void check_width_of_size(std::uint64_t size, std::uint64_t tokens, std::size_t width) {
  const std::size_t other = width == 2 ? 4 : 2;
  if (tokens == 0 || size != kShardHeaderBytes + other * tokens) return;
  throw Refusal("", fmt::format("has {} bits per token, but its header declares {}", 8 * other, 8 * width),
                fmt::format("write the header {}, {} for it", other == 2 ? kMagic : kWideMagic,
                            other == 2 ? kVersion : kWideVersion));
}

}  // namespace

ShardFormat shard_format(const std::string& name) {
  return name == "nanogpt" ? ShardFormat::Headerless : ShardFormat::LlmC;
}

ShardLayout parse_shard_header(std::span<const std::uint8_t> start, std::uint64_t size, ShardFormat format) {
  if (size == 0) throw Refusal("", "is empty", kWriteShard);
  if (format == ShardFormat::Headerless) {
    if (start.size() >= 4 && (header_word(start, 0) == kMagic || header_word(start, 0) == kWideMagic))
      throw Refusal("", "has the header of llm.c", "set train_input.shard_format llm.c");
    check_known(start);
    if (size % 2 != 0) throw Refusal("", fmt::format("has {} bytes, an odd number", size), kWriteShard);
    return {.tokens = size / 2, .header = 0};
  }
  check_known(start);
  const bool is_ours = start.size() < 4 || header_word(start, 0) == kMagic || header_word(start, 0) == kWideMagic;
  if (is_ours && start.size() < kShardHeaderBytes) {
    throw Refusal(
        "", fmt::format("is cut short: the file has {} bytes, the header alone {}", start.size(), kShardHeaderBytes),
        kWriteShard);
  }
  const std::int32_t magic = header_word(start, 0);
  if (const auto turned = static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(magic)));
      turned == kMagic || turned == kWideMagic) {
    throw Refusal("", "is big endian: the bytes of each number are in the other order",
                  "write it little endian (numpy: '<i4' for the header, '<u2' or '<u4' for tokens)");
  }
  if (magic != kMagic && magic != kWideMagic) {
    throw Refusal(
        "", fmt::format("is not a token shard: it starts with {}, not with {}", magic, kMagic),
        "use shards in the layout of llm.c, or train_input.shard_format nanogpt, or a text named other than *.bin");
  }
  const std::int32_t version = header_word(start, 1), count = header_word(start, 2);
  const std::size_t width = magic == kMagic ? 2 : 4;
  if (width == 4 && version != kWideVersion) {
    throw Refusal("", fmt::format("is a token shard of version {}, not {}", version, kWideVersion),
                  "use shards of uint32 tokens (Llama 3)");
  }
  if (width == 2 && version != kVersion) {
    throw Refusal("", fmt::format("is a token shard of version {}, not {}", version, kVersion),
                  "use shards of uint16 tokens (GPT-2)");
  }
  if (count < 0) throw Refusal("", fmt::format("declares {} tokens", count), kWriteShard);
  const auto tokens = static_cast<std::uint64_t>(count), needed = kShardHeaderBytes + width * tokens;
  check_width_of_size(size, tokens, width);
  if (size < needed) {
    throw Refusal("", fmt::format("is cut short: {} tokens need {} bytes, but the file has {}", count, needed, size),
                  kWriteShard);
  }
  if (size > needed) {
    throw Refusal("", fmt::format("has {} bytes after its {} tokens", size - needed, count), kWriteShard);
  }
  return {.tokens = tokens, .width = width};
}

bool is_token_shard(const std::string& path) {
  std::array<std::uint8_t, 4> start{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // opening a pipe would block
  return std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(start.data()), start.size()) &&
         (header_word(start, 0) == kMagic || header_word(start, 0) == kWideMagic);
}

void VocabularyCheck::examine(std::span<const std::uint8_t> bytes, std::size_t width) {
  width == 2 ? see_as<std::uint16_t>(bytes) : see_as<std::uint32_t>(bytes);
}

template <class Id>
void VocabularyCheck::see_as(std::span<const std::uint8_t> bytes) {
  std::array<Id, 2048> some;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(sizeof some, bytes.size()))) {
    const std::size_t count = std::min(sizeof some, bytes.size()) / sizeof(Id);
    std::memcpy(some.data(), bytes.data(), sizeof(Id) * count);
    Id here = 0;  // this loop can be vectorised
    for (std::size_t i = 0; i < count; ++i) here = std::max(here, some[i]);
    if (here >= vocab_ && most_ < vocab_) {
      const auto first = std::find_if(some.begin(), some.end(), [&](std::int64_t token) { return token >= vocab_; });
      bad_ = seen_ + static_cast<std::uint64_t>(first - some.begin());
      bad_token_ = *first;
    }
    most_ = std::max<std::int64_t>(most_, here);
    seen_ += count;
  }
}

void VocabularyCheck::finish(const std::string& path) const {
  if (most_ < vocab_) return;
  throw Refusal(path, fmt::format("token {} at position {} is not below model.vocab_size {}", bad_token_, bad_, vocab_),
                most_ >= kMostTokens
                    ? fmt::format("no vocabulary has more than {} tokens: is this a token shard?", kMostTokens)
                    : fmt::format("use model.vocab_size {} or more", most_ + 1));
}

}  // namespace weft::data
