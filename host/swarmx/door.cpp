#include "host/swarmx/door.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/error.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr auto kAgain = 50ms;  // after an accept that failed, which may pass

}  // namespace

Door::Door(asio::any_io_executor executor, FirstFailure& run, Welcome welcome)
    : executor_(std::move(executor)),
      run_(run),
      welcome_(std::move(welcome)),
      acceptor_(executor_, {asio::ip::address_v4::loopback(), 0}),
      port_(acceptor_.local_endpoint().port()) {}

asio::awaitable<void> Door::open(std::chrono::milliseconds silence) {
  const auto self = shared_from_this();
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kResult);
    if (!acceptor_.is_open()) break;
    trouble_ = error;
    if (error) {
      asio::steady_timer pause(executor_, kAgain);
      co_await pause.async_wait(asio::use_awaitable);
      continue;
    }
    if (guests_.size() >= kMostGuests) guests_.front()->close();  // it has been silent for longest
    guests_.push_back(std::make_shared<Link>(Socket(std::move(socket)), "a stranger", silence));
    asio::co_spawn(executor_, greet(self, std::prev(guests_.end())), run_.ending());
  }
}

asio::awaitable<void> Door::greet(std::shared_ptr<Door> self, std::list<Guest>::iterator guest) {
  try {
    const std::string name = co_await (*guest)->read_name();
    (*guest)->rename(name);
    self->welcome_(name, std::move(**guest));
  } catch (const SwarmError& stranger) {
    ++self->strangers_;
    self->last_stranger_ = stranger.what();
    self->last_stranger_.resize(std::min(self->last_stranger_.size(), self->last_stranger_.find(". HINT")));
  }
  self->guests_.erase(guest);
}

void Door::close() noexcept {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const Guest& guest : guests_) guest->close();
}

std::string Door::strangers() const {
  std::string text;
  if (trouble_) text += "; the last that tried was not accepted: " + trouble_.message();
  if (strangers_ > 0) text += "; " + std::to_string(strangers_) + " others came, the last: " + last_stranger_;
  return text;
}

}  // namespace weft
