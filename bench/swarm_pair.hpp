/// A parent and a child in another process, and bytes that go between them: what `swarm` measures.
#pragma once

#include <cstddef>
#include <memory>

#include "host/memoryx/shards.hpp"
#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/contribution.hpp"
#include "host/swarmx/op_frames.hpp"

namespace weft::bench {

inline constexpr int kPairLayers = 32;  ///< a layer: a frame of weights, two gradients of kPartValues
inline constexpr int kDownRounds = 32, kUpRounds = 8;
inline constexpr std::size_t kDownBytes = kOpHeader + 2 * kShard, kUpBytes = 8 + 4 * kPartValues;  ///< of a payload

class Pair {
 public:
  virtual ~Pair() = default;
  /// Seconds until the child has had kDownRounds times kPairLayers frames of weights, and has said so.
  virtual double down() = 0;
  /// Seconds until kUpRounds times kPairLayers * 2 contributions of the child are in sums of 64-bit integers.
  virtual double up() = 0;
};

/// The swarm: a Hub and a Root, and a member with a wafer that computes nothing.
std::unique_ptr<Pair> make_swarm_pair(std::shared_ptr<const Credentials> credentials);
/// Coroutines of Asio over a socket, a header and a payload with its CRC-32C; nothing else.
std::unique_ptr<Pair> make_plain_pair();

}  // namespace weft::bench
