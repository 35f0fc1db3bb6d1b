#include "host/appliance/data/token_shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "host/appliance/data/mapped_file.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr std::int32_t kMagic = 20240520;
constexpr std::int32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 256 * 4;

std::int32_t header_word(std::span<const std::byte> bytes, std::size_t n) {
  std::int32_t word = 0;
  std::memcpy(&word, bytes.data() + 4 * n, sizeof word);
  return word;
}

constexpr auto kWriteAgain = "write or fetch the shard again";

/// The first token that is not below `vocab`, and the largest of all.
void check_tokens(const std::string& path, std::span<const std::byte> bytes, int vocab) {
  std::array<std::uint16_t, 4096> some;
  std::size_t bad = 0, bad_token = 0;
  int most = -1;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof some) {
    const std::size_t count = std::min(sizeof some, bytes.size() - at) / 2;
    std::memcpy(some.data(), bytes.data() + at, 2 * count);
    std::uint16_t here = 0;  // a loop that the compiler makes vectors of
    for (std::size_t i = 0; i < count; ++i) here = std::max(here, some[i]);
    if (here >= vocab && most < vocab) {
      const auto first = std::find_if(some.begin(), some.end(), [&](int token) { return token >= vocab; });
      bad = at / 2 + static_cast<std::size_t>(first - some.begin());
      bad_token = *first;
    }
    most = std::max<int>(most, here);
  }
  if (most < vocab) return;
  throw Refusal(path, fmt::format("token {} at position {} is not below model.vocab_size {}", bad_token, bad, vocab),
                most == 65535 ? "is this a file of uint16 tokens? 65535 is no token of any vocabulary here"
                              : fmt::format("use model.vocab_size {} or more", most + 1));
}

}  // namespace

std::span<const std::byte> parse_token_shard(std::span<const std::byte> bytes) {
  if (bytes.empty()) throw Refusal("", "is empty", kWriteAgain);
  if (bytes.size() < kHeaderBytes) {
    throw Refusal("", fmt::format("is cut short: {} bytes, the header alone has {}", bytes.size(), kHeaderBytes),
                  kWriteAgain);
  }
  const std::int32_t magic = header_word(bytes, 0), version = header_word(bytes, 1), count = header_word(bytes, 2);
  if (magic != kMagic) {
    throw Refusal("", fmt::format("is no token shard: it starts with {}, not with {}", magic, kMagic),
                  "use shards of uint16 tokens in the layout of llm.c, or a text named other than *.bin");
  }
  if (version != kVersion) {
    throw Refusal("", fmt::format("is a token shard of version {}, not {}", version, kVersion),
                  "use shards of uint16 tokens (GPT-2)");
  }
  if (count < 0) throw Refusal("", fmt::format("says it has {} tokens", count), kWriteAgain);
  const std::span<const std::byte> tokens = bytes.subspan(kHeaderBytes);
  const auto needed = 2 * static_cast<std::size_t>(count);
  if (tokens.size() < needed) {
    throw Refusal(
        "",
        fmt::format("is cut short: {} tokens need {} bytes, {} are there", count, kHeaderBytes + needed, bytes.size()),
        kWriteAgain);
  }
  if (tokens.size() > needed) {
    throw Refusal("", fmt::format("has {} bytes after its {} tokens", tokens.size() - needed, count), kWriteAgain);
  }
  return tokens;
}

bool is_token_shard(const std::string& path) {
  std::array<char, 4> start{};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // to open a pipe would be to wait
  return std::ifstream(path, std::ios::binary).read(start.data(), start.size()) &&
         header_word(std::as_bytes(std::span(start)), 0) == kMagic;
}

void append_token_shard(const std::string& path, int vocab, Tokens& tokens) {
  MappedFile file = map_file(path);
  std::span<const std::byte> bytes;
  try {
    bytes = parse_token_shard(file.bytes);
  } catch (const Refusal& e) {
    throw e.within(path);
  }
  check_tokens(path, bytes, vocab);
  tokens.append(bytes, std::move(file.owner));
}

}  // namespace weft
