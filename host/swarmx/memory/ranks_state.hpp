/// State machine of the root's side of MemoryX's ranks: what each rank is sent, and which answers have arrived.
///
/// No threads, network or clock of its own: MemoryRanks runs it in a process, tests run it in a simulated world.
/// docs/explanation/swarm.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/parts.hpp"
#include "host/swarmx/memory/pending_requests.hpp"
#include "host/swarmx/memory/shard_assignment.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

class RanksState {
 public:
  struct ToRank {
    std::size_t rank = 0;
    Frame frame;
  };
  using Out = std::vector<ToRank>;

  /// `plan` must outlive this; each rank chooses the `threads` of `options` itself. Throws Refusal as assign_shards.
  RanksState(const compiler::Plan& plan, int ranks, const memoryx::MemoryXOptions& options);
  virtual ~RanksState() = default;
  RanksState(const RanksState&) = delete;
  RanksState& operator=(const RanksState&) = delete;

  std::size_t ranks() const { return assignments_.size(); }
  int moments() const { return moments_; }
  /// Number of tensors of a rank.
  std::size_t tensors(std::size_t rank) const { return assignments_[rank].last - assignments_[rank].first; }

  /// Reserves the rank's name for a process that joins. Returns false if another one, which is not lost, has it.
  virtual bool reserve(std::size_t rank);
  /// Returns the shard assignment (Deal) that a rank is sent after the plan; set_joined() follows.
  Frame assignment_frame(std::size_t rank) const;
  void set_joined(std::size_t rank) { joined_[rank] = true; }
  bool all_joined() const;
  /// Source of the request to end that the rank has reported; empty: none. The rank continues to serve.
  const std::string& leave_reason(std::size_t rank) const { return leave_reasons_[rank]; }
  /// Handles a frame of a rank. Throws CorruptFrame if the frame is malformed, was not requested, or ends an incomplete
  /// state; SwarmError if two ranks report different hashes of a shard; PeerLost if the rank reports a hung thread;
  /// MemoryFailed, or a type outside of SwarmError, if the rank reports another failure.
  void handle_frame(std::size_t rank, Frame frame);
  /// Returns the run's error after the loss of a rank, whose part of the state is lost with it, whatever it was doing.
  static MemoryLost lost_error(std::size_t rank, const std::string& why);
  /// Returns the run's error after a rank has reported why it ends.
  static MemoryFailed failed_error(std::size_t rank, const std::string& why);

  /// Spends a credit for a gradient or a chunk of the state, of which a rank takes few at a time. Returns false if it
  /// has no room now. A rank reads all other frames at any time; otherwise a request could not reach it.
  bool take_credit(std::size_t rank);

  /// Begins a step: gradients that were not applied, and requests for ops, are forgotten. Throws Refusal as
  /// MemoryX::begin_step.
  Out begin_step(const memoryx::UpcomingStep& upcoming);
  /// Ranks that get op's gradients, ascending; each when it has room.
  std::span<const std::size_t> gradient_ranks(std::size_t op) const { return gradient_ranks_[op]; }
  /// Returns the frame of op's words `first`, `first` + 1, ...
  Frame gradient_frame(std::size_t op, std::size_t first, std::span<const std::int64_t> values) const;

  /// Asks each rank for its squares if gradients are clipped; update_factors() may be called once all have reported
  /// them (norms_arrived()).
  Out request_norms(std::uint64_t step, std::uint64_t tokens);
  bool norms_arrived() const { return clips_ == 0 || enough(parts_.norms_received()); }
  memoryx::Applied update_factors(std::uint64_t step) const;
  /// Begins the update.
  Out apply(std::uint64_t step, std::uint64_t tokens, const memoryx::Applied& factors);
  /// True while a change of the state is not complete.
  bool update_pending() const { return parts_.has_state() && !update_complete(); }
  bool update_complete() const { return enough(parts_.updates_complete()); }
  /// Returns the result, once update_complete().
  memoryx::UpdateResult update_result() const { return parts_.update_result(moments_); }

  /// Requests frames of op, and next those of `next`, from the ranks that have their tensors, unless this has been
  /// done. op must have tensors.
  Out request_op(std::size_t op, std::optional<std::size_t> next);
  /// True if a frame of the requested op has arrived, or its end.
  bool has_op_frame() const { return ops_.ready(op_requests_.front().number); }
  /// Returns the next frame, once has_op_frame(); `out` then requests one more. Nothing: that was all.
  std::optional<Frame> next_op_frame(Out& out);

  /// A part of the state in one frame: `count` elements of weights (0) or moments (1, 2), from `first` on.
  struct StateChunk {
    int vector = 0;
    std::uint64_t first = 0;
    std::size_t count = 0;
  };
  /// Returns the chunks that a rank is sent when the state is replaced, each when it has room; End follows.
  std::vector<StateChunk> state_chunks(std::size_t rank) const;
  void begin_load() { parts_.begin_update(); }
  static Frame state_frame(const StateChunk& chunk, std::span<const float> values);

  /// Requests the present state from all ranks; returns the request's number. An earlier request is forgotten.
  std::uint32_t request_snapshot(Out& out);
  bool has_chunk(std::uint32_t request) const { return chunks_.ready(request); }
  struct ReceivedChunk {
    StateChunk chunk;
    Frame frame;         ///< its values
    bool twice = false;  ///< true if two ranks have the shard, and the other's chunk is used
  };
  /// Returns the next chunk, once has_chunk(); `out` then requests one more. Nothing: that was all, and all of the
  /// state.
  std::optional<ReceivedChunk> next_chunk(std::uint32_t request, Out& out);

 protected:
  /// True if all ranks have reported. Overridden by tests that simulate a faulty root.
  virtual bool enough(std::size_t count) const { return count == ranks(); }

 private:
  struct OpRequest {
    std::size_t op;
    std::uint32_t number;
    std::uint32_t parts = 0;  // that have arrived
  };
  static std::string name(std::size_t rank);
  Out all(const Frame& frame) const;
  void send_op_request(std::size_t op, Out& out);
  void check_op(std::size_t rank, const Frame& frame);
  void check_chunk(std::size_t rank, const Frame& frame);

  const compiler::Plan& plan_;
  const memoryx::MemoryXOptions options_;
  const double clips_;  // maximum norm; 0: no clipping
  const int moments_;
  const std::vector<ShardAssignment> assignments_;
  const std::vector<std::size_t> rank_of_;                      // [op]
  const std::vector<std::vector<std::size_t>> gradient_ranks_;  // [op]
  memoryx::ExactSum range_;                                     // no values; checks the number of micro-batches
  std::vector<bool> reserved_, joined_;                         // [rank]
  std::vector<std::string> leave_reasons_;                      // [rank]: why; empty: it does not leave
  std::vector<std::uint64_t> credits_;                          // [rank]: credits for gradients and chunks
  Parts parts_;
  PendingRequests ops_, chunks_;
  std::deque<OpRequest> op_requests_;                  // for ops: the current one, and the next
  std::uint32_t last_op_request_ = 0, snapshots_ = 0;  // numbers of the last requests
  std::vector<std::vector<bool>> arrived_;             // [rank][vector and shard]: arrived chunks of the last snapshot
};

}  // namespace weft::swarmx
