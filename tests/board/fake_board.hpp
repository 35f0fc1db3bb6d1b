/// The board's half of docs/reference/board_link.md over any wafer, without its own clock: a peer for the host's half.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "host/board/link/device_info.hpp"
#include "host/board/link/frame.hpp"
#include "host/board/link/sender.hpp"
#include "tests/board/expander.hpp"
#include "verif/wafer.hpp"

namespace weft::board {

/// ABOUT's payload.
Bytes info_bytes(const DeviceInfo& info, std::uint8_t version = 2);
/// The ABOUT of a board with a wafer of this shape.
DeviceInfo info_of(const machine::WaferShape& shape);

class FakeBoard {
 public:
  static constexpr auto kResend = std::chrono::milliseconds(13);
  static constexpr std::size_t kMostInFlight = 8;
  static constexpr std::size_t kPace = 2000;  ///< bytes of the stream that the expander takes in a millisecond

  explicit FakeBoard(std::unique_ptr<Wafer> wafer)
      : wafer_(std::move(wafer)), info_(info_of(wafer_->shape())), expander_(info_.entries) {}

  void receive(std::span<const std::uint8_t> bytes, Time now);
  /// The next frame to send, if any.
  std::optional<Bytes> next(Time now);
  /// Time of its next action without input.
  Time wake() const { return tick_; }
  void go_on(Time now);

  Wafer& wafer() { return *wafer_; }
  DeviceInfo& info() { return info_; }
  const std::vector<machine::Message>& taken() const { return taken_; }  ///< messages since the session began
  bool in_session() const { return session_ != 0; }
  bool awake = false;                 ///< the flag in STATUS
  std::uint8_t flag = 0;              ///< reported for every place
  bool dead = false;                  ///< no longer sends anything
  std::uint64_t dies_after = ~0ULL;   ///< number of messages after which the board is dead
  std::uint64_t stops_after = ~0ULL;  ///< number of messages after which the valve takes none

 private:
  struct Piece {
    std::uint32_t seq;
    Bytes payload;
  };
  std::uint32_t oldest() const { return seq_ - static_cast<std::uint32_t>(flight_.size()); }
  Frame frame(Kind kind) const;
  void begin(std::uint32_t session);
  void confirmed(std::uint32_t ack, Time now);
  void collect();
  Bytes status() const;
  std::size_t room() const { return info_.room - buffer_.size(); }

  std::unique_ptr<Wafer> wafer_;
  DeviceInfo info_;
  Expander expander_;
  std::uint32_t session_ = 0;
  std::uint32_t expected_ = 0, seq_ = 0;
  std::deque<std::uint8_t> buffer_;
  std::vector<machine::Message> taken_, fresh_;
  std::uint64_t words_ = 0, cycles_ = 0, messages_ = 0;
  std::uint32_t damaged_ = 0, foreign_ = 0, order_ = 0, again_ = 0;
  Bytes up_;
  std::deque<Piece> flight_;
  std::size_t resend_ = 0;
  std::size_t reported_ = 0;  // the room last reported
  Time deadline_{}, tick_{};
  bool ack_ = false, tell_about_ = false, tell_status_ = false;
};

}  // namespace weft::board
