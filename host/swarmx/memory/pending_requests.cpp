#include "host/swarmx/memory/pending_requests.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {

void PendingRequests::add(std::uint32_t request, std::size_t ranks) {
  requests_.push_back({.number = request, .ranks = ranks, .most = ranks * kAnswers});
}

void PendingRequests::receive(std::size_t rank, Frame frame) {
  const auto request = std::ranges::find(requests_, frame.pass, &Request::number);
  if (request == requests_.end()) return;
  const bool ended = std::ranges::find(request->ended, rank) != request->ended.end();
  if (ended || (frame.bytes().empty() ? all_ended(*request) : request->answers.size() == request->most)) {
    throw CorruptFrame("memory " + std::to_string(rank) + " sent more than was requested");
  }
  if (frame.bytes().empty()) {
    request->ended.push_back(rank);
  } else {
    request->answers.push_back({rank, std::move(frame)});
  }
}

bool PendingRequests::ready(std::uint32_t number) const {
  const auto request = std::ranges::find(requests_, number, &Request::number);
  invariant(request != requests_.end(), "a waiting thread has sent a request");
  return !request->answers.empty() || all_ended(*request);
}

std::optional<PendingRequests::Answer> PendingRequests::next(std::uint32_t number) {
  invariant(ready(number), "an answer is taken after waiting for it");
  const auto request = std::ranges::find(requests_, number, &Request::number);
  if (request->answers.empty()) {
    requests_.erase(request);
    return std::nullopt;
  }
  Answer answer = std::move(request->answers.front());
  request->answers.pop_front();
  return answer;
}

}  // namespace weft::swarmx
