/// Sets of token shards, OUT_000000.bin, OUT_000001.bin, ..., and the mark of an incomplete set.
///
/// OUT.incomplete exists while shards are moved into place: a program that is killed meanwhile leaves the mark, so that
/// a mixture of old and new shards is not mistaken for a complete set.
#pragma once

#include <cstdint>
#include <string>

#include "sw/base/descriptor.hpp"

namespace weft::tokenizer {

/// Returns "DIR/OUT" for DIR/OUT.bin.
std::string shard_stem(const std::string& path);
/// Returns e.g. DIR/OUT_000012.bin.
std::string shard_path(const std::string& stem, std::uint64_t number);
/// Throws Refusal that names `path` if it is a shard of an incomplete set.
void check_whole_set(const std::string& path);

/// Creates the mark next to the shards; it stays unless finish() is called.
class IncompleteMark {
 public:
  /// Takes over a mark that a killed program left. Throws Refusal if another program holds the mark, or it cannot be
  /// written.
  explicit IncompleteMark(const std::string& stem);
  IncompleteMark(const IncompleteMark&) = delete;
  IncompleteMark& operator=(const IncompleteMark&) = delete;
  /// Removes the mark: the set is complete.
  void finish();

 private:
  std::string path_;
  Descriptor file_;  // locked while shards are moved into place
};

}  // namespace weft::tokenizer
