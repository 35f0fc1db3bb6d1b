/// Token shards that belong together, OUT_000000.bin, OUT_000001.bin, ..., and the mark of a set that is not whole.
///
/// While shards are put in their places OUT.incomplete is there: a program that is killed then leaves it, and a set
/// of old and new shards is not taken for a whole one.
#pragma once

#include <cstdint>
#include <string>

#include "sw/base/descriptor.hpp"

namespace weft::text {

/// "DIR/OUT" of DIR/OUT.bin.
std::string shard_stem(const std::string& path);
/// DIR/OUT_000012.bin.
std::string shard_path(const std::string& stem, std::uint64_t number);
/// Throws Refusal that names `path` if it is a shard of a set that is not whole.
void check_whole_set(const std::string& path);

/// Puts the mark next to the shards; without finish() the mark stays.
class IncompleteMark {
 public:
  /// Takes one over that a killed program left. Throws Refusal if another program has it, or none can be written.
  explicit IncompleteMark(const std::string& stem);
  IncompleteMark(const IncompleteMark&) = delete;
  IncompleteMark& operator=(const IncompleteMark&) = delete;
  /// The set is whole.
  void finish();

 private:
  std::string path_;
  Descriptor file_;  // locked as long as the program puts shards in their places
};

}  // namespace weft::text
