#include "host/library/kept_networks.hpp"

#include <mutex>
#include <optional>

#include "sw/network/kept_files.hpp"

namespace weft::library {
namespace {

struct Shared {
  std::mutex mutex;
  int objects = 0;
  std::optional<network::KeptNetworkFiles> files;
};

Shared& shared() {
  static Shared all;
  return all;
}

}  // namespace

KeptNetworks::KeptNetworks() {
  const std::lock_guard lock(shared().mutex);
  if (shared().objects++ == 0) shared().files.emplace();
}

KeptNetworks::~KeptNetworks() {
  const std::lock_guard lock(shared().mutex);
  if (--shared().objects == 0) shared().files.reset();
}

}  // namespace weft::library
