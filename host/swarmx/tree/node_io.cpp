#include "host/swarmx/tree/node_io.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <optional>
#include <utility>

#include "host/swarmx/protocol/error_frame.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/refusal.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {

NodeIo::NodeIo(asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan, std::string name, Up up,
               Lost lost, Returned returned)
    : executor_(std::move(executor)),
      run_(run),
      name_(std::move(name)),
      up_(std::move(up)),
      lost_(std::move(lost)),
      returned_(std::move(returned)),
      state_(plan),
      up_mutex_(executor_) {}

std::size_t NodeIo::adopt(std::string name, std::vector<std::uint32_t> member_ids, bool leaf, Link link) {
  const std::size_t number = state_.join(name, member_ids, leaf);
  Child child{std::move(name), std::move(member_ids), std::make_shared<Link>(std::move(link)),
              std::make_shared<FrameQueue>(executor_, kQueueFrames)};
  if (stopped_) child.queue->try_send(boost::system::error_code(), Frame{.type = FrameType::Stop});
  asio::co_spawn(executor_, write_all(child.link, child.queue), run_.ending());
  children_.emplace(number, std::move(child));
  ++open_children_;
  asio::co_spawn(executor_, read(shared_from_this(), number), run_.ending());
  return number;
}

/// Adopts the child first, since frames that Came triggers may be for it. Came is sent up in the same turn, so that it
/// precedes the child's Left.
asio::awaitable<void> NodeIo::admit_wafer(std::string name, std::uint32_t member_id, Link link) {
  const auto self = shared_from_this();
  const auto lock = co_await up_mutex_.lock();
  adopt(std::move(name), {member_id}, true, std::move(link));
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
    const std::vector<std::uint32_t>& member_ids = children_.at(number).member_ids;
    if (returned_ && frame.type == FrameType::Stats && link->remote() && member_ids.size() == 1)
      returned_(member_ids.front(), frame.pass);
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
  if (lost_) lost_(number, children_.at(number).name, children_.at(number).member_ids, why);
  children_.erase(number);
  for (Frame& frame : state_.remove_child(number)) co_await up_(std::move(frame));
}

asio::awaitable<void> NodeIo::send(std::size_t number, Frame frame) {
  const auto child = children_.find(number);
  if (child == children_.end()) co_return;
  co_await push_frame(child->second.queue, std::move(frame));
}

asio::awaitable<void> NodeIo::down(Frame frame) {
  if (frame.type == FrameType::Stop) stopped_ = true;
  NodeState::Moves moves;
  {
    std::optional<FifoMutex::Lock> lock;
    if (frame.type == FrameType::Unmerged) lock.emplace(co_await up_mutex_.lock());
    moves = state_.down(frame);
    for (Frame& sum : moves.up) co_await up_(std::move(sum));
  }
  for (auto& [number, part] : moves.down) co_await send(number, std::move(part));
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
