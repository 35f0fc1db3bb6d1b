/// Of MemoryX on ranks: their connections, in a thread.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "host/swarmx/error.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/plan_frames.hpp"
#include "host/swarmx/round_returns.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/plan_file.hpp"

namespace weft {
namespace {

std::vector<std::string> names(int count) {
  std::vector<std::string> result;
  for (int id = 0; id < count; ++id) result.push_back(memory_name(id));
  return result;
}

}  // namespace

MemoryRanks::MemoryRanks(const Plan& plan, MemoryRanksOptions options)
    : plan_(plan),
      options_(std::move(options)),
      moments_(state_vectors(options_.memoryx.optimizer)),
      dealt_(deal_tensors(plan, options_.ranks)),
      rank_of_(rank_of_ops(plan, dealt_)),
      gets_(ranks_written(plan, dealt_)),
      range_(plan),
      frames_(plan),
      parts_(failure_, dealt_, plan.parameters),
      encoded_(encode_plan({plan, options_.network_text, 0})),
      members_(names(options_.ranks)) {
  for (std::size_t number = 0; number < dealt_.size(); ++number) {
    ranks_.push_back(std::make_unique<Rank>(io_.get_executor(), failure_,
                                            [this, number](Frame frame) { return to_rank(number, std::move(frame)); }));
  }
  listen();
  thread_ = guarded_thread(failure_, [this] {
    failure_.guard([this] { io_.run(); });
    close();
  });
}

MemoryRanks::~MemoryRanks() {
  if (std::uncaught_exceptions() > exceptions_) failure_.set(std::make_exception_ptr(SwarmError("the run has failed")));
  if (!failure_.happened()) {
    asio::post(io_, [this] { stop(); });
  } else {
    io_.stop();
  }
  guard_.reset();
  thread_.join();
}

void MemoryRanks::send(std::size_t number, Frame frame) { ranks_[number]->outbox.push(std::move(frame)); }

void MemoryRanks::send_all(const Frame& frame) {
  for (std::size_t number = 0; number < ranks_.size(); ++number) send(number, frame);
}

void MemoryRanks::wait_for_ranks() {
  if (parts_.wait_for_all(std::chrono::steady_clock::now() + options_.timeout)) return;
  const std::size_t strangers = listener_->strangers().count();
  throw PeerLost("swarmx MemoryX: " + members_.never_came() + " did not connect within " + seconds(options_.timeout) +
                 (strangers == 0 ? "" : "; " + std::to_string(strangers) + " others came") +
                 ". HINT: look for why it did not start.");
}

void MemoryRanks::listen() {
  Guests guests;
  guests.admit = [this](const Greeting& who) -> std::string {
    return who.role == kMemoryRole ? why_no_memory(who.name, options_.ranks)
                                   : "a " + who.role + " is nothing to MemoryX";
  };
  guests.arrived = [this](const Greeting& who, std::unique_ptr<Channel> channel) {
    const auto number = static_cast<std::size_t>(std::stoi(who.name.substr(who.name.rfind(' ') + 1)));
    asio::co_spawn(io_, welcome(number, who.from, std::move(channel)), failure_.ending());
  };
  guests.log = options_.say;
  const Greeting here{.version = kSwarmVersion, .plan = options_.digest, .job = options_.job, .role = "", .name = ""};
  listener_ = std::make_shared<Listener>(io_.get_executor(), failure_, options_.credentials, here, std::move(guests),
                                         ListenerOptions{.address = options_.address});
  asio::co_spawn(io_, listener_->open(), failure_.ending());
}

PartOptions MemoryRanks::part_of(std::size_t number) const {
  return {.shards = dealt_[number].shards,
          .optimizer = options_.memoryx.optimizer,
          .seed = options_.memoryx.seed,
          .no_decay = options_.memoryx.no_decay,
          .frozen = options_.memoryx.frozen};
}

/// It gets the plan and its part, and is there.
asio::awaitable<void> MemoryRanks::welcome(std::size_t number, std::string host, std::unique_ptr<Channel> channel) {
  const std::string name = memory_name(static_cast<int>(number));
  const auto link = std::make_shared<Link>(std::move(channel), name, options_.silence);
  const auto queue = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
  asio::co_spawn(io_, write_all(link, queue), failure_.ending());
  Rank& rank = *ranks_[number];
  if (rank.link || stopping_) co_return co_await keep_waiting(link, queue);
  rank.link = link, rank.queue = queue;
  const std::uint32_t seat = members_.enter(name, host);
  members_.connect(seat, link->traffic());
  for (Frame& frame : plan_frames(encoded_, 0)) co_await to_rank(number, std::move(frame));
  Frame part{.type = FrameType::Deal};
  part.carry(encode_part(part_of(number)));  // no part is made within a co_await: g++ 12 would destroy its names twice
  co_await to_rank(number, std::move(part));
  const std::size_t tensors = dealt_[number].last - dealt_[number].first;
  if (options_.say)
    options_.say(name + " is here, with " + std::to_string(tensors) + (tensors == 1 ? " tensor" : " tensors"));
  parts_.come(number);
  try {
    for (;;) take(number, co_await link->read());
  } catch (const SwarmError& error) {
    const std::string why = one_line(error.what());
    members_.lose(seat, why);
    if (stopping_) co_return;
    if (options_.say) options_.say(name + " is lost: " + why);
    throw MemoryLost(
        "swarmx MemoryX: " + name +
        " is lost, and with it what its tensors have become since the last checkpoint, from which the same "
        "command goes on: " +
        why);
  }
}

/// Its name is taken, or the run is over. Whoever it is, the next root may want it.
asio::awaitable<void> MemoryRanks::keep_waiting(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue) {
  if (stopping_) queue->try_send(boost::system::error_code(), Frame{.type = FrameType::Stop});
  late_.push_back({link, queue});
  try {
    for (;;) co_await link->read();
  } catch (const SwarmError&) {
  }
  shut(*queue);
  std::erase_if(late_, [&](const Late& late) { return late.link == link; });
}

void MemoryRanks::take(std::size_t number, Frame frame) {
  switch (frame.type) {
    case FrameType::Op:
      return ops_.take(number, std::move(frame));
    case FrameType::State:
      return pieces_.take(number, std::move(frame));
    case FrameType::Norm:
      return parts_.take_norm(number, frame);
    case FrameType::Done:
      return parts_.take_done(number, frame);
    case FrameType::Taken:
      return ranks_[number]->window.add(frame.contains);
    case FrameType::Error:
      throw_error(frame.bytes(), memory_name(static_cast<int>(number)));
    default:
      broken(memory_name(static_cast<int>(number)), "says what no rank of MemoryX says");
  }
}

asio::awaitable<void> MemoryRanks::to_rank(std::size_t number, Frame frame) {
  const auto queue = ranks_[number]->queue;
  if (queue) co_await queue->async_send({}, std::move(frame), asio::as_tuple(asio::use_awaitable));
}

std::vector<RankStatus> MemoryRanks::status() const {
  std::vector<RankStatus> result;
  for (Members::Member& member : members_.all()) result.push_back(std::move(member.status));
  return result;
}

/// Each hears it behind all that was sent before, and closes its connection.
void MemoryRanks::stop() {
  stopping_ = true;
  listener_->close();
  for (std::size_t number = 0; number < ranks_.size(); ++number)
    asio::co_spawn(io_, to_rank(number, {.type = FrameType::Stop}), failure_.ending());
  for (const Late& late : late_) late.queue->try_send(boost::system::error_code(), Frame{.type = FrameType::Stop});
}

void MemoryRanks::fails(FirstFailure* run) noexcept {
  const std::lock_guard lock(swarm_mutex_);
  swarm_ = run;
  if (run != nullptr && failure_.happened()) run->set(failure_.get());
}

void MemoryRanks::wake() noexcept {
  {
    const std::lock_guard lock(swarm_mutex_);
    if (swarm_ != nullptr) swarm_->set(failure_.get());
  }
  io_.stop();
  parts_.wake();
  ops_.wake();
  pieces_.wake();
  for (const auto& rank : ranks_) {
    rank->outbox.wake();
    rank->window.close();
  }
}

void MemoryRanks::close() noexcept {
  listener_->close();
  for (const auto& rank : ranks_)
    if (rank->link) rank->link->close();
  for (const Late& late : late_) late.link->close();
}

}  // namespace weft
