/// A rank of MemoryX in a simulated swarm.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/swarmx/memory/part_state.hpp"
#include "host/swarmx/memory/request_queue.hpp"
#include "host/swarmx/protocol/op_frames.hpp"
#include "tests/swarmx/simulated/processes.hpp"

namespace weft::swarmx::simulated {

/// Connection 0 is the root's. Frames are read at any time and handled one by one; an update takes time.
class MemoryProcess final : public Connected, public std::enable_shared_from_this<MemoryProcess> {
 public:
  MemoryProcess(World& world, std::size_t rank, const compiler::Plan& plan, std::function<void()> orphaned);
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  /// Connects to a root, whose first frame assigns this rank's part.
  void adopted(Line root);

  const std::size_t rank;

 private:
  bool is_more(const Frame& frame);
  void work();
  void later(std::chrono::microseconds least, void (MemoryProcess::*what)());
  void take_next();
  bool waits(const Frame& frame) const;
  void take(const Frame& frame);
  void updated();
  void snapshot(const Frame& ask);
  void answer();
  void answer_ops();

  World& world_;
  const compiler::Plan& plan_;
  std::function<void()> orphaned_;
  OpFrames op_frames_;
  std::uint64_t life_ = 0;  // life of this connection, as are the next members
  std::optional<PartState> part_;
  std::deque<Frame> frames_;  // read, not handled
  bool working_ = false, updating_ = false;
  RequestQueue requests_;
  std::optional<std::uint32_t> made_;  // the request to which the frames in `op_` belong
  std::deque<Frame> op_;
  std::uint32_t snapshot_ = 0;  // the last request for the state
  std::uint64_t wanted_ = 0;    // number of chunks requested
  std::deque<Frame> chunks_;    // still to be sent, followed by the end
};

}  // namespace weft::swarmx::simulated
