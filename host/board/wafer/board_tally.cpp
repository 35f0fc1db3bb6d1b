#include "host/board/wafer/board_tally.hpp"

namespace weft::board {

void BoardTally::at(const machine::StreamPlace& place) {
  if (tally_ && place.phase != "load" &&
      (place.step != place_.step || place.micro_batch != place_.micro_batch || !begun_)) {
    ++tally_->micro_batches;
    begun_ = true;
  }
  place_ = place;
}

void BoardTally::publish(const Session& session) {
  if (!tally_) return;
  const Link& link = session.link();
  const Published now{session.line().bytes_down(), session.line().bytes_up(),
                      link.sender().sent() + link.sender().retransmissions(), link.sender().retransmissions(),
                      link.damaged() + session.line().broken_frames()};
  tally_->down += now.down - published_.down;
  tally_->up += now.up - published_.up;
  tally_->frames += now.frames - published_.frames;
  tally_->again += now.again - published_.again;
  tally_->damaged += now.damaged - published_.damaged;
  published_ = now;
}

}  // namespace weft::board
