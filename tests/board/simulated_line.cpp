#include "tests/board/simulated_line.hpp"

#include <algorithm>
#include <utility>

namespace weft::board {

void SimulatedLine::bring_late(const Bytes& frame, Direction& to) {
  if (frame[4] == static_cast<std::uint8_t>(Kind::Data)) {
    for (; !to.kept.empty() && to.kept.front().first + late == to.data; to.kept.pop_front())
      to.queue.emplace(now_ + latency, std::move(to.kept.front().second));
    ++to.data;
  }
  to.kept.emplace_back(to.data - (frame[4] == static_cast<std::uint8_t>(Kind::Data) ? 1 : 0), frame);
}

void SimulatedLine::carry(Bytes frame, Direction& to) {
  if (late > 0) bring_late(frame, to);
  Bytes bytes = std::move(frame);
  if (damage_.serial) {
    Bytes stuffed;
    stuff(bytes, stuffed);
    bytes = std::move(stuffed);
  }
  if (happens(damage_.losses) || bytes.empty()) return;
  if (happens(damage_.flips)) bytes[rng_() % bytes.size()] ^= static_cast<std::uint8_t>(1 + rng_() % 255);
  if (happens(damage_.cuts)) bytes.resize(rng_() % bytes.size());
  if (damage_.serial && happens(damage_.cuts))
    for (int i = 0; i < 5; ++i) bytes.push_back(static_cast<std::uint8_t>(rng_()));
  Time at = now_ + latency;
  if (damage_.serial) {
    at = last_ = std::max(at, last_);
  } else if (happens(damage_.delays)) {
    at += std::chrono::milliseconds(rng_() % 60);
  }
  if (!damage_.serial && happens(damage_.doubles))
    to.queue.emplace(at + std::chrono::microseconds(rng_() % 40000), bytes);
  to.queue.emplace(at, std::move(bytes));
}

void SimulatedLine::arrive(Bytes bytes, Direction& at, const std::function<void(std::span<const std::uint8_t>)>& take) {
  if (!damage_.serial) return take(bytes);
  for (const std::uint8_t byte : bytes)
    if (at.unstuffer.push(byte)) take(at.unstuffer.frame());
}

void SimulatedLine::board_speaks() {
  while (auto frame = board_->next(now_)) {
    if (lie) frame = lie(std::move(*frame));
    if (!frame->empty()) carry(std::move(*frame), to_host_);
  }
}

bool SimulatedLine::receive(Bytes& frame, Time until) {
  for (;;) {
    if (!here_.empty()) {
      frame = std::move(here_.front());
      here_.erase(here_.begin());
      return true;
    }
    Time next = std::max(board_->wake(), now_);
    if (!to_board_.queue.empty()) next = std::min(next, to_board_.queue.begin()->first);
    if (!to_host_.queue.empty()) next = std::min(next, to_host_.queue.begin()->first);
    if (board_->wake() <= now_) next = now_;
    if (next > until ||
        (next == now_ && now_ >= until && board_->wake() > now_ && to_board_.queue.empty() && to_host_.queue.empty())) {
      now_ = std::max(now_, until) + std::exchange(stopped, {});
      return false;
    }
    now_ = std::max(now_, next);
    if (const auto first = to_board_.queue.begin(); first != to_board_.queue.end() && first->first <= now_) {
      arrive(std::move(first->second), to_board_, [&](auto bytes) { board_->receive(bytes, now_); });
      to_board_.queue.erase(first);
    }
    board_->go_on(now_);
    board_speaks();
    if (const auto first = to_host_.queue.begin(); first != to_host_.queue.end() && first->first <= now_) {
      arrive(std::move(first->second), to_host_, [&](auto bytes) {
        here_.emplace_back(bytes.begin(), bytes.end());
        up_ += bytes.size();
      });
      to_host_.queue.erase(first);
    }
  }
}

}  // namespace weft::board
