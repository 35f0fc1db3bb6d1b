/// Cache of network files for long runs.
#pragma once

namespace weft::network {

/// While any object exists, each network file is read only once, at its first use. Later changes, moves or deletions of
/// the file do not affect the run, and a checkpoint has the network that it was trained with. Thread-safe.
class KeptNetworkFiles {
 public:
  KeptNetworkFiles();
  ~KeptNetworkFiles();
  KeptNetworkFiles(const KeptNetworkFiles&) = delete;
  KeptNetworkFiles& operator=(const KeptNetworkFiles&) = delete;
};

}  // namespace weft::network
