/// A line in simulated time to a FakeBoard, with seeded random damage.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "host/board/lines/cobs.hpp"
#include "host/board/link/line.hpp"
#include "tests/board/fake_board.hpp"

namespace weft::board {

/// Faults per thousand frames in each direction.
struct Damage {
  unsigned flips = 0, cuts = 0, doubles = 0, delays = 0, losses = 0;
  bool serial = false;  ///< stuffed bytes in order: damage may hit frame ends, and there is noise between frames
};

class SimulatedLine final : public Line {
 public:
  SimulatedLine(std::shared_ptr<FakeBoard> board, Damage damage = {}, std::uint64_t seed = 1)
      : board_(std::move(board)), damage_(damage), rng_(seed) {}

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

  /// Changes the board's frames, e.g. to invalid ones; an empty result loses the frame.
  std::function<Bytes(Bytes)> lie;
  Duration latency = std::chrono::microseconds(300);  ///< each way
  std::uint64_t gone_after = ~0ULL;                   ///< bytes sent by the host after which the line is gone
  Bytes sent;                                         ///< the host's last frame
  std::size_t late = 0;                               ///< each packet is delivered again, this many DATA later
  Duration stopped{};                                 ///< pause of the host when it next waits in vain

 private:
  using Queue = std::multimap<Time, Bytes>;
  struct Direction {
    Queue queue;
    Unstuffer unstuffer{kMostFrame};
    std::deque<std::pair<std::size_t, Bytes>> kept;  // packets to deliver late, each with the count of DATA before it
    std::size_t data = 0;
  };

  bool happens(unsigned per_mille) { return rng_() % 1000 < per_mille; }
  void carry(Bytes frame, Direction& to);
  void bring_late(const Bytes& frame, Direction& to);
  void arrive(Bytes bytes, Direction& at, const std::function<void(std::span<const std::uint8_t>)>& take);
  void board_speaks();

  std::shared_ptr<FakeBoard> board_;
  Damage damage_;
  std::mt19937_64 rng_;
  std::string name_ = "simulated";
  Time now_{std::chrono::hours(1)};
  Time last_{};  // bytes are delivered in order
  Direction to_board_, to_host_;
  std::vector<Bytes> here_;
};

}  // namespace weft::board
