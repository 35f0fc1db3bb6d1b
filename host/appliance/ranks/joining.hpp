/// How the processes of a run find and know each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/appliance/config/config.hpp"
#include "host/appliance/ranks/ranks.hpp"
#include "host/swarmx/auth/credentials.hpp"

namespace weft {

struct Joining {
  std::string address = {};  ///< of the root; there a number
  std::uint16_t port = 0;
  std::string job = {};      ///< which run
  std::uint64_t digest = 0;  ///< settings_digest
  std::shared_ptr<const Credentials> credentials = {};
};

/// Makes the configuration that of a run of so many ranks, num_csx too, and returns how they meet. Throws Refusal: a
/// mode that is one process, wafers that the ranks do not have, no key.
std::shared_ptr<const Joining> join_ranks(Config& config, const Ranks& ranks);

}  // namespace weft
