#include "host/swarmx/memory/asked.hpp"

#include <algorithm>
#include <utility>

#include "host/memoryx/invariant.hpp"
#include "host/swarmx/error.hpp"

namespace weft {

void Asked::begin(std::uint32_t question, std::size_t ranks) {
  const std::lock_guard lock(waiting_.mutex);
  questions_.push_back({.number = question, .ranks = ranks, .most = ranks * kPieces});
}

void Asked::forget() {
  const std::lock_guard lock(waiting_.mutex);
  questions_.clear();
}

bool Asked::has(std::uint32_t question) const {
  const std::lock_guard lock(waiting_.mutex);
  return std::ranges::find(questions_, question, &Question::number) != questions_.end();
}

Asked::Question* Asked::find(std::uint32_t question) {
  const auto at = std::ranges::find(questions_, question, &Question::number);
  return at == questions_.end() ? nullptr : &*at;
}

void Asked::take(std::size_t rank, Frame frame) {
  const std::lock_guard lock(waiting_.mutex);
  Question* const question = find(frame.round);
  if (question == nullptr) return;
  if (frame.bytes().empty() ? question->ranks == 0 : question->pieces.size() == question->most) {
    throw CorruptFrame("memory " + std::to_string(rank) + " sends more than it was asked for");
  }
  if (frame.bytes().empty()) {
    --question->ranks;
  } else {
    question->pieces.push_back({rank, std::move(frame)});
  }
  waiting_.notify();
}

std::optional<Asked::Piece> Asked::next(std::uint32_t number) {
  std::unique_lock lock(waiting_.mutex);
  invariant(find(number) != nullptr, "who waits for an answer has asked");
  waiting_.until(lock, [&] {
    const Question& question = *find(number);
    return !question.pieces.empty() || question.ranks == 0;
  });
  Question& question = *find(number);
  if (question.pieces.empty()) {
    std::erase_if(questions_, [&](const Question& other) { return other.number == number; });
    return std::nullopt;
  }
  Piece piece = std::move(question.pieces.front());
  question.pieces.pop_front();
  return piece;
}

}  // namespace weft
