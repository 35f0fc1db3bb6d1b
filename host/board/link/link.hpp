/// Host end of the link: decides which frame to send next and interprets received frames.
///
/// Free of I/O: time and frames are passed in. `session.hpp` connects it to a line.
#pragma once

#include <optional>

#include "host/board/link/device_info.hpp"
#include "host/board/link/sender.hpp"

namespace weft::board {

class Link {
 public:
  static constexpr auto kHelloEvery = std::chrono::milliseconds(100);
  static constexpr auto kPollAfter = std::chrono::milliseconds(100);  ///< silence after which to poll

  static constexpr auto kAckAfter = std::chrono::milliseconds(5);         ///< delay of a single DATA's acknowledgement
  static constexpr auto kMostPollAfter = std::chrono::milliseconds(500);  ///< for a slow board, which answers later

  /// Begins session `session`, which must not be 0. `follows`: the running session, or 0. The stream restarts.
  void open(std::uint32_t session, std::uint32_t follows, Time now);
  bool is_open() const { return info_.has_value(); }
  /// ABOUT of the board, once the session is open.
  const std::optional<DeviceInfo>& info() const { return info_; }
  /// Protocol version of the board, if this program does not support it.
  const std::optional<int>& other_version() const { return other_version_; }
  std::uint32_t session() const { return session_; }

  void enqueue(std::span<const std::uint8_t> bytes) { sender_.enqueue(bytes); }
  /// Bytes of the stream from the board that have not been consumed.
  Bytes& received() { return received_; }
  const Sender& sender() const { return sender_; }

  /// Requests a STATUS, now and repeatedly until one arrives.
  void ask(Time now);
  bool waits_for_status() const { return poll_due_.has_value(); }
  /// Passes `payload`, which must not be empty, through the debug chain exactly once, even if the frame is sent
  /// repeatedly.
  void debug(Bytes payload, Time now);
  bool debugging() const { return debug_due_.has_value(); }
  /// Answer to the last `debug` after its completion; same size as the payload.
  const Bytes& answer() const { return answer_; }
  /// The last STATUS. `confirms_all` is true if the board had received the whole stream by then.
  const std::optional<Status>& status() const { return status_; }
  bool confirms_all() const { return status_ack_ == sender_.next_seq(); }

  /// The frame to send now, if any. `all`: also send data that does not fill a frame.
  std::optional<Frame> next(Time now, bool all);
  /// Acknowledges received data with the next frame, sent for that alone if necessary.
  void answer_now() {
    if (owed_ > 0) owed_ = 2;
  }
  /// Ends the session.
  Frame bye_frame() const { return frame(Kind::Bye); }
  void receive(std::span<const std::uint8_t> frame, Time now);
  /// Time to call `next` again if no frame arrives before.
  std::optional<Time> wake() const;
  Time last_heard() const { return last_heard_; }
  /// Marks the time from which the host listens: earlier silence does not count.
  void listen(Time now);

  std::uint64_t damaged() const { return damaged_; }  ///< received frames that were damaged
  std::uint64_t foreign_frames() const {
    return foreign_frames_;
  }  ///< frames of another session, or that no board sends

 private:
  Frame frame(Kind kind) const;
  void take(Frame& frame, Time now);
  void take_data(const Frame& frame, Time now);

  std::uint32_t session_ = 0, follows_ = 0;
  std::optional<DeviceInfo> info_;
  std::optional<int> other_version_;
  Sender sender_;
  Receiver receiver_;
  Bytes received_;
  int owed_ = 0;  // number of DATA not yet acknowledged
  Time ack_due_{};
  Time hello_due_{}, last_heard_{};
  std::optional<Time> poll_due_;
  Bytes debug_, answer_;
  std::uint32_t debug_seq_ = 0;
  std::optional<Time> debug_due_;
  std::optional<Status> status_;
  std::uint32_t status_ack_ = 0;
  std::uint64_t damaged_ = 0, foreign_frames_ = 0;
};

}  // namespace weft::board
