#include "host/swarmx/tree/node_state.hpp"

#include "host/swarmx/protocol/payload.hpp"

namespace weft {

std::size_t Family::join(std::string name, std::vector<std::uint32_t> seats, bool leaf) {
  const std::size_t number = reducer_.join(std::move(name), std::move(seats), leaf);
  leaf_[number] = leaf;
  return number;
}

std::vector<Frame> Family::lose(std::size_t child) {
  leaf_.erase(child);
  std::erase(round_, child);
  return reducer_.lose(child);
}

Family::Moves Family::down(const Frame& frame) {
  Moves moves;
  switch (frame.type) {
    case FrameType::Begin:
      moves.down = reducer_.begin(frame);
      round_.clear();
      for (const auto& [child, begin] : moves.down) round_.push_back(child);
      break;
    case FrameType::Batch:
      reducer_.sees(frame);
      if (const std::size_t child = reducer_.child_of(frame.op); child != Reducer::npos) {
        moves.down.emplace_back(child, frame);
      }
      break;
    case FrameType::Apart:
      return set_apart(frame);
    case FrameType::Stop:
      for (const auto& [child, leaf] : leaf_) moves.down.emplace_back(child, frame);
      break;
    default:
      for (const std::size_t child : round_) moves.down.emplace_back(child, frame);
  }
  return moves;
}

Family::Moves Family::set_apart(const Frame& frame) {
  const std::vector<std::uint32_t> seats = decode_seats(frame.bytes());
  Moves moves{.down = {}, .up = reducer_.set_apart(seats)};
  std::map<std::size_t, std::vector<std::uint32_t>> each;
  for (const std::uint32_t seat : seats) {
    const std::size_t child = reducer_.child_of(seat);
    if (child != Reducer::npos && !leaf_[child]) each[child].push_back(seat);
  }
  for (const auto& [child, part] : each) {
    Frame apart{.type = FrameType::Apart};
    moves.down.emplace_back(child, apart.carry(encode_seats(part)));
  }
  return moves;
}

}  // namespace weft
