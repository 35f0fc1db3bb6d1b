/// Token shards in the layout of llm.c: 256 int32 (magic 20240520, version 1, number of tokens, unused), then uint16
/// tokens, all little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "host/appliance/data/tokens.hpp"

namespace weft {

/// The tokens' part of a shard, two bytes each. `bytes` is the whole file, at any alignment; the header must tell its
/// size exactly. Throws Refusal, whose text goes on after the name of a file.
std::span<const std::byte> parse_token_shard(std::span<const std::byte> bytes);

/// Whether a file starts like a shard.
bool is_token_shard(const std::string& path);

/// Adds a shard's tokens, still mapped, to `tokens`. Reads all of them once: each must be below `vocab`. Throws
/// Refusal.
void append_token_shard(const std::string& path, int vocab, Tokens& tokens);

}  // namespace weft
