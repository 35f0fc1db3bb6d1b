/// Connections of MemoryX on ranks, in a thread.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/plan/plan_file.hpp"

namespace weft::swarmx {
namespace {

std::vector<std::string> names(int count) {
  std::vector<std::string> result;
  for (int id = 0; id < count; ++id) result.push_back(memory_name(id));
  return result;
}

}  // namespace

MemoryRanks::MemoryRanks(const compiler::Plan& plan, MemoryRanksOptions options)
    : plan_(plan),
      options_(std::move(options)),
      frames_(plan),
      state_(plan, options_.ranks, options_.memoryx),
      paces_(state_.ranks(), options_.straggler),
      encoded_(compiler::encode_plan({plan, options_.network_text, 0})),
      members_(names(options_.ranks)) {
  for (std::size_t number = 0; number < state_.ranks(); ++number) {
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

void MemoryRanks::listen() {
  Guests guests;
  guests.admit = [this](const Hello& who) -> std::string {
    return who.role == kMemoryRole ? why_no_memory(who.name, options_.ranks) : "a " + who.role + " cannot join MemoryX";
  };
  guests.arrived = [this](const Hello& who, std::unique_ptr<Channel> channel) {
    const auto number = static_cast<std::size_t>(std::stoi(who.name.substr(who.name.rfind(' ') + 1)));
    asio::co_spawn(io_, accept_rank(number, who.from, std::move(channel)), failure_.ending());
  };
  guests.log = options_.say;
  const Hello here{.version = kSwarmVersion,
                   .plan = options_.digest,
                   .job = options_.job,
                   .build = options_.build,
                   .role = "",
                   .name = ""};
  listener_ = std::make_shared<Listener>(io_.get_executor(), failure_, options_.credentials, here, std::move(guests),
                                         ListenerOptions{.address = options_.address});
  asio::co_spawn(io_, listener_->open(), failure_.ending());
}

/// Sends the rank the plan and its part, and takes its frames.
asio::awaitable<void> MemoryRanks::accept_rank(std::size_t number, std::string host, std::unique_ptr<Channel> channel) {
  const std::string name = memory_name(static_cast<int>(number));
  const auto link = std::make_shared<Link>(std::move(channel), name, options_.silence);
  const auto queue = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
  asio::co_spawn(io_, write_all(link, queue), failure_.ending());
  Rank& rank = *ranks_[number];
  if (stopping_ || !reserve(number)) co_return co_await keep_waiting(link, queue);
  rank.link = link, rank.queue = queue;
  const std::uint32_t member_id = members_.add(name, host);
  members_.connect(member_id, link->traffic());
  for (Frame& frame : plan_frames(encoded_, 0)) co_await to_rank(number, std::move(frame));
  co_await to_rank(number, state_.assignment_frame(number));
  const std::size_t tensors = state_.tensors(number);
  if (options_.say)
    options_.say(name + " has joined, with " + std::to_string(tensors) + (tensors == 1 ? " tensor" : " tensors"));
  set_joined(number);
  try {
    for (;;) {
      const Frame frame = co_await link->read();
      handle_frame(number, frame);
      if (frame.type == FrameType::Leaves) note_leave_request(number, member_id, name + " on " + host);
    }
  } catch (const MemoryFailed& error) {
    members_.mark_lost(member_id, one_line(error.what()));
    if (!stopping_) throw;
  } catch (const SwarmError& error) {
    const std::string why = one_line(error.what());
    members_.mark_lost(member_id, why);
    if (stopping_) co_return;
    if (options_.say) options_.say(name + " is lost: " + why);
    throw RanksState::lost_error(number, why);
  }
}

/// Keeps a connection whose name is taken, or that was made after the end of the run: the next root may want the
/// process.
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

asio::awaitable<void> MemoryRanks::to_rank(std::size_t number, Frame frame) {
  const auto queue = ranks_[number]->queue;
  if (queue) co_await push_frame(queue, std::move(frame));
}

std::vector<RankStatus> MemoryRanks::status() const {
  std::vector<RankStatus> result;
  for (Members::Member& member : members_.all()) result.push_back(std::move(member.status));
  const std::lock_guard lock(waiting_.mutex);
  for (std::size_t number = 0; number < std::min(result.size(), state_.ranks()); ++number) {
    RankStatus& status = result[number];
    const std::string slow = paces_.slow_part(number, std::chrono::steady_clock::now());
    if (slow.empty() || status.state != RankStatus::State::Here) continue;
    status.state = RankStatus::State::Slow;
    status.why = slow + "; all steps wait for the rank, which has a part of the state";
  }
  return result;
}

/// Sends Stop to each rank, after all that was sent before; the rank then closes its connection.
void MemoryRanks::stop() {
  stopping_ = true;
  listener_->close();
  for (std::size_t number = 0; number < ranks_.size(); ++number)
    asio::co_spawn(io_, to_rank(number, {.type = FrameType::Stop}), failure_.ending());
  for (const Late& late : late_) late.queue->try_send(boost::system::error_code(), Frame{.type = FrameType::Stop});
}

void MemoryRanks::report_failures_to(FirstFailure* run) noexcept {
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
  waiting_.wake();
  for (const auto& rank : ranks_) rank->outbox.wake();
}

void MemoryRanks::close() noexcept {
  listener_->close();
  for (const auto& rank : ranks_)
    if (rank->link) rank->link->close();
  for (const Late& late : late_) late.link->close();
}

}  // namespace weft::swarmx
