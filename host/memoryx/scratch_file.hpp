/// A file that nobody sees, for what DRAM has no room for: it goes with the process, whatever ends it.
#pragma once

#include <cstdint>
#include <string>

#include "sw/base/descriptor.hpp"

namespace weft {

struct ScratchFile {
  Descriptor file;
  std::string name;    ///< for errors
  bool direct = true;  ///< O_DIRECT: the page cache has nothing of it
};

/// What it is called, as it has no name.
std::string scratch_name(const std::string& folder);

/// In `folder`, with room for `bytes` that is its own from the beginning, where the file system can do that. Without
/// O_DIRECT where the file system has none (tmpfs before Linux 6.6). Throws Refusal.
ScratchFile make_scratch_file(const std::string& folder, std::uint64_t bytes);

}  // namespace weft
