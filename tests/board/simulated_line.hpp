/// A line in simulated time to a FakeBoard, which damages what it carries as a seed says.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "host/board/cobs.hpp"
#include "host/board/line.hpp"
#include "tests/board/fake_board.hpp"

namespace weft::board {

/// Of a thousand frames, each way.
struct Damage {
  unsigned flips = 0, cuts = 0, doubles = 0, delays = 0, losses = 0;
  bool serial = false;  ///< stuffed, bytes in order: a frame's end may be hit, too, and there is noise between frames
};

class SimulatedLine final : public Line {
 public:
  SimulatedLine(std::shared_ptr<FakeBoard> board, Damage damage = {}, std::uint64_t seed = 1)
      : board_(std::move(board)), damage_(damage), dice_(seed) {}

  const std::string& name() const override { return name_; }
  Time now() const override { return now_; }
  bool ready() const override { return true; }
  void send(std::span<const std::uint8_t> frame) override {
    down_ += frame.size();
    if (down_ >= gone_after) throw LineGone("pulled out");
    sent.assign(frame.begin(), frame.end());
    carry(sent, to_board_);
  }
  bool receive(Bytes& frame, Time until) override;

  /// Changes what the board says, e.g. to something that no board says; empty: it is lost.
  std::function<Bytes(Bytes)> lie;
  Duration latency = std::chrono::microseconds(300);  ///< each way
  std::uint64_t gone_after = ~0ULL;                   ///< bytes down
  Bytes sent;                                         ///< the host's last frame
  std::size_t late = 0;  ///< of each packet a copy comes once more, before the DATA that is so many later
  Duration stopped{};    ///< so long the host stands still when next it waits in vain

 private:
  using Queue = std::multimap<Time, Bytes>;
  struct Direction {
    Queue queue;
    Unstuffer unstuffer{kMostFrame};
    std::deque<std::pair<std::size_t, Bytes>> kept;  // what will come late, each with the DATA before it
    std::size_t data = 0;
  };

  bool happens(unsigned per_mille) { return dice_() % 1000 < per_mille; }
  void carry(Bytes frame, Direction& to);
  void bring_late(const Bytes& frame, Direction& to);
  void arrive(Bytes bytes, Direction& at, const std::function<void(std::span<const std::uint8_t>)>& take);
  void board_speaks();

  std::shared_ptr<FakeBoard> board_;
  Damage damage_;
  std::mt19937_64 dice_;
  std::string name_ = "simulated";
  Time now_{std::chrono::hours(1)};
  Time last_{};  // a line of bytes keeps their order
  Direction to_board_, to_host_;
  std::vector<Bytes> here_;
};

}  // namespace weft::board
