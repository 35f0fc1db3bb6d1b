/// A host as docs/reference/board_link.md describes it, for tests: it loads and listens, and never gives up.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "fpga/emulator/damage.hpp"
#include "fpga/emulator/emulated_board.hpp"
#include "sw/machine/message.hpp"
#include "tests/fpga/frames.hpp"

namespace weft::test {

class BoardHost {
 public:
  BoardHost(emulator::EmulatedBoard::Line line, emulator::Damage down, emulator::Damage up)
      : board(line),
        serial_(line == emulator::EmulatedBoard::Line::Serial),
        down_(std::move(down)),
        up_(std::move(up)) {}

  void hello(std::uint32_t session, std::uint32_t follows = 0) {
    session_ = session;
    base_ = ack_ = 0;
    kept_.clear();
    stream_.clear();
    about.reset();
    for (auto& row : words) row.clear();
    while (!about) {
      Frame f{.session = session, .kind = kHello};
      put(f.payload, follows, 4);
      send(f);
      run(20000, [&] { return about.has_value(); });
      ASSERT_LT(board.cycles(), 10000000u) << "no board";
    }
    room_ = static_cast<std::size_t>(get(about->payload, 22, 2));
  }

  /// Sends one DATA, of at most 512 bytes for which there is room.
  void post(std::span<const std::uint8_t> bytes) {
    Frame f{.session = session_,
            .kind = kData,
            .seq = base_ + static_cast<std::uint32_t>(kept_.size()),
            .payload = Bytes(bytes.begin(), bytes.end())};
    room_ -= bytes.size();
    send(f);
    kept_.push_back(std::move(f));
  }
  /// Sends all of it; returns when it is confirmed.
  void stream(std::span<const std::uint8_t> bytes) {
    std::size_t at = 0;
    while (at < bytes.size() || !kept_.empty()) {
      const std::size_t n = std::min<std::size_t>({512, bytes.size() - at, room_});
      if (n > 0 && (n == 512 || at + n == bytes.size()) && kept_.size() < 8) {
        post(bytes.subspan(at, n));
        at += n;
        continue;
      }
      const std::size_t before = kept_.size(), room = room_;
      run(200000, [&] { return kept_.size() != before || room_ != room; });
      if (kept_.size() != before || room_ != room) continue;
      for (const Frame& f : kept_) send(f);
      poll();
      ASSERT_LT(board.cycles(), 400000000u) << "it does not go on";
    }
  }
  void feed(std::span<const machine::Message> messages) {
    Bytes bytes;
    for (std::size_t i = 0; i < messages.size(); i += 65535) {
      const auto some = messages.subspan(i, std::min<std::size_t>(65535, messages.size() - i));
      bytes.push_back(1);
      put(bytes, some.size(), 2);
      for (const machine::Message& m : some) {
        bytes.push_back(m.ctrl);
        put(bytes, m.data, 4);
      }
    }
    stream(bytes);
  }
  /// Runs until each row has delivered so many words.
  void await(std::span<const std::uint64_t> totals) {
    const auto done = [&] {
      for (std::size_t row = 0; row < totals.size(); ++row)
        if (words[row].size() < totals[row]) return false;
      return true;
    };
    while (!done()) {
      run(2000000, done);
      poll();
      ASSERT_LT(board.cycles(), 400000000u) << "words do not come";
    }
  }
  Status ask() {
    status.reset();
    while (!status) {
      poll();
      run(50000, [&] { return status.has_value(); });
    }
    return *status;
  }
  void poll() { send({.session = session_, .kind = kPoll}); }
  void bye() { send({.session = session_, .kind = kBye}); }

  template <class Done>
  void run(int cycles, Done&& done) {
    for (int i = 0; i < cycles; ++i) {
      board.cycle();
      if (i % 64 == 63) {
        take();
        if (done()) return;
      }
    }
  }

  void send(Frame f) {
    f.ack = ack_;
    emulator::Piece piece{serial_ ? stuff(encode(f)) : encode(f), 1};
    for (emulator::Piece& left : down_.pass(std::move(piece))) board.send(std::move(left));
  }

  emulator::EmulatedBoard board;
  std::optional<Frame> about;
  std::optional<Status> status;
  std::vector<std::uint32_t> words[16];  // [row]
  int dropped = 0;                       // frames with a wrong checksum
  bool deaf = false;                     // receives nothing, and so answers nothing

 private:
  void take() {
    std::vector<emulator::Piece> pieces = board.take();
    if (deaf) pieces.clear();
    for (emulator::Piece& piece : pieces) {
      if (!serial_) {
        for (const emulator::Piece& left : up_.pass(std::move(piece))) came(left.bytes);
        continue;
      }
      for (const std::uint8_t byte : piece.bytes) {
        line_.push_back(byte);
        if (byte != 0) continue;
        for (const emulator::Piece& left : up_.pass({std::exchange(line_, {}), 0})) {
          for (const std::uint8_t b : left.bytes) {
            if (b != 0) {
              frame_.push_back(b);
            } else if (const auto whole = unstuff(std::exchange(frame_, {}))) {
              came(*whole);
            }
          }
        }
      }
    }
  }
  void came(const Bytes& bytes) {
    const auto f = decode(bytes, {.data = ack_, .ack = base_});
    if (!f) ++dropped;
    if (!f || f->session != session_) return;
    if (f->kind == kAbout) about = f;
    if (f->kind == kStatus) status = read_status(f->payload);
    const std::uint32_t newly = f->ack - base_;
    if (f->kind != kAbout && newly <= kept_.size()) {
      base_ = f->ack;
      kept_.erase(kept_.begin(), kept_.begin() + newly);
      std::size_t in_flight = 0;
      for (const Frame& k : kept_) in_flight += k.payload.size();
      room_ = f->room > in_flight ? f->room - in_flight : 0;
    }
    if (f->kind != kData) return;
    if (f->seq == ack_) {
      ++ack_;
      stream_.insert(stream_.end(), f->payload.begin(), f->payload.end());
      parse();
    }
    send({.session = session_, .kind = kAck});
  }
  void parse() {
    std::size_t at = 0;
    for (;;) {
      if (at >= stream_.size()) break;
      const std::size_t n = std::size_t{stream_[at] & 15u} + 1;
      if (at + 1 + 4 * n > stream_.size()) break;
      for (std::size_t i = 0; i < n; ++i)
        words[stream_[at] >> 4].push_back(static_cast<std::uint32_t>(get(stream_, at + 1 + 4 * i, 4)));
      at += 1 + 4 * n;
    }
    stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  bool serial_;
  emulator::Damage down_, up_;
  std::uint32_t session_ = 0;
  std::uint32_t base_ = 0, ack_ = 0;
  std::size_t room_ = 0;
  std::deque<Frame> kept_;  // not confirmed
  Bytes stream_, line_, frame_;
};

}  // namespace weft::test
