#include "host/swarmx/network.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <utility>

#include "host/swarmx/node.hpp"

namespace weft {
namespace {

constexpr const char* kRoot = "MemoryX";

using Local = asio::local::stream_protocol::socket;

}  // namespace

Network::Network(const Plan& plan, const SwarmOptions& options, FirstFailure& run, Hub::Up up)
    : plan_(plan), options_(options), run_(run), joining_(run) {
  const TreeNode root = make_tree(options.num_csx, options.fanout);
  parents_.resize(static_cast<std::size_t>(options.num_csx));
  hubs_.push_back(std::make_shared<Hub>(executor(), run, plan, root, kRoot, std::move(up)));
  build(root, hubs_.front());
  if (remote_.empty()) return;
  std::vector<std::string> names;
  for (int id = options.local_wafers; id < options.num_csx; ++id) names.push_back(TreeNode{id, 1, {}}.name());
  door_ = std::make_shared<Door>(executor(), run, std::move(names), [this](std::size_t wafer, Link link) {
    remote_[wafer].hub->adopt(remote_[wafer].child, std::move(link));
  });
  joined_ = false;
}

/// Makes everything below `hub`, which is node's. Wafers are met in order.
void Network::build(const TreeNode& node, std::shared_ptr<Hub> hub) {
  for (std::size_t at = 0; at < node.children.size(); ++at) {
    const TreeNode& child = node.children[at];
    if (child.leaf()) {
      parents_[static_cast<std::size_t>(child.first)] = hub.get();
      if (options_.local_wafers >= 0 && child.first >= options_.local_wafers) {
        remote_.push_back({hub.get(), at});
        continue;
      }
    }
    Local upper(io_), lower(io_);
    asio::local::connect_pair(upper, lower);
    for (Local* side : {&upper, &lower}) few_headers(side->native_handle());
    const Hands hands = Hands::make();
    hub->adopt(at, Link(Socket(std::move(upper)), child.name(), {}, hands));
    if (child.leaf()) {
      wires_.push_back(
          std::make_unique<Wire>(lower.release(), hub->name(), std::chrono::milliseconds{}, hands.other()));
    } else {
      hubs_.push_back(
          start_node(executor(), run_, plan_, child, Link(Socket(std::move(lower)), hub->name(), {}, hands.other())));
      build(child, hubs_.back());
    }
  }
}

void Network::start() {
  if (door_) {
    asio::co_spawn(io_, door_->open(options_.timeout, options_.silence), [this](std::exception_ptr failure) noexcept {
      run_.set(failure);
      const std::lock_guard lock(joining_.mutex);
      joined_ = true;
      joining_.notify();
    });
  }
  for (std::size_t wafer = 0; wafer < wires_.size(); ++wafer) {
    wafers_.push_back(guarded_thread(run_, [this, id = static_cast<int>(wafer), wire = std::move(wires_[wafer])] {
      serve(plan_, id, options_.make_wafer, options_.get, *wire);
    }));
  }
  thread_ = guarded_thread(run_, [this] {
    run_.guard([this] { io_.run(); });
    close();
  });
}

void Network::wait_for_all() {
  std::unique_lock lock(joining_.mutex);
  joining_.until(lock, [this] { return joined_; });
}

void Network::wake() noexcept {
  io_.stop();
  joining_.wake();
}

void Network::end() noexcept {
  if (thread_.joinable()) {
    const bool all = [this] {
      const std::lock_guard lock(joining_.mutex);
      return joined_;
    }();
    if (all && !run_.happened()) {
      run_.guard([this] { asio::co_spawn(io_, root().down({.type = FrameType::Stop}), run_.ending()); });
    } else {
      io_.stop();
    }
    guard_.reset();
    thread_.join();
  }
  close();
  wafers_.clear();
}

void Network::close() noexcept {
  for (const std::shared_ptr<Hub>& hub : hubs_) hub->close();
}

}  // namespace weft
