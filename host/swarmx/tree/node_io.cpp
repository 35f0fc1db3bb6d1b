#include "host/swarmx/tree/node_io.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/error_frame.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/refusal.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {
namespace {

constexpr std::chrono::milliseconds kChargeInterval{100};    // in which waits for a slow child are added up
constexpr std::chrono::milliseconds kRecheckInterval{1000};  // of other waits, which end by a cancelled timer

}  // namespace

NodeIo::NodeIo(asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan, std::string name, Up up,
               Lost lost, Returned returned, NodeIoLimits limits)
    : executor_(std::move(executor)),
      run_(run),
      name_(std::move(name)),
      up_(std::move(up)),
      lost_(std::move(lost)),
      returned_(std::move(returned)),
      limits_(limits),
      state_(plan),
      judge_(limits.judge),
      up_mutex_(executor_),
      room_(executor_) {}

std::size_t NodeIo::adopt(std::string name, std::vector<std::uint32_t> member_ids, bool leaf, Link link) {
  const std::size_t number = state_.join(name, member_ids, leaf);
  Child child{.name = std::move(name),
              .member_ids = std::move(member_ids),
              .link = std::make_shared<Link>(std::move(link)),
              .queue = std::make_shared<FrameQueue>(executor_, kUnlimited),
              .waits = WaitAccount(limits_.waits)};
  const auto leaves = [weak = weak_from_this(), number](const Frame& frame) {
    if (const auto self = weak.lock()) self->taken(number, frame);
  };
  asio::co_spawn(executor_, write_all(child.link, child.queue, leaves), run_.ending());
  if (judges() && leaf) judge_.join(child.member_ids.front());
  children_.emplace(number, std::move(child));
  if (stopped_) queue(number, Frame{.type = FrameType::Stop});
  ++open_children_;
  asio::co_spawn(executor_, read(shared_from_this(), number), run_.ending());
  return number;
}

/// Adopts the child first, since frames that Came triggers may be for it. Came is sent up in the same turn, so that it
/// precedes the child's Left.
asio::awaitable<void> NodeIo::admit_wafer(std::string name, std::string host, std::uint32_t member_id, Link link) {
  const auto self = shared_from_this();
  const auto lock = co_await up_mutex_.lock();
  const std::size_t number = adopt(std::move(name), {member_id}, true, std::move(link));
  children_.at(number).host = std::move(host);
  Frame came{.type = FrameType::Came};
  co_await up_(came.carry(encode_member_ids({&member_id, 1})));
}

asio::awaitable<void> NodeIo::read(std::shared_ptr<NodeIo> self, std::size_t number) {
  std::string why;
  try {
    for (;;) co_await self->read_child(number);
  } catch (const SwarmError& error) {
    const Child& child = self->children_.at(number);
    shut(*child.queue);
    self->room_.cancel();
    --self->open_children_;
    if (self->stopped_) co_return child.link->done_reading();
    if (!child.link->remote()) throw;
    why = one_line(error.what());
  }
  co_await self->drop_child(number, std::move(why));
}

/// Takes one frame of a child.
asio::awaitable<void> NodeIo::read_child(std::size_t number) {
  const std::shared_ptr<Link> link = children_.at(number).link;
  std::vector<Frame> up;
  std::optional<FifoMutex::Lock> lock;
  try {
    const Frame frame = co_await link->read();
    if (frame.type == FrameType::Error) throw_error(frame.bytes(), link->peer());
    lock.emplace(co_await up_mutex_.lock());
    up = state_.up(number, frame);
    if (frame.type == FrameType::Stats && link->remote()) {
      const std::vector<std::uint32_t> micro_batches = decode_contribution(frame).micro_batches;
      if (judges()) judge_.ended(frame.pass, micro_batches.front(), WaitAccount::Time::clock::now(), Ledger());
      if (returned_) returned_(frame.pass, micro_batches);
    }
  } catch (const CorruptFrame&) {
    rethrow_from(place_of(number));
  } catch (const PeerLost&) {
    rethrow_from(place_of(number));
  } catch (const WaferHang& error) {
    if (link->remote()) throw SwarmError(error.what());  // other wafers do not hang
    throw;
  }
  for (Frame& frame : up) co_await up_(std::move(frame));
}

/// Returns where the run was, for an error message.
std::string NodeIo::place_of(std::size_t number) const {
  const std::string place = state_.waiting_for(number);
  return "swarmx " + name_ + (place.empty() ? "" : ", " + place);
}

/// Removes a lost child; the run continues without it.
asio::awaitable<void> NodeIo::drop_child(std::size_t number, std::string why) {
  children_.at(number).link->close();
  const auto lock = co_await up_mutex_.lock();
  const Child& child = children_.at(number);
  if (lost_) lost_({number, child.name, child.member_ids, why, child.slow});
  if (judges()) judge_.remove_member(child.member_ids.front(), Ledger());
  children_.erase(number);
  room_.cancel();
  for (Frame& frame : state_.remove_child(number)) co_await up_(std::move(frame));
}

/// Queues a frame for a child. The last one, Stop, discards those before: the run is over, and needs no more of them.
void NodeIo::queue(std::size_t number, Frame frame) {
  const auto at = children_.find(number);
  if (at == children_.end()) return;
  Child& child = at->second;
  if (frame.type == FrameType::Stop)
    discard_frames(*child.queue, [&](const Frame& discarded) { taken(number, discarded); });
  const std::size_t bytes = frame.bytes().size();
  if (!child.queue->try_send(boost::system::error_code(), std::move(frame))) return;  // the child is gone
  ++child.frames;
  child.bytes += bytes;
}

/// Notes that a frame has left a child's queue.
void NodeIo::taken(std::size_t number, const Frame& frame) {
  const auto at = children_.find(number);
  if (at == children_.end()) return;
  --at->second.frames;
  at->second.bytes -= frame.bytes().size();
  room_.cancel();
}

/// `waits`: false if only a child that is too far behind is waited for.
asio::awaitable<void> NodeIo::wait_for_room(std::vector<std::size_t> recipients, bool waits) {
  for (;;) {
    std::erase_if(recipients, [this](std::size_t number) {
      const auto at = children_.find(number);
      return at == children_.end() || !at->second.queue->is_open();
    });
    const auto child = [this](std::size_t number) -> Child& { return children_.at(number); };
    const bool behind = std::ranges::any_of(recipients, [&](auto n) { return is_too_far_behind(child(n)); });
    const bool full = !recipients.empty() && std::ranges::none_of(recipients, &Child::has_room, child);
    if (!behind && !(full && waits)) co_return;
    const auto from = WaitAccount::Time::clock::now();
    room_.expires_at(from + (behind ? std::min(kChargeInterval, limits_.waits.most / 4) : kRecheckInterval));
    co_await room_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (behind) charge(recipients, from, WaitAccount::Time::clock::now());
  }
}

asio::awaitable<void> NodeIo::down(Frame frame) {
  if (frame.type == FrameType::Stop) stopped_ = true;
  NodeState::Moves moves;
  std::vector<std::uint32_t> left_out = judges() ? judge_frame(frame) : std::vector<std::uint32_t>();
  {
    std::optional<FifoMutex::Lock> lock;
    if (frame.type == FrameType::Unmerged) lock.emplace(co_await up_mutex_.lock());
    moves = state_.down(frame);
    for (Frame& sum : moves.up) co_await up_(std::move(sum));
  }
  co_await release(std::move(left_out));
  std::vector<std::size_t> recipients;
  for (auto& [number, part] : moves.down) {
    queue(number, std::move(part));
    recipients.push_back(number);
  }
  if (!stopped_) co_await wait_for_room(std::move(recipients), moves.waits);
}

std::vector<MemberTraffic> NodeIo::traffic() const {
  std::vector<MemberTraffic> result;
  for (const auto& [number, child] : children_)
    if (child.member_ids.size() == 1) result.push_back(traffic_of(child.member_ids.front(), *child.link->traffic()));
  std::ranges::sort(result, {}, &MemberTraffic::member_id);
  return result;
}

void NodeIo::close() noexcept {
  for (const auto& [number, child] : children_) child.link->close();
}

}  // namespace weft::swarmx
