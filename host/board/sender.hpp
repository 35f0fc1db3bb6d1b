/// One direction of the link, whoever carries the frames: what is sent until it is confirmed, what is taken once.
///
/// Pure: time is told, nothing is read or written.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "host/board/bytes.hpp"
#include "host/board/frame.hpp"

namespace weft::board {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;
using Duration = Clock::duration;

class Sender {
 public:
  static constexpr std::size_t kMostInFlight = 64;  ///< frames
  static constexpr auto kLeastWait = std::chrono::milliseconds(30);
  static constexpr auto kMostWait = std::chrono::seconds(1);           ///< when nothing was confirmed again and again
  static constexpr auto kMostSample = std::chrono::milliseconds(500);  ///< of what was sent more than once

  struct Piece {
    std::uint32_t seq = 0;
    Bytes payload = {};
    Time sent = {};  ///< the first time
    bool again = false;
  };

  /// A session begins: nothing is under way, and the other side takes `room` bytes.
  void begin(std::size_t room);
  void put(std::span<const std::uint8_t> bytes) { queue_.insert(queue_.end(), bytes.begin(), bytes.end()); }

  /// What is to be sent now, if anything; valid until the next call of anything. `all`: also what fills no frame.
  const Piece* next(Time now, bool all);
  /// The other side expects `ack` next, and takes `room` bytes of payload behind what that confirms.
  void confirmed(std::uint32_t ack, std::size_t room, Time now);

  /// When `next` sends again, if nothing is confirmed until then.
  std::optional<Time> wake() const;
  std::size_t waiting() const { return queue_.size(); }  ///< bytes that no frame has yet
  bool in_flight() const { return !flight_.empty(); }
  bool done() const { return queue_.empty() && flight_.empty(); }
  std::uint32_t next_seq() const { return next_; }
  /// The oldest that is not confirmed, or else the next.
  std::uint32_t oldest() const { return next_ - static_cast<std::uint32_t>(flight_.size()); }
  /// Since when the oldest has been under way without anything being confirmed.
  std::optional<Time> waiting_since() const;
  std::uint64_t sent() const { return sent_; }    ///< frames, the first time
  std::uint64_t again() const { return again_; }  ///< frames, once more
  Duration round_trip() const { return round_trip_; }

 private:
  const Piece* fresh(Time now, bool all);
  Duration wait() const;

  std::deque<std::uint8_t> queue_;
  std::deque<Piece> flight_;  // the oldest first
  std::size_t resend_ = 0;    // of flight_, from here on to be sent again; its size: nothing
  std::size_t bytes_ = 0;     // in flight
  std::size_t room_ = 0;
  std::uint32_t next_ = 0;
  Duration round_trip_{};
  int vain_ = 0;  // times all was sent again without a confirmation
  Time deadline_{}, since_{};
  std::uint64_t sent_ = 0, again_ = 0;
};

/// The other end.
class Receiver {
 public:
  void begin() { expected_ = 0; }
  /// Whether this is the next piece, which is then taken.
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
