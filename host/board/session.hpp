/// A link on a line: a board that is talked to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "host/board/line.hpp"
#include "host/board/link.hpp"

namespace weft::board {

/// The board does not answer any more, or not as boards do. `what()` names the device and what is known.
struct BoardLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Session {
 public:
  static constexpr auto kSilence = std::chrono::seconds(5);  ///< then it is lost
  static constexpr auto kStall = std::chrono::seconds(30);   ///< without a confirmation, though it speaks
  static constexpr auto kLate =
      std::chrono::seconds(1);  ///< later than it wanted to: this host was stopped, not the board
  static constexpr std::size_t kMostQueued = std::size_t{64} << 10;  ///< bytes of the stream

  explicit Session(std::unique_ptr<Line> line) : line_(std::move(line)) {}
  /// Says BYE.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// A new session, which resets the wafer; the old one is over. Throws BoardLost.
  const About& open();
  const Line& line() const { return *line_; }
  /// Says BYE and gives the line back; this session is over.
  std::unique_ptr<Line> release();
  Link& link() { return link_; }
  const Link& link() const { return link_; }
  Time now() const { return line_->now(); }

  /// As Wafer::count_progress(): each wait for the board, which has a deadline.
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }

  /// Before the host waits.
  void listen() { link_.listen(listened_ = line_->now()); }
  /// Sends what can be sent, then waits for a frame until `until` at most. Throws BoardLost, after kSilence also.
  void go_on(bool all, Time until);
  /// After the host has waited: the board need not send again what has come.
  void answer();
  /// The board as it is now. Throws BoardLost.
  const Status& ask();
  /// What comes out of the debug chain for a DEBUG's payload: as many bytes. Throws BoardLost.
  const Bytes& debug(Bytes payload);
  /// Why it is lost: "the board at DEVICE TEXT (counts)".
  [[noreturn]] void lost(const std::string& text) const;

 private:
  std::uint32_t new_number() const;
  void say_bye() noexcept;
  void send_due(bool all);
  void check(Time now);

  std::unique_ptr<Line> line_;
  Link link_;
  Bytes frame_;
  Time listened_{};  // since then the host waits
  std::atomic<std::uint64_t>* progress_ = nullptr;
};

}  // namespace weft::board
