#include "host/swarmx/memory/request_queue.hpp"

namespace weft::swarmx {
namespace {

/// Numbers wrap around: a run of weeks makes more than 2^32 requests, of which a few are open at a time.
bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

}  // namespace

void RequestQueue::add(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first) {
  for (Request& request : requests_) request.forgotten = request.forgotten || is_before(request.number, first);
  last_ = number;
  requests_.push_back({number, op, count});
}

bool RequestQueue::request_more(std::uint32_t number, std::uint32_t count) {
  for (Request& request : requests_)
    if (request.number == number) request.count += count;
  return !is_before(last_, number);
}

void RequestQueue::forget() {
  for (Request& request : requests_) request.forgotten = true;
}

RequestQueue::Permission RequestQueue::permission() const {
  const Request& request = requests_.front();
  if (request.forgotten) return Permission::Stop;
  return request.count == 0 ? Permission::Wait : Permission::Send;
}

RequestQueue::Permission RequestQueue::take_permission() {
  const Permission is = permission();
  if (is == Permission::Send) --requests_.front().count;
  return is;
}

}  // namespace weft::swarmx
