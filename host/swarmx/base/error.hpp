/// Errors that come from outside of this process; `what()` names the peer.
#pragma once

#include <stdexcept>

#include "host/memoryx/diverged.hpp"

namespace weft::swarmx {

/// The root as its peers name it in messages. To users it is MemoryX.
inline constexpr const char* kRootName = "MemoryX";

struct SwarmError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A loss that is not a finite number: the weights have diverged.
struct LossNotFinite : memoryx::Diverged {
  using Diverged::Diverged;
};

/// A wait for wafers or ranks of MemoryX that ended because the caller wants to leave. Nothing else is wrong.
struct WaitEnded : SwarmError {
  using SwarmError::SwarmError;
};

/// A peer closed its connection or cannot be reached.
struct PeerLost : SwarmError {
  using SwarmError::SwarmError;
};

/// Loss of a rank of MemoryX, and with it of its part of the state: only the last checkpoint remains.
struct MemoryLost : PeerLost {
  using PeerLost::PeerLost;
};

/// A rank of MemoryX was asked to end, and the run ends before it; everything that could be saved is saved.
struct MemoryLeaves : MemoryLost {
  using MemoryLost::MemoryLost;
};

/// A rank of MemoryX has reported why it cannot continue. Another one could not either: the user must fix the cause.
struct MemoryFailed : SwarmError {
  using SwarmError::SwarmError;
};

/// A peer sent something that no peer of this version sends.
struct CorruptFrame : SwarmError {
  using SwarmError::SwarmError;
};

/// Throws CorruptFrame unless `holds`, which is true of every frame that a peer of this version sends.
inline void check_frame(bool holds, const char* what) {
  if (!holds) throw CorruptFrame(what);
}

}  // namespace weft::swarmx
