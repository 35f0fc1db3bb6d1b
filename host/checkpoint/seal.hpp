/// The checksum of a small text file, stored in the file: its last eight hex digits after "crc32c", read as zeros.
///
///   {"step": 3, ..., "crc32c": "89abcdef"}        a line of metrics.jsonl, vocab.json
///   # run 0123456789abcdef crc32c 89abcdef        the last line of params.yaml
#pragma once

#include <string>
#include <string_view>

#include "host/checkpoint/checksum.hpp"

namespace weft::checkpoint {

/// Replaces the eight zeros after crc32c in `text` by the checksum.
std::string sealed(std::string text);

/// The run identity, 16 hex digits, that follows the last `key` in a text; empty: there is none.
std::string run_in(std::string_view text, std::string_view key);

/// None: the text has no crc32c with eight digits.
Checksum check_seal(std::string_view text);

}  // namespace weft::checkpoint
