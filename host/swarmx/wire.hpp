/// A leaf's side of its connection, for a thread that may wait. It costs one descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/handover.hpp"
#include "host/swarmx/pulse.hpp"

namespace weft {

class Wire {
 public:
  /// Takes the socket `descriptor`. `peer` is the name errors use.
  /// `pulse`: of the thread that uses it, which owes nothing while it waits here; null: nobody looks. It must outlive
  /// this.
  Wire(int descriptor, std::string peer, Hands hands = {}, Pulse* pulse = nullptr);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// The next frame. Throws PeerLost and CorruptFrame.
  Frame read();
  /// Throws PeerLost.
  void write(const Frame& frame);

 private:
  std::size_t receive(std::span<std::uint8_t> into);
  void fill(std::span<std::uint8_t> bytes);

  int descriptor_;
  std::string peer_;
  Hands hands_;
  Pulse* pulse_;
  Bytes early_;  ///< of the frames to come: [begin_, end_) arrived with those before
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace weft
