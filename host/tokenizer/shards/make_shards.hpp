/// Converts a corpus to token shards, on many threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/tokenizer/shards/parts.hpp"
#include "host/tokenizer/shards/shard_writer.hpp"

namespace weft::tokenizer {

struct ShardOptions {
  std::optional<std::uint32_t> eot;  ///< the id after each document; none: no id is added
  std::string field = "text";        ///< in lines of *.jsonl
  int threads = 1;
};

struct ShardTotals {
  std::uint64_t documents = 0, bytes = 0;  ///< bytes: of text
  double encode_seconds = 0;               ///< processor time of all threads
};

/// Writes the tokens of all parts, in order for any number of threads. Empty documents are skipped. Calls `progress`
/// after each part, from one thread at a time, with Part::taken and the bytes of text so far. Throws Refusal that names
/// file and line of the first damaged place.
ShardTotals make_shards(Parts& parts, const TextTokenizer& tokenizer, const ShardOptions& options, ShardWriter& writer,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace weft::tokenizer
