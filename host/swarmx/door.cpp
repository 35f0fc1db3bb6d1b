#include "host/swarmx/door.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/deadline.hpp"
#include "host/swarmx/error.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr auto kAgain = 50ms;  // after an accept that failed, which may pass
constexpr std::size_t kMostNames = 8;

}  // namespace

Door::Door(asio::any_io_executor executor, FirstFailure& run, std::vector<std::string> names, Welcome welcome)
    : executor_(std::move(executor)),
      run_(run),
      names_(std::move(names)),
      welcome_(std::move(welcome)),
      acceptor_(executor_, {asio::ip::address_v4::loopback(), 0}),
      port_(acceptor_.local_endpoint().port()),
      here_(names_.size()),
      absent_(names_.size()) {}

asio::awaitable<void> Door::open(std::chrono::milliseconds timeout, std::chrono::milliseconds silence) {
  auto self = shared_from_this();
  auto accepting = accept(silence);
  const bool all = co_await within(timeout, std::move(accepting));
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const Guest& guest : guests_) guest->close();
  if (all) co_return;
  std::string text = "swarmx MemoryX: " + missing() + " did not connect within " + seconds(timeout);
  if (trouble_) text += "; the last that tried was not accepted: " + trouble_.message();
  if (strangers_ > 0) text += "; " + std::to_string(strangers_) + " others came, the last: " + last_stranger_;
  throw PeerLost(text + ". HINT: look for why it did not start.");
}

asio::awaitable<void> Door::accept(std::chrono::milliseconds silence) {
  while (absent_ > 0) {
    auto [error, socket] = co_await acceptor_.async_accept(kResult);
    if (absent_ == 0) break;
    if (error == asio::error::operation_aborted) throw boost::system::system_error(error);  // too late
    trouble_ = error;
    if (error) {
      asio::steady_timer pause(executor_, kAgain);
      co_await pause.async_wait(asio::use_awaitable);
      continue;
    }
    guests_.push_back(std::make_shared<Link>(Socket(std::move(socket)), "a stranger", silence));
    asio::co_spawn(executor_, greet(shared_from_this(), std::prev(guests_.end())), run_.ending());
  }
}

asio::awaitable<void> Door::greet(std::shared_ptr<Door> self, std::list<Guest>::iterator guest) {
  try {
    const std::string name = co_await (*guest)->read_name();
    self->admit(name, **guest);
  } catch (const SwarmError& stranger) {
    ++self->strangers_;
    self->last_stranger_ = stranger.what();
    self->last_stranger_.resize(std::min(self->last_stranger_.size(), self->last_stranger_.find(". HINT")));
  }
  self->guests_.erase(guest);
}

void Door::admit(const std::string& name, Link& link) {
  const auto at = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  if (at == names_.size()) throw CorruptFrame("one that says it is " + name + ", which nobody waits for");
  if (here_[at]) throw CorruptFrame("one that says it is " + name + ", which is here already");
  if (!acceptor_.is_open()) throw PeerLost(name + ", too late");
  here_[at] = true;
  link.rename(name);
  welcome_(at, std::move(link));
  if (--absent_ == 0) acceptor_.cancel();
}

std::string Door::missing() const {
  std::string list;
  std::size_t named = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!here_[i] && named++ < kMostNames) list += (list.empty() ? "" : ", ") + names_[i];
  }
  return list + (named > kMostNames ? " and " + std::to_string(named - kMostNames) + " more" : "");
}

}  // namespace weft
