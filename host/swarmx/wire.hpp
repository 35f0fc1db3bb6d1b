/// A leaf's side of its connection, for threads that may wait: the kernel keeps the deadlines.
///
/// Costs one descriptor. One thread reads; any thread writes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/handover.hpp"

namespace weft {

class Wire {
 public:
  /// Takes the socket `descriptor`. `peer` is the name errors use. `silence`: how long it may say or take nothing; 0
  /// within a process, where that is no sign.
  Wire(int descriptor, std::string peer, std::chrono::milliseconds silence, Hands hands = {});
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// The next frame that is not Alive. Throws PeerLost and CorruptFrame.
  Frame read();
  /// Throws PeerLost.
  void write(const Frame& frame);
  /// Says Alive, unless a frame is being written. Throws PeerLost.
  void say_alive();
  /// Reads and forgets until the peer closes: a connection closed with unread input would take back what was just sent.
  void drain() noexcept;

 private:
  std::size_t receive(std::span<std::uint8_t> into);
  void fill(std::span<std::uint8_t> bytes);
  void send(const Frame& frame);

  int descriptor_;
  std::string peer_;
  std::chrono::milliseconds silence_;
  Hands hands_;
  Bytes early_;  ///< of the frames to come: [begin_, end_) arrived with those before
  std::size_t begin_ = 0, end_ = 0;
  std::mutex writing_;
  bool cut_ = false;  ///< a frame went out in part: nothing can follow it
};

/// Connects to the parent `peer` at `address`, a number, and `port`, and says our name. Throws PeerLost.
std::unique_ptr<Wire> connect(const std::string& address, std::uint16_t port, const std::string& peer,
                              const std::string& name, std::chrono::milliseconds silence);

}  // namespace weft
