/// A parent and a child in another process, and bytes that go between them: what `swarm` measures.
#pragma once

#include <cstddef>
#include <memory>

#include "host/swarmx/auth/credentials.hpp"

namespace weft::bench {

inline constexpr int kUpRounds = 8, kUpLayers = 32;  ///< a layer is two contributions of kPartValues

class Pair {
 public:
  virtual ~Pair() = default;
  /// Seconds until the child has `frames` frames whose payload has `messages` messages, and has said so.
  virtual double down(std::size_t messages, int frames) = 0;
  /// Seconds until kUpRounds times kUpLayers * 2 contributions of the child are in sums of 64-bit integers.
  virtual double up() = 0;
};

/// The swarm: a Hub and a Root, and a member with a wafer that computes nothing.
std::unique_ptr<Pair> make_swarm_pair(std::shared_ptr<const Credentials> credentials);
/// Coroutines of Asio over a socket, a header and a payload with its CRC-32C; nothing else.
std::unique_ptr<Pair> make_plain_pair();

}  // namespace weft::bench
