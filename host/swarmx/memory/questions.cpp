#include "host/swarmx/memory/questions.hpp"

namespace weft {

void Questions::ask(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first) {
  for (Question& question : questions_) question.forgotten = question.forgotten || question.number < first;
  last_ = number;
  questions_.push_back({number, op, count});
}

bool Questions::more(std::uint32_t number, std::uint32_t count) {
  for (Question& question : questions_)
    if (question.number == number) question.count += count;
  return number <= last_;
}

void Questions::forget() {
  for (Question& question : questions_) question.forgotten = true;
}

Questions::May Questions::spend() {
  Question& question = questions_.front();
  if (question.forgotten) return May::Stop;
  if (question.count == 0) return May::Wait;
  --question.count;
  return May::Send;
}

}  // namespace weft
