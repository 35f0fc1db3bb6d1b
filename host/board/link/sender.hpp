/// Reliable transport in one direction of the link: resends until acknowledged, accepts each piece once.
///
/// Free of I/O: time is passed in.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "host/board/link/bytes.hpp"
#include "host/board/link/frame.hpp"

namespace weft::board {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;
using Duration = Clock::duration;

class Sender {
 public:
  static constexpr std::size_t kMostInFlight = 64;  ///< frames
  static constexpr auto kLeastWait = std::chrono::milliseconds(30);
  static constexpr auto kMostWait = std::chrono::seconds(1);           ///< upper limit of the backoff
  static constexpr auto kMostSample = std::chrono::milliseconds(500);  ///< limit for a resent piece

  struct Piece {
    std::uint32_t seq = 0;
    Bytes payload = {};
    Time sent = {};  ///< first transmission
    bool again = false;
  };

  /// Begins a session with nothing in flight and `room` bytes of room at the receiver.
  void begin(std::size_t room);
  void enqueue(std::span<const std::uint8_t> bytes) { queue_.insert(queue_.end(), bytes.begin(), bytes.end()); }

  /// The piece to send now, if any; valid until the next call of any function. `all`: also send data that does not fill
  /// a frame.
  const Piece* next(Time now, bool all);
  /// The receiver expects `ack` next and has room for `room` bytes of payload beyond that.
  void confirmed(std::uint32_t ack, std::size_t room, Time now);

  /// Time at which `next` resends if no acknowledgement arrives.
  std::optional<Time> wake() const;
  std::size_t waiting() const { return queue_.size(); }  ///< bytes not yet in a frame
  bool in_flight() const { return !flight_.empty(); }
  bool done() const { return queue_.empty() && flight_.empty(); }
  std::uint32_t next_seq() const { return next_; }
  /// The oldest unacknowledged number, or the next one if there is none.
  std::uint32_t oldest_in_flight() const { return next_ - static_cast<std::uint32_t>(flight_.size()); }
  /// Time since which something has been in flight without any acknowledgement.
  std::optional<Time> waiting_since() const;
  std::uint64_t sent() const { return sent_; }                        ///< frames, first transmissions
  std::uint64_t retransmissions() const { return retransmissions_; }  ///< frames, retransmissions
  Duration round_trip() const { return round_trip_; }

 private:
  const Piece* fresh(Time now, bool all);
  Duration wait() const;

  std::deque<std::uint8_t> queue_;
  std::deque<Piece> flight_;  // oldest first
  std::size_t resend_ = 0;    // index in flight_ of the next piece to resend; its size if there is none
  std::size_t bytes_ = 0;     // in flight
  std::size_t room_ = 0;
  std::uint32_t next_ = 0;
  Duration round_trip_{};
  int vain_ = 0;  // number of consecutive timeouts without an acknowledgement
  Time deadline_{}, since_{};
  std::uint64_t sent_ = 0, retransmissions_ = 0;
};

/// Receiving end.
class Receiver {
 public:
  void begin() { expected_ = 0; }
  /// Returns true and accepts the piece if it is the next one.
  bool take(std::uint32_t seq) {
    if (seq != expected_) return false;
    ++expected_;
    return true;
  }
  std::uint32_t expected() const { return expected_; }

 private:
  std::uint32_t expected_ = 0;
};

}  // namespace weft::board
