#include "host/swarmx/tree/node_state.hpp"

#include <algorithm>

#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {

std::size_t NodeState::join(std::string name, std::vector<std::uint32_t> member_ids, bool leaf) {
  const std::size_t number = reducer_.join(std::move(name), std::move(member_ids), leaf);
  leaf_[number] = leaf;
  return number;
}

std::vector<Frame> NodeState::remove_child(std::size_t child) {
  leaf_.erase(child);
  std::erase(pass_children_, child);
  return reducer_.remove_child(child);
}

NodeState::Moves NodeState::down(const Frame& frame) {
  Moves moves;
  switch (frame.type) {
    case FrameType::Begin:
      moves.down = reducer_.begin(frame);
      pass_children_.clear();
      merged_ = !std::ranges::all_of(decode_pass(frame.bytes()).tasks, &Task::unmerged);
      for (const auto& [child, begin] : moves.down) pass_children_.push_back(child);
      break;
    case FrameType::Batch:
      reducer_.count_labels(frame);
      if (const std::size_t child = reducer_.child_of(frame.op); child != Reducer::npos) {
        moves.down.emplace_back(child, frame);
      }
      break;
    case FrameType::Unmerged:
      return set_unmerged(frame);
    case FrameType::Stop:
      for (const auto& [child, leaf] : leaf_) moves.down.emplace_back(child, frame);
      break;
    default:
      for (const std::size_t child : pass_children_) moves.down.emplace_back(child, frame);
  }
  moves.waits = merged_;
  return moves;
}

NodeState::Moves NodeState::set_unmerged(const Frame& frame) {
  const std::vector<std::uint32_t> member_ids = decode_member_ids(frame.bytes());
  Moves moves{.down = {}, .up = reducer_.set_unmerged(member_ids)};
  std::map<std::size_t, std::vector<std::uint32_t>> each;
  for (const std::uint32_t member_id : member_ids) {
    const std::size_t child = reducer_.child_of(member_id);
    if (child != Reducer::npos && !leaf_[child]) each[child].push_back(member_id);
  }
  for (const auto& [child, part] : each) {
    Frame unmerged{.type = FrameType::Unmerged};
    moves.down.emplace_back(child, unmerged.carry(encode_member_ids(part)));
  }
  return moves;
}

}  // namespace weft::swarmx
