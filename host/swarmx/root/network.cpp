#include "host/swarmx/root/network.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <numeric>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/members/member.hpp"
#include "host/swarmx/members/node_member.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "host/swarmx/tree/node.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/plan/plan_file.hpp"

namespace weft::swarmx {
namespace {

using Local = asio::local::stream_protocol::socket;

std::vector<std::string> names(int count, std::string (*name)(int)) {
  std::vector<std::string> result;
  for (int id = 0; id < count; ++id) result.push_back(name(id));
  return result;
}

/// Member ids of a subtree of local wafers.
std::vector<std::uint32_t> member_ids_of(const TreeNode& node) {
  std::vector<std::uint32_t> member_ids(static_cast<std::size_t>(node.count));
  std::iota(member_ids.begin(), member_ids.end(), static_cast<std::uint32_t>(node.first));
  return member_ids;
}

/// Returns why a data rank is rejected; empty if it is not.
std::string why_no_data(const std::string& here, const std::string& there) {
  if (here.empty()) return "no data rank is expected here: by its ranks, num_csx and mode all others are wafers";
  return here == there ? "" : here + " here, " + there + " there";
}

/// Discards a frame that has no use above.
asio::awaitable<void> no_further() { co_return; }

std::string rejected_peers_text(const Listener& listener) {
  const std::size_t count = listener.rejected_peers().count();
  return count == 0
             ? ""
             : "; " + std::to_string(count) + " others were rejected, the last: " + listener.rejected_peers().last();
}

}  // namespace

Network::Network(const compiler::Plan& plan, const SwarmOptions& options, FirstFailure& run, NodeIo::Up up,
                 std::function<void(std::uint32_t)> joined, NodeIo::Returned returned)
    : plan_(plan),
      options_(options),
      run_(run),
      joined_(std::move(joined)),
      members_(names(options.num_csx, wafer_name)),
      readers_({kData}),
      node_members_(names(options.nodes, node_name)),
      assignment_(static_cast<std::size_t>(options.nodes), std::chrono::steady_clock::now() + options.timeout / 2),
      data_(executor(), run, plan, options.get, options.position) {
  const auto seen = [this, up = std::move(up)](Frame frame) {
    handle_report(frame);
    return frame.type == FrameType::Traffic ? no_further() : up(std::move(frame));
  };
  const auto is_lost = [this](const NodeIo::LostChild& child) { child_lost(child); };
  root_ = std::make_shared<NodeIo>(executor(), run, plan, kRootName, seen, is_lost, std::move(returned));
  const int local = options.local_wafers < 0 ? options.num_csx : options.local_wafers;
  const TreeNode all = make_tree(options.num_csx, options.fanout);  // throws if the tree is impossible
  for (int id = 0; id < local; ++id) joined_(members_.add(wafer_name(id)));
  if (local > 0) build(local == options.num_csx ? all : make_tree(local, options.fanout), root_);
  if (local < options.num_csx) listen();
}

void Network::listen() {
  encoded_ = compiler::encode_plan({plan_, options_.network_text, 0});
  Guests guests;
  guests.admit = [this](const Hello& who) -> std::string {
    if (who.role == "wafer") return {};
    if (who.role == "data") return why_no_data(options_.data_name, who.name);
    if (who.role == "node") return why_no_node(who.name);
    if (who.role == kMemoryRole) return why_no_memory(who.name, options_.memory);
    return "a " + who.role + " is not expected here";
  };
  guests.arrived = [this](const Hello& who, std::unique_ptr<Channel> channel) {
    if (stopping_) return stop_late_member(who.role == "data" ? kData : who.name, std::move(channel));
    if (who.role == "data") return asio::co_spawn(io_, accept_data_rank(who.from, std::move(channel)), run_.ending());
    if (who.role == "node")
      return asio::co_spawn(io_, accept_node(who.name, who.from, std::move(channel)), run_.ending());
    if (who.role == kMemoryRole)
      return asio::co_spawn(io_, redirect_memory_rank(who.name, std::move(channel)), run_.ending());
    asio::co_spawn(io_, accept_wafer(who.name, who.from, std::move(channel)), run_.ending());
  };
  guests.log = options_.say;
  const Hello here{.version = kSwarmVersion,
                   .plan = options_.digest,
                   .job = options_.job,
                   .build = options_.build,
                   .role = "",
                   .name = ""};
  listener_ = std::make_shared<Listener>(
      executor(), run_, options_.credentials, here, std::move(guests),
      ListenerOptions{.address = options_.address, .port = options_.port, .other_ports = options_.other_ports});
  if (options_.port != 0 && listener_->port() != options_.port && options_.say)
    options_.say(fmt::format("port {} of {} is in use: the root listens at {}", options_.port, options_.address,
                             listener_->port()));
}

/// Makes everything below `node_io`, the NodeIo of `node`, with the wafers in order.
void Network::build(const TreeNode& node, std::shared_ptr<NodeIo> node_io) {
  for (const TreeNode& child : node.children) {
    Local upper(io_), lower(io_);
    asio::local::connect_pair(upper, lower);
    for (Local* side : {&upper, &lower}) few_headers(side->native_handle());
    const PayloadQueues payloads = PayloadQueues::make();
    Link link(plain_channel(Socket(std::move(upper))), child.name(), {}, payloads);
    if (child.leaf()) members_.connect(static_cast<std::uint32_t>(child.first), link.traffic());
    node_io->adopt(child.name(), member_ids_of(child), child.leaf(), std::move(link));
    if (child.leaf()) {
      wires_.push_back(std::make_unique<Wire>(lower.release(), node_io->name(), payloads.other()));
    } else {
      nodes_.push_back(
          start_node(executor(), run_, plan_, child.name(),
                     Link(plain_channel(Socket(std::move(lower))), node_io->name(), {}, payloads.other())));
      build(child, nodes_.back());
    }
  }
}

/// Redirects a wafer to a node; or sends it the plan and makes it a child of the root.
asio::awaitable<void> Network::accept_wafer(std::string name, std::string host, std::unique_ptr<Channel> channel) {
  Link link(std::move(channel), name, options_.silence);
  if (!co_await wait_for_nodes(link)) co_return;
  const auto held = [&] {
    return hold_back_.holds(name, std::chrono::steady_clock::now()) && !stopping_ &&
           members_.connected_count() >= static_cast<std::size_t>(options_.min_csx);
  };
  if (!co_await link.wait_while(held)) co_return;
  if (stopping_) co_return co_await send_stop(std::move(link));
  const std::uint32_t member_id = members_.reserve();
  if (auto node = assignment_.assign({name, host}, member_id)) {
    co_return co_await redirect(std::move(link), std::move(*node), member_id);
  }
  const bool twice = members_.has(name);
  members_.add(member_id, name, host);
  members_.connect(member_id, link.traffic());
  try {
    for (const Frame& frame : plan_frames(encoded_, member_id)) co_await link.write(frame);
  } catch (const PeerLost& lost) {
    members_.mark_lost(member_id, lost.what());
    co_return;
  }
  if (stopping_) co_return co_await send_stop(std::move(link));
  log_joined(name, twice);
  root_->adopt(std::move(name), {member_id}, true, std::move(link));
  joined_(member_id);
}

/// Redirects a rank of MemoryX to the port of MemoryRanks.
asio::awaitable<void> Network::redirect_memory_rank(std::string name, std::unique_ptr<Channel> channel) {
  Link link(std::move(channel), name, options_.silence);
  if (stopping_) co_return co_await send_stop(std::move(link));
  NodeAssignment::Node where{.name = std::move(name), .address = options_.address, .port = options_.memory_port};
  co_await redirect(std::move(link), std::move(where), 0);
}

/// Uses a data rank for tokens while it is connected.
asio::awaitable<void> Network::accept_data_rank(std::string host, std::unique_ptr<Channel> channel) {
  Link link(std::move(channel), kData, options_.silence);
  const bool twice = readers_.has(kData);
  const std::uint32_t member_id = readers_.add(kData, host);
  readers_.connect(member_id, link.traffic());
  try {
    co_await data_.serve(std::move(link), [&] { log_joined(kData, twice); });
  } catch (const SwarmError& error) {
    readers_.mark_lost(member_id, one_line(error.what()));
    if (options_.say && !stopping_) options_.say("data is lost: " + one_line(error.what()));
  }
}

std::optional<RankStatus> Network::data() const {
  RankStatus status = std::move(readers_.all().front().status);
  return status.state == RankStatus::State::NotYet ? std::nullopt : std::optional(std::move(status));
}

std::string Network::too_few() const {
  const std::string rejected = listener_ ? rejected_peers_text(*listener_) : "", time = seconds(options_.timeout);
  if (members_.last_loss().empty()) {
    return "swarmx MemoryX: " + members_.never_joined() + " did not connect within " + time + rejected +
           ". HINT: check why the rank did not start.";
  }
  return "swarmx MemoryX: " + std::to_string(members_.connected_count()) + " of " + std::to_string(options_.num_csx) +
         " wafers have joined, swarmx.min_csx is " + std::to_string(options_.min_csx) +
         ", and no other joined within " + time + rejected + "; the last one was lost because: " + members_.last_loss();
}

void Network::log_missing(std::optional<std::chrono::milliseconds> most) const {
  if (!options_.say) return;
  const std::string never = members_.never_joined();
  const std::string there = std::to_string(members_.connected_count()) + " of " + std::to_string(options_.num_csx);
  const std::string who = never.empty() ? "more wafers (" + there + " have joined)" : never;
  if (most)
    return options_.say("waits for " + who + ", at most " + seconds(*most) +
                        ". HINT: check that the rank was started.");
  options_.say("continues without " + who + ", and accepts late members. HINT: check why the rank did not start.");
}

/// `twice`: a member of that name is still connected, as after a cut connection whose loss is noticed only later.
void Network::log_joined(const std::string& name, bool twice, const std::string& where) const {
  if (!options_.say) return;
  options_.say(
      name + " has joined" + where +
      (twice ? ", in addition to one of that name. HINT: if the rank has not reconnected, two ranks were started "
               "with the same RANK."
             : ""));
}

void Network::start() {
  if (listener_) {
    asio::co_spawn(io_, listener_->open(), run_.ending());
    stalls_.start();
  }
  for (std::size_t wafer = 0; wafer < wires_.size(); ++wafer) {
    wafers_.push_back(guarded_thread(run_, [this, id = static_cast<int>(wafer), wire = std::move(wires_[wafer])] {
      worker_loop(plan_, id, options_.make_wafer, *wire, options_.wafer_cache.get());
    }));
  }
  thread_ = guarded_thread(run_, [this] {
    run_.guard([this] { io_.run(); });
    close();
  });
}

}  // namespace weft::swarmx
