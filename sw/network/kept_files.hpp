/// Network files of a program that runs for hours.
#pragma once

namespace weft {

/// While it lives, each network file is read once, whenever it is asked for first: whoever edits, moves or deletes it
/// then changes nothing of what runs, and a checkpoint says what it was trained with. One at a time. Thread-safe.
class KeptNetworkFiles {
 public:
  KeptNetworkFiles();
  ~KeptNetworkFiles();
  KeptNetworkFiles(const KeptNetworkFiles&) = delete;
  KeptNetworkFiles& operator=(const KeptNetworkFiles&) = delete;
};

}  // namespace weft
