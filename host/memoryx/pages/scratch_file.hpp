/// An unlinked file for data that exceeds DRAM: the system removes it when the process ends, for any reason.
#pragma once

#include <cstdint>
#include <string>

#include "sw/base/descriptor.hpp"

namespace weft::memoryx {

struct ScratchFile {
  Descriptor file;
  std::string name;    ///< for errors
  bool direct = true;  ///< O_DIRECT: bypasses the page cache
};

/// The name used in messages, as the file has none of its own.
std::string scratch_name(const std::string& folder);

/// Creates the file in `folder`, with `bytes` allocated from the beginning if the file system can do that. Without
/// O_DIRECT if the file system lacks it (tmpfs before Linux 6.6). Throws Refusal.
ScratchFile make_scratch_file(const std::string& folder, std::uint64_t bytes);

}  // namespace weft::memoryx
