/// The root's network: nodes in processes of their own, and the wafers below them.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/members/node_member.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "host/swarmx/root/network.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

/// Returns why a node is rejected; empty if it is not.
std::string Network::why_no_node(const std::string& name) const {
  for (int id = 0; id < options_.nodes; ++id) {
    if (name == node_name(id)) return {};
  }
  if (options_.nodes == 0) return name + " is not expected here: swarmx.nodes is 0 here";
  return name + " is not one of the " + std::to_string(options_.nodes) + " nodes here";
}

/// Receives the node's port, sends it the plan, and makes it a child of the root, without members yet.
asio::awaitable<void> Network::accept_node(std::string name, std::string host, std::unique_ptr<Channel> channel) {
  const bool twice = node_members_.has(name);
  const std::uint32_t member_id = node_members_.add(name, host);
  Link link(std::move(channel), name, options_.silence);
  node_members_.connect(member_id, link.traffic());
  NodeAssignment::Node node{.name = name, .address = host};
  try {
    const Frame first = co_await link.read();
    if (first.type != FrameType::Listens || first.part == 0 || first.part > 65535) {
      broken(name, "does not begin with its port");
    }
    node.port = static_cast<std::uint16_t>(first.part);
    for (const Frame& frame : plan_frames(encoded_, 0)) co_await link.write(frame);
  } catch (const SwarmError& error) {
    node_members_.mark_lost(member_id, one_line(error.what()));
    co_return;
  }
  if (stopping_) co_return co_await send_stop(std::move(link));
  const std::size_t child = root_->adopt(name, {}, false, std::move(link));
  node_member_ids_[child] = member_id;
  assignment_.add_node(child, std::move(node));
  log_joined(name, twice);
}

/// Waits for the nodes, or for the end of the run. Returns false if the wafer is gone.
asio::awaitable<bool> Network::wait_for_nodes(Link& link) {
  const auto waits = [this] { return assignment_.must_wait(Clock::now()) && !stopping_; };
  if (!co_await link.wait_while(waits)) co_return false;
  const std::string missing = node_members_.never_joined();
  if (!missing.empty() && !stopping_ && !std::exchange(without_, true) && options_.say) {
    options_.say(missing + (missing.find(',') == std::string::npos ? " has" : " have") +
                 " not joined: wafers continue without a node in that place. HINT: check why the rank did not start.");
  }
  co_return true;
}

/// Returns when the member has disconnected, as it does once its new parent has let it in. Until then only the root can
/// tell it that the run is over.
asio::awaitable<void> Network::redirect(Link link, NodeAssignment::Node node, std::uint32_t member_id) {
  const auto here = std::make_shared<Link>(std::move(link));
  const auto queue = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
  asio::co_spawn(io_, write_all(here, queue), run_.ending());
  Frame where{.type = FrameType::Redirect, .op = member_id, .part = node.port};
  queue->try_send(boost::system::error_code(), where.carry(encode_text(node.address)));
  on_their_way_.insert(queue);
  try {
    for (;;) co_await here->read();
  } catch (const SwarmError&) {
  }
  on_their_way_.erase(queue);
  shut(*queue);
}

void Network::child_lost(const NodeIo::LostChild& child) {
  for (const std::uint32_t member_id : child.member_ids) members_.mark_lost(member_id, child.why);
  if (const auto node = node_member_ids_.extract(child.number)) node_members_.mark_lost(node.mapped(), child.why);
  assignment_.remove_node(child.number);
  if (child.slow) hold_back_.disconnect(child.name, Clock::now());
  if (options_.say) options_.say(child.name + " is lost: " + child.why);
}

/// Handles reports of nodes of other processes about the members below them.
void Network::handle_report(const Frame& frame) {
  if (frame.type == FrameType::Traffic)
    for (const MemberTraffic& counts : decode_traffic(frame.bytes())) members_.set_traffic(counts);
  if (frame.type != FrameType::Came && frame.type != FrameType::Left) return;
  for (const std::uint32_t member_id : decode_member_ids(frame.bytes())) {
    if (frame.type == FrameType::Came) arrived_at_node(member_id);
    if (frame.type == FrameType::Left) left_node(member_id);
  }
}

void Network::arrived_at_node(std::uint32_t member_id) {
  const auto there = assignment_.arrived(member_id);
  if (!there) broken("a node", "reports the joining of a member id that was not assigned");
  log_joined(there->wafer.name, members_.has(there->wafer.name), ", below " + there->node);
  members_.add(member_id, there->wafer.name, there->wafer.host, there->node);
}

void Network::left_node(std::uint32_t member_id) {
  const auto node = assignment_.remove_wafer(member_id);
  if (!node) return;  // it was a child of the root
  members_.mark_lost(member_id, assignment_.is_connected(*node)
                                    ? *node + " has lost the wafer. HINT: the node's log has the reason."
                                    : *node + ", the parent of the wafer, is lost. The wafer reconnects by itself.");
}

std::vector<RankStatus> Network::nodes() const {
  std::vector<RankStatus> result;
  for (Members::Member& member : node_members_.all()) result.push_back(std::move(member.status));
  return result;
}

}  // namespace weft::swarmx
