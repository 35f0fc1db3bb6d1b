/// The checksum of a small text file, in the file: its last eight hex digits after "crc32c", read as zeros.
///
///   {"step": 3, ..., "crc32c": "89abcdef"}        a line of metrics.jsonl, vocab.json
///   # run 0123456789abcdef crc32c 89abcdef        the last line of params.yaml
#pragma once

#include <string>
#include <string_view>

#include "host/checkpoint/checksum.hpp"

namespace weft {

/// `text`, which has crc32c and eight zeros, with the checksum in their place.
std::string sealed(std::string text);

/// The identity of a run that follows the last `key` of a text, 16 hex digits; empty: there is none.
std::string run_in(std::string_view text, std::string_view key);

/// None: it has no crc32c with eight digits.
Checksum check_seal(std::string_view text);

}  // namespace weft
