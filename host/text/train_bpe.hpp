/// A byte-level BPE of a corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/text/byte_bpe.hpp"

namespace weft::text {

/// How often each word is there.
using WordCounts = std::unordered_map<std::string, std::uint64_t>;

struct BpeTraining {
  std::uint32_t vocab_size = 0;      ///< at most; special tokens and the 256 bytes count
  std::uint64_t min_frequency = 2;   ///< a pair that is there less often becomes no token
  std::vector<std::string> special;  ///< ids from 0 on
};

/// Ids: the special tokens, the bytes in order of the letters that stand for them (byte_letters.hpp), then what is
/// merged: always the pair that is there most often; of equal ones that of the lower left id, then of the lower right
/// one. The result depends on the counts alone, and is that of BpeTrainer of the package `tokenizers`. Calls `progress`
/// with the number of tokens now and then. Throws Refusal without a subject if the size has no room for the bytes, or a
/// special token is empty or there twice.
BpeParts train_bpe(const WordCounts& words, const BpeTraining& training,
                   const std::function<void(std::uint32_t)>& progress = {});

}  // namespace weft::text
