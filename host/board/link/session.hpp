/// Connection to a board: a link on a line.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "host/board/link/line.hpp"
#include "host/board/link/link.hpp"

namespace weft::board {

/// The board has stopped answering, or violates the protocol. `what()` names the device and gives the counts.
struct BoardLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Session {
 public:
  static constexpr auto kSilence = std::chrono::seconds(5);  ///< time without a frame after which the board is lost
  static constexpr auto kStall = std::chrono::seconds(30);   ///< time without an acknowledgement despite frames
  static constexpr auto kLate =
      std::chrono::seconds(1);  ///< a longer delay of a wakeup means that the host was suspended, not the board
  static constexpr std::size_t kMostQueued = std::size_t{64} << 10;  ///< bytes of the stream

  explicit Session(std::unique_ptr<Line> line) : line_(std::move(line)) {}
  /// Sends BYE.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Opens a new session, which resets the wafer and ends the previous session. Throws BoardLost.
  const DeviceInfo& open();
  const Line& line() const { return *line_; }
  /// Sends BYE, ends the session and returns the line.
  std::unique_ptr<Line> release();
  Link& link() { return link_; }
  const Link& link() const { return link_; }
  Time now() const { return line_->now(); }

  /// As Wafer::count_progress(): counts each wait for the board, which has a deadline.
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }

  /// Call before the host waits.
  void listen() { link_.listen(listened_ = line_->now()); }
  /// Sends what is due, then waits for a frame, at most until `until`. Throws BoardLost, also after kSilence.
  void go_on(bool all, Time until);
  /// Call after the host has waited: acknowledges what has arrived, so that the board need not resend it.
  void answer();
  /// Requests the current STATUS. Throws BoardLost.
  const Status& ask();
  /// Sends a DEBUG with this payload and returns the debug chain's answer, of the same size. Throws BoardLost.
  const Bytes& debug(Bytes payload);
  /// Throws BoardLost with "the board at DEVICE TEXT (counts)".
  [[noreturn]] void lost(const std::string& text) const;

 private:
  std::uint32_t new_number() const;
  void say_bye() noexcept;
  void send_due(bool all);
  void check(Time now);

  std::unique_ptr<Line> line_;
  Link link_;
  Bytes frame_;
  Time listened_{};  // begin of the current wait
  std::atomic<std::uint64_t>* progress_ = nullptr;
};

}  // namespace weft::board
