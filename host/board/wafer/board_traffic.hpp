/// Contribution of one board to the LinkTraffic of its run, if there is one.
#pragma once

#include <memory>

#include "host/board/link/session.hpp"
#include "host/board/wafer/link_traffic.hpp"
#include "verif/wafer.hpp"

namespace weft::board {

class BoardTraffic {
 public:
  explicit BoardTraffic(std::shared_ptr<LinkTraffic> traffic) : traffic_(std::move(traffic)) {}

  void messages(std::size_t count) {
    if (traffic_) traffic_->messages += count;
  }
  void stream_down(std::size_t bytes) {
    if (traffic_) traffic_->stream_down += bytes;
  }
  void stream_up(std::size_t bytes) {
    if (traffic_) traffic_->stream_up += bytes;
  }
  /// Records that the host has reached `place`. Counts micro-batches; the loading of a program is none.
  void at(const machine::StreamPlace& place);
  /// Adds the line's and the link's counts since the last call.
  void publish(const Session& session);

 private:
  struct Published {
    std::uint64_t down = 0, up = 0, frames = 0, again = 0, damaged = 0;
  };

  std::shared_ptr<LinkTraffic> traffic_;
  machine::StreamPlace place_;
  bool begun_ = false;  // a micro-batch is in progress
  Published published_;
};

}  // namespace weft::board
