/// Trains a byte-level BPE on a corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/tokenizer/byte_bpe.hpp"

namespace weft::tokenizer {

/// Number of occurrences of each word.
using WordCounts = std::unordered_map<std::string, std::uint64_t>;

struct BpeTraining {
  std::uint32_t vocab_size = 0;      ///< maximum size, including special tokens and the 256 bytes
  std::uint64_t min_frequency = 2;   ///< a less frequent pair becomes no token
  std::vector<std::string> special;  ///< ids start at 0
};

/// Ids are assigned to the special tokens, to the bytes in order of the letters that represent them
/// (byte_unicode_map.hpp), and then to merges: always of the most frequent pair; of equal ones, the pair with the lower
/// left id, then the lower right id. The result depends only on the counts, and equals that of BpeTrainer in the
/// package `tokenizers`. Calls `progress` from time to time with the number of tokens. Throws Refusal without a subject
/// if the size has no room for the bytes, or if a special token is empty or given twice.
BpeParts train_bpe(const WordCounts& words, const BpeTraining& training,
                   const std::function<void(std::uint32_t)>& progress = {});

}  // namespace weft::tokenizer
