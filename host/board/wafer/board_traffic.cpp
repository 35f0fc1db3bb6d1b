#include "host/board/wafer/board_traffic.hpp"

namespace weft::board {

void BoardTraffic::at(const machine::StreamPlace& place) {
  if (traffic_ && place.phase != "load" &&
      (place.step != place_.step || place.micro_batch != place_.micro_batch || !begun_)) {
    ++traffic_->micro_batches;
    begun_ = true;
  }
  place_ = place;
}

void BoardTraffic::publish(const Session& session) {
  if (!traffic_) return;
  const Link& link = session.link();
  const Published now{session.line().bytes_down(), session.line().bytes_up(),
                      link.sender().sent() + link.sender().retransmissions(), link.sender().retransmissions(),
                      link.damaged() + session.line().broken_frames()};
  traffic_->down += now.down - published_.down;
  traffic_->up += now.up - published_.up;
  traffic_->frames += now.frames - published_.frames;
  traffic_->again += now.again - published_.again;
  traffic_->damaged += now.damaged - published_.damaged;
  published_ = now;
}

}  // namespace weft::board
