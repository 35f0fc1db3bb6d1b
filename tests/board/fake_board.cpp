#include "tests/board/fake_board.hpp"

#include <algorithm>

namespace weft::board {

Bytes info_bytes(const DeviceInfo& a, std::uint8_t version) {
  Bytes b = {'W', 'E', 'F', 'T', version};
  for (const int number : {a.rows, a.cols, a.lanes, a.colors, a.depth, a.sram_kib, a.tally, 1, 0, int{a.all_turns}, 0})
    b.push_back(static_cast<std::uint8_t>(number));
  append(b, a.khz);
  append(b, static_cast<std::uint16_t>(a.entries));
  append(b, static_cast<std::uint16_t>(a.room));
  append(b, a.build);
  for (std::size_t i = 0; i < 16; ++i) b.push_back(i < a.name.size() ? static_cast<std::uint8_t>(a.name[i]) : 0);
  return b;
}

DeviceInfo info_of(const machine::WaferShape& s) {
  return {.rows = s.rows,
          .cols = s.cols,
          .lanes = s.lanes,
          .colors = s.colors,
          .depth = 4,
          .sram_kib = s.sram_kib,
          .tally = 0,
          .khz = 40000,
          .entries = 2048,
          .room = 4096,
          .build = 0x0123456789abcdef,
          .name = "fake"};
}

Frame FakeBoard::frame(Kind kind) const {
  return {.session = session_, .kind = kind, .ack = expected_, .room = static_cast<std::uint16_t>(room())};
}

void FakeBoard::begin(std::uint32_t session) {
  session_ = session;
  wafer_->reset();
  expander_.begin();
  expected_ = seq_ = 0;
  buffer_.clear();
  taken_.clear();
  up_.clear();
  flight_.clear();
  resend_ = 0;
  words_ = messages_ = cycles_ = 0;
  reported_ = info_.room;
  ack_ = tell_status_ = false;
}

void FakeBoard::receive(std::span<const std::uint8_t> bytes, Time now) {
  if (dead) return;
  const std::optional<Frame> got = decode(bytes, {.data = expected_, .ack = oldest()});
  if (!got) {
    ++damaged_;
    return;
  }
  if (got->kind == Kind::Hello) {
    const std::uint32_t follows = ByteReader(got->payload).take<std::uint32_t>();
    if (session_ != 0 && got->session != session_ && follows != session_) {
      ++foreign_;
      return;
    }
    if (got->session != session_) begin(got->session);
    tell_about_ = true;
    tick_ = now + std::chrono::milliseconds(1);
    return;
  }
  const bool known =
      got->kind == Kind::Data || got->kind == Kind::Ack || got->kind == Kind::Poll || got->kind == Kind::Bye;
  if (session_ == 0 || got->session != session_ || !known) {
    ++foreign_;
    return;
  }
  if (got->kind == Kind::Bye) {
    session_ = 0;
    return;
  }
  confirmed(got->ack, now);
  if (got->kind == Kind::Poll) tell_status_ = true;
  if (got->kind != Kind::Data) return;
  ack_ = true;
  if (got->seq != expected_ || got->payload.size() > room()) {
    ++order_;
    return;
  }
  ++expected_;
  buffer_.insert(buffer_.end(), got->payload.begin(), got->payload.end());
}

void FakeBoard::confirmed(std::uint32_t ack, Time now) {
  const std::size_t count = ack - oldest();
  if (count == 0 || count > flight_.size()) return;
  flight_.erase(flight_.begin(), flight_.begin() + static_cast<std::ptrdiff_t>(count));
  resend_ = std::min(resend_ > count ? resend_ - count : 0, flight_.size());
  deadline_ = now + kResend;
}

void FakeBoard::go_on(Time now) {
  if (now < tick_) return;
  tick_ = now + std::chrono::milliseconds(1);
  cycles_ += 40000;
  if (session_ == 0 || messages_ >= stops_after) return;
  fresh_.clear();
  for (std::size_t n = 0; n < kPace && !buffer_.empty(); ++n) {
    expander_.expand(std::span(&buffer_.front(), 1), fresh_);
    buffer_.pop_front();
  }
  if (messages_ + fresh_.size() > stops_after) fresh_.resize(stops_after - messages_);
  messages_ += fresh_.size();
  taken_.insert(taken_.end(), fresh_.begin(), fresh_.end());
  wafer_->feed(fresh_);
  collect();
  dead = dead || messages_ >= dies_after;
  if (room() > reported_ + info_.room / 4) ack_ = true;
}

/// Collects the outlets' words as records of at most 16 words.
void FakeBoard::collect() {
  (void)wafer_->counters();  // synchronizes with the wafer's threads, if it has any
  for (int r = 0; r < wafer_->shape().rows; ++r) {
    auto& words = wafer_->outlet(r);
    for (std::size_t at = 0; at < words.size(); at += 16) {
      const std::size_t n = std::min<std::size_t>(16, words.size() - at);
      up_.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(r) << 4 | (n - 1)));
      for (std::size_t i = 0; i < n; ++i) append(up_, words[at + i]);
    }
    words_ += words.size();
    words.clear();
  }
}

Bytes FakeBoard::status() const {
  Bytes b;
  append(b, cycles_);
  append(b, messages_);
  append(b, words_);
  for (const std::uint32_t count : {damaged_, foreign_, order_, again_}) append(b, count);
  const bool waits = !buffer_.empty() && messages_ >= stops_after;
  append(b, static_cast<std::uint8_t>((awake ? 1 : 0) | (waits ? 2 : 0) | (expander_.busy() ? 4 : 0) |
                                      (expander_.fault() ? 8 : 0) | (up_.empty() ? 0 : 16)));
  append(b, static_cast<std::uint8_t>(info_.rows));
  b.insert(b.end(), static_cast<std::size_t>(info_.rows * (info_.cols + 1)), flag);
  return b;
}

std::optional<Bytes> FakeBoard::next(Time now) {
  if (dead || session_ == 0) return {};
  const auto send = [&](Frame f) {
    reported_ = room();
    return encode(f);
  };
  if (tell_about_) {
    tell_about_ = false;
    Frame info = frame(Kind::About);
    info.payload = info_bytes(info_);
    return send(std::move(info));
  }
  if (tell_status_) {
    tell_status_ = false;
    Frame status_frame = frame(Kind::Status);
    status_frame.payload = status();
    return send(std::move(status_frame));
  }
  if (!flight_.empty() && now >= deadline_) {
    resend_ = 0;
    deadline_ = now + kResend;
  }
  if (resend_ == flight_.size() && flight_.size() < kMostInFlight && !up_.empty()) {
    const auto size = static_cast<std::ptrdiff_t>(std::min(up_.size(), kMostPayload));
    flight_.push_back({seq_++, Bytes(up_.begin(), up_.begin() + size)});
    up_.erase(up_.begin(), up_.begin() + size);
    if (flight_.size() == 1) deadline_ = now + kResend;
  } else if (resend_ < flight_.size()) {
    ++again_;
  }
  if (resend_ < flight_.size()) {
    Frame data = frame(Kind::Data);
    data.seq = flight_[resend_].seq;
    data.payload = flight_[resend_++].payload;
    ack_ = false;
    return send(std::move(data));
  }
  if (!ack_) return {};
  ack_ = false;
  return send(frame(Kind::Ack));
}

}  // namespace weft::board
