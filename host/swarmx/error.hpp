/// What can go wrong outside of us; `what()` names the peer.
#pragma once

#include <stdexcept>

#include "host/memoryx/diverged.hpp"

namespace weft {

/// The root, as its peers call it.
inline constexpr const char* kRoot = "MemoryX";

struct SwarmError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Weights that have diverged.
struct LossNotFinite : Diverged {
  using Diverged::Diverged;
};

/// Wafers were waited for, and whoever runs the swarm wants to leave. Nothing else is wrong.
struct WaitEnded : SwarmError {
  using SwarmError::SwarmError;
};

/// A peer closed its connection or cannot be reached.
struct PeerLost : SwarmError {
  using SwarmError::SwarmError;
};

/// A rank of MemoryX was lost, and its part of the state with it: the last checkpoint is what there is.
struct MemoryLost : PeerLost {
  using PeerLost::PeerLost;
};

/// A rank of MemoryX was asked to end, and the run ends before it: what there was to save is saved.
struct MemoryLeaves : MemoryLost {
  using MemoryLost::MemoryLost;
};

/// A rank of MemoryX has said why it cannot go on, and another would not either: who starts the run has to mend it.
struct MemoryFailed : SwarmError {
  using SwarmError::SwarmError;
};

/// A peer sent what no peer of this version sends.
struct CorruptFrame : SwarmError {
  using SwarmError::SwarmError;
};

/// Throws CorruptFrame unless `holds`, which is true of every frame that a peer of this version sends.
inline void check_frame(bool holds, const char* what) {
  if (!holds) throw CorruptFrame(what);
}

}  // namespace weft
