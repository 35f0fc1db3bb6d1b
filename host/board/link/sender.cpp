#include "host/board/link/sender.hpp"

#include <algorithm>

namespace weft::board {

void Sender::begin(std::size_t room) {
  queue_.clear();
  flight_.clear();
  resend_ = bytes_ = 0;
  room_ = room;
  next_ = 0;
  vain_ = 0;
}

Duration Sender::wait() const {
  const Duration once = std::max<Duration>(kLeastWait, 2 * round_trip_);
  return std::max(once, std::min<Duration>(once * (1 << std::min(vain_, 8)), kMostWait));
}

std::optional<Time> Sender::wake() const {
  if (flight_.empty()) return {};
  return deadline_;
}

std::optional<Time> Sender::waiting_since() const {
  if (flight_.empty()) return {};
  return since_;
}

const Sender::Piece* Sender::next(Time now, bool all) {
  if (!flight_.empty() && now >= deadline_) {
    resend_ = 0;
    ++vain_;
    deadline_ = now + wait();
  }
  if (resend_ == flight_.size()) return fresh(now, all);
  ++retransmissions_;
  Piece& piece = flight_[resend_++];
  piece.again = true;
  return &piece;
}

const Sender::Piece* Sender::fresh(Time now, bool all) {
  if (flight_.size() == kMostInFlight || queue_.empty()) return nullptr;
  const std::size_t want = std::min(queue_.size(), kMostPayload);
  if (want < kMostPayload && !all) return nullptr;
  const std::size_t room = room_ > bytes_ ? room_ - bytes_ : 0;
  if (room == 0 || (room < want && !flight_.empty())) return nullptr;  // avoids small frames while room may grow
  const auto size = static_cast<std::ptrdiff_t>(std::min(want, room));
  Piece piece{.seq = next_++, .sent = now};
  piece.payload.assign(queue_.begin(), queue_.begin() + size);
  queue_.erase(queue_.begin(), queue_.begin() + size);
  if (flight_.empty()) {
    since_ = now;
    deadline_ = now + wait();
  }
  bytes_ += piece.payload.size();
  flight_.push_back(std::move(piece));
  resend_ = flight_.size();
  ++sent_;
  return &flight_.back();
}

void Sender::confirmed(std::uint32_t ack, std::size_t room, Time now) {
  const std::size_t count = ack - oldest_in_flight();
  if (count > flight_.size()) return;  // acknowledges data never sent, or is outdated
  if (count == 0) {
    room_ = std::max(room_, room);  // with the same bytes acknowledged, room only grows
    return;
  }
  // The round trip is measured from the first transmission: after a premature resend, only this shows how slow the
  // board is. After a loss the round trip includes the timeout, so the sample of a resent piece is limited.
  const Piece& last = flight_[count - 1];
  const Duration sample = last.again ? std::min<Duration>(now - last.sent, kMostSample) : now - last.sent;
  round_trip_ = round_trip_ == Duration{} ? sample : (7 * round_trip_ + sample) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    bytes_ -= flight_.front().payload.size();
    flight_.pop_front();
  }
  resend_ = resend_ > count ? resend_ - count : 0;
  if (resend_ > flight_.size()) resend_ = flight_.size();
  room_ = room;
  vain_ = 0;
  since_ = now;
  deadline_ = now + wait();
}

}  // namespace weft::board
