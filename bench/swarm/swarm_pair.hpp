/// A parent and a child process that exchange bytes, for the benchmark `swarm`.
#pragma once

#include <cstddef>
#include <memory>

#include "host/memoryx/shards.hpp"
#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/op_frames.hpp"

namespace weft::bench {

inline constexpr int kPairLayers = 32;  ///< per layer: a frame of weights, two gradients of kPartValues
inline constexpr int kDownRounds = 32, kUpRounds = 8;
inline constexpr std::size_t kDownBytes = swarmx::kOpHeader + 2 * memoryx::kShard,
                             kUpBytes = 8 + 4 * swarmx::kPartValues;  ///< bytes of a payload

class Pair {
 public:
  virtual ~Pair() = default;
  /// Seconds until the child has received kDownRounds times kPairLayers frames of weights, and has confirmed them.
  virtual double down() = 0;
  /// Seconds until kUpRounds times kPairLayers * 2 contributions of the child have been added to sums of 64-bit
  /// integers.
  virtual double up() = 0;
};

/// A pair in the swarm: a NodeIo and a Root, and a member with a wafer that computes nothing.
std::unique_ptr<Pair> make_swarm_pair(std::shared_ptr<const swarmx::Credentials> credentials);
/// A pair of Asio coroutines over a socket: a header and a payload with its CRC-32C.
std::unique_ptr<Pair> make_plain_pair();

}  // namespace weft::bench
