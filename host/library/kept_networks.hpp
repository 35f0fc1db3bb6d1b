/// Network files of all runs in this process.
#pragma once

namespace weft::library {

/// Each network file is read only once while any object exists (sw/network/kept_files.hpp). Thread-safe.
class KeptNetworks {
 public:
  KeptNetworks();
  ~KeptNetworks();
  KeptNetworks(const KeptNetworks&) = delete;
  KeptNetworks& operator=(const KeptNetworks&) = delete;
};

}  // namespace weft::library
