#include "host/swarmx/tree/node_assignment.hpp"

#include <algorithm>
#include <utility>

namespace weft::swarmx {

void NodeAssignment::add_node(std::size_t child, Node node) {
  joined_.insert(node.name);
  nodes_[child] = std::move(node);
}

/// Forgets wafers on their way to the node. Those that had arrived leave one by one.
void NodeAssignment::remove_node(std::size_t child) {
  nodes_.erase(child);
  std::erase_if(sent_,
                [&](const auto& entry) { return entry.second.child == child && entry.second.state != State::There; });
}

std::size_t NodeAssignment::wafers_of(std::size_t child) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      sent_, [&](const auto& entry) { return entry.second.child == child && entry.second.state != State::GivenUp; }));
}

std::optional<NodeAssignment::Node> NodeAssignment::assign(const Wafer& wafer, std::uint32_t member_id) {
  bool repeated = false;
  for (auto& [number, sent] : sent_) {
    if (sent.state != State::OnItsWay || sent.wafer.name != wafer.name) continue;
    sent.state = State::GivenUp;  // another wafer may have this name, and the first may still arrive
    repeated = true;
  }
  if (repeated || nodes_.empty()) return std::nullopt;
  const auto& [child, node] =
      *std::ranges::min_element(nodes_, {}, [&](const auto& one) { return wafers_of(one.first); });
  sent_[member_id] = {.wafer = wafer, .child = child, .node = node.name};
  return node;
}

std::optional<NodeAssignment::There> NodeAssignment::arrived(std::uint32_t member_id) {
  const auto at = sent_.find(member_id);
  if (at == sent_.end() || at->second.state == State::There) return std::nullopt;
  at->second.state = State::There;
  return There{at->second.wafer, at->second.node};
}

std::optional<std::string> NodeAssignment::remove_wafer(std::uint32_t member_id) {
  const auto at = sent_.find(member_id);
  if (at == sent_.end()) return std::nullopt;
  std::string node = std::move(at->second.node);
  sent_.erase(at);
  return node;
}

bool NodeAssignment::is_connected(const std::string& node) const {
  return std::ranges::any_of(nodes_, [&](const auto& entry) { return entry.second.name == node; });
}

}  // namespace weft::swarmx
