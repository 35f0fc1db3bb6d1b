/// The host's end of the link: which frame to send, and what a frame that came means.
///
/// Pure: time is told, frames are given and asked for. `session.hpp` puts it on a line.
#pragma once

#include <optional>

#include "host/board/about.hpp"
#include "host/board/sender.hpp"

namespace weft::board {

class Link {
 public:
  static constexpr auto kHelloEvery = std::chrono::milliseconds(100);
  static constexpr auto kPollAfter = std::chrono::milliseconds(100);  ///< when nothing was heard for so long

  static constexpr auto kAckAfter = std::chrono::milliseconds(5);         ///< a DATA that no other follows
  static constexpr auto kMostPollAfter = std::chrono::milliseconds(500);  ///< of a slow board, which answers later

  /// Begins session `session`, which is not 0; `follows`: the one that runs, or 0. The stream starts anew.
  void open(std::uint32_t session, std::uint32_t follows, Time now);
  bool is_open() const { return about_.has_value(); }
  /// Of the board, once the session is open.
  const std::optional<About>& about() const { return about_; }
  /// Version of the link that the board speaks, if this program does not speak that version.
  const std::optional<int>& other_version() const { return other_version_; }
  std::uint32_t session() const { return session_; }

  void put(std::span<const std::uint8_t> bytes) { sender_.put(bytes); }
  /// What came up, and was not taken.
  Bytes& received() { return received_; }
  const Sender& sender() const { return sender_; }

  /// Asks for a STATUS: now, and again until it has come.
  void ask(Time now);
  bool asked() const { return poll_due_.has_value(); }
  /// Takes `payload`, which is not empty, through the debug chain, once, however often it has to be sent.
  void debug(Bytes payload, Time now);
  bool debugging() const { return debug_due_.has_value(); }
  /// Of the last `debug`, when it is done: as many bytes.
  const Bytes& answer() const { return answer_; }
  /// The last STATUS; `confirms_all` says whether the board had the whole stream by then.
  const std::optional<Status>& status() const { return status_; }
  bool confirms_all() const { return status_ack_ == sender_.next_seq(); }

  /// The frame to send now, if there is one. `all`: also what fills none.
  std::optional<Frame> next(Time now, bool all);
  /// What came is answered with the next frame, be it for nothing else.
  void answer_now() {
    if (owed_ > 0) owed_ = 2;
  }
  /// Ends the session.
  Frame bye() const { return frame(Kind::Bye); }
  void heard(std::span<const std::uint8_t> frame, Time now);
  /// When to ask `next` again, if nothing is heard before.
  std::optional<Time> wake() const;
  Time last_heard() const { return last_heard_; }
  /// The host begins to wait: what was not said while nobody listened is no silence.
  void listen(Time now);

  std::uint64_t damaged() const { return damaged_; }  ///< frames that came so
  std::uint64_t strange() const { return strange_; }  ///< of another session, or that no board sends

 private:
  Frame frame(Kind kind) const;
  void take(Frame& frame, Time now);
  void take_data(const Frame& frame, Time now);

  std::uint32_t session_ = 0, follows_ = 0;
  std::optional<About> about_;
  std::optional<int> other_version_;
  Sender sender_;
  Receiver receiver_;
  Bytes received_;
  int owed_ = 0;  // DATA that were not answered
  Time ack_due_{};
  Time hello_due_{}, last_heard_{};
  std::optional<Time> poll_due_;
  Bytes debug_, answer_;
  std::uint32_t debug_seq_ = 0;
  std::optional<Time> debug_due_;
  std::optional<Status> status_;
  std::uint32_t status_ack_ = 0;
  std::uint64_t damaged_ = 0, strange_ = 0;
};

}  // namespace weft::board
