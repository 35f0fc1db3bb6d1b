#include "host/swarmx/memory/request_queue.hpp"

namespace weft {
namespace {

/// Numbers wrap around: a run of weeks makes more than 2^32 requests, of which a few are open at a time.
bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

}  // namespace

void Questions::ask(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first) {
  for (Question& question : questions_) question.forgotten = question.forgotten || is_before(question.number, first);
  last_ = number;
  questions_.push_back({number, op, count});
}

bool Questions::more(std::uint32_t number, std::uint32_t count) {
  for (Question& question : questions_)
    if (question.number == number) question.count += count;
  return !is_before(last_, number);
}

void Questions::forget() {
  for (Question& question : questions_) question.forgotten = true;
}

Questions::May Questions::may() const {
  const Question& question = questions_.front();
  if (question.forgotten) return May::Stop;
  return question.count == 0 ? May::Wait : May::Send;
}

Questions::May Questions::spend() {
  const May is = may();
  if (is == May::Send) --questions_.front().count;
  return is;
}

}  // namespace weft
