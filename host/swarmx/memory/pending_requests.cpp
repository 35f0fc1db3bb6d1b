#include "host/swarmx/memory/pending_requests.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "sw/base/invariant.hpp"

namespace weft {

void Asked::begin(std::uint32_t question, std::size_t ranks) {
  questions_.push_back({.number = question, .ranks = ranks, .most = ranks * kPieces});
}

void Asked::take(std::size_t rank, Frame frame) {
  const auto question = std::ranges::find(questions_, frame.round, &Question::number);
  if (question == questions_.end()) return;
  const bool ended = std::ranges::find(question->ended, rank) != question->ended.end();
  if (ended || (frame.bytes().empty() ? over(*question) : question->pieces.size() == question->most)) {
    throw CorruptFrame("memory " + std::to_string(rank) + " sends more than it was asked for");
  }
  if (frame.bytes().empty()) {
    question->ended.push_back(rank);
  } else {
    question->pieces.push_back({rank, std::move(frame)});
  }
}

bool Asked::ready(std::uint32_t number) const {
  const auto question = std::ranges::find(questions_, number, &Question::number);
  invariant(question != questions_.end(), "who waits for an answer has asked");
  return !question->pieces.empty() || over(*question);
}

std::optional<Asked::Piece> Asked::next(std::uint32_t number) {
  invariant(ready(number), "who takes an answer has waited for it");
  const auto question = std::ranges::find(questions_, number, &Question::number);
  if (question->pieces.empty()) {
    questions_.erase(question);
    return std::nullopt;
  }
  Piece piece = std::move(question->pieces.front());
  question->pieces.pop_front();
  return piece;
}

}  // namespace weft
