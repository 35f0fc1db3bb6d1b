#include "host/board/link/link.hpp"

#include <algorithm>

namespace weft::board {

void Link::open(std::uint32_t session, std::uint32_t follows, Time now) {
  session_ = session;
  follows_ = follows;
  info_.reset();
  other_version_.reset();
  sender_.begin(0);
  receiver_.begin();
  received_.clear();
  owed_ = 0;
  poll_due_.reset();
  debug_due_.reset();
  debug_seq_ = 0;
  status_.reset();
  hello_due_ = last_heard_ = now;
}

void Link::listen(Time now) { last_heard_ = now; }

void Link::ask(Time now) {
  if (!poll_due_) poll_due_ = now;
}

void Link::debug(Bytes payload, Time now) {
  debug_ = std::move(payload);
  debug_due_ = now;
}

Frame Link::frame(Kind kind) const { return {.session = session_, .kind = kind, .ack = receiver_.expected()}; }

std::optional<Frame> Link::next(Time now, bool all) {
  if (!is_open()) {
    if (now < hello_due_) return {};
    hello_due_ = now + kHelloEvery;
    Frame hello = frame(Kind::Hello);
    append(hello.payload, follows_);
    return hello;
  }
  if (poll_due_ && now >= *poll_due_) {
    poll_due_ = now + std::clamp<Duration>(2 * sender_.round_trip(), kPollAfter, kMostPollAfter);
    return frame(Kind::Poll);
  }
  if (debug_due_ && now >= *debug_due_) {
    debug_due_ = now + std::clamp<Duration>(2 * sender_.round_trip(), kPollAfter, kMostPollAfter);
    Frame debug = frame(Kind::Debug);
    debug.seq = debug_seq_;
    debug.payload = debug_;
    return debug;
  }
  if (const Sender::Piece* piece = sender_.next(now, all)) {
    owed_ = 0;
    Frame data = frame(Kind::Data);
    data.seq = piece->seq;
    data.payload = piece->payload;
    return data;
  }
  if (owed_ == 0 || (owed_ == 1 && now < ack_due_)) return {};
  owed_ = 0;
  return frame(Kind::Ack);
}

void Link::receive(std::span<const std::uint8_t> bytes, Time now) {
  std::optional<Frame> frame =
      decode(bytes, {.data = receiver_.expected(), .ack = sender_.oldest_in_flight(), .debug = debug_seq_});
  if (!frame) {
    ++damaged_;
    return;
  }
  const Kind kind = frame->kind;
  const bool from_board =
      kind == Kind::Data || kind == Kind::Ack || kind == Kind::About || kind == Kind::Status || kind == Kind::Answer;
  if (frame->session != session_ || !from_board) {
    ++foreign_frames_;
    return;
  }
  take(*frame, now);
}

void Link::take(Frame& frame, Time now) {
  if (frame.kind == Kind::About) {
    const std::optional<DeviceInfo> info = decode_device_info(frame.payload);
    if (!info) {
      ++foreign_frames_;
      if (const auto version = device_info_version(frame.payload); version != kLinkVersion) other_version_ = version;
      return;
    }
    last_heard_ = now;
    other_version_.reset();
    if (is_open()) return;  // the answer to a repeated HELLO
    info_ = info;
    sender_.begin(info->room);
    return;
  }
  if (!is_open()) return;
  if (frame.kind == Kind::Status) {
    const auto status = decode_status(frame.payload, info_->rows, info_->cols);
    if (!status) {
      ++foreign_frames_;
      return;
    }
    if (!status_ || status->cycles > status_->cycles) {  // older ones and duplicates may arrive later
      status_ = status;
      status_ack_ = frame.ack;
      poll_due_.reset();
    }
  }
  if (frame.kind == Kind::Answer && debug_due_ && frame.seq == debug_seq_ && frame.payload.size() == debug_.size()) {
    answer_ = frame.payload;
    ++debug_seq_;
    debug_due_.reset();
  }
  last_heard_ = now;
  sender_.confirmed(frame.ack, frame.room, now);
  if (frame.kind == Kind::Data) take_data(frame, now);
}

/// Schedules acknowledgements: immediately for a DATA that is rejected and for every second one.
void Link::take_data(const Frame& frame, Time now) {
  if (owed_ == 0) ack_due_ = now + kAckAfter;
  if (receiver_.take(frame.seq)) {
    received_.insert(received_.end(), frame.payload.begin(), frame.payload.end());
    ++owed_;
  } else {
    owed_ = 2;
  }
}

std::optional<Time> Link::wake() const {
  if (!is_open()) return hello_due_;
  std::optional<Time> wake = sender_.wake();
  if (poll_due_) wake = wake ? std::min(*wake, *poll_due_) : *poll_due_;
  if (debug_due_) wake = wake ? std::min(*wake, *debug_due_) : *debug_due_;
  if (owed_ > 0) wake = wake ? std::min(*wake, ack_due_) : ack_due_;
  return wake;
}

}  // namespace weft::board
