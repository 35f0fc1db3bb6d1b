/// MemoryX's ranks as the root has them, as a state machine: what each is sent, what of their answers is in.
///
/// Without threads, network or clock of its own: MemoryRanks has it in a process, tests in a simulated world.
/// docs/swarm.md.
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
#include "host/swarmx/error.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/asked.hpp"
#include "host/swarmx/memory/deal.hpp"
#include "host/swarmx/memory/parts.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class RanksState {
 public:
  struct ToRank {
    std::size_t rank = 0;
    Frame frame;
  };
  using Out = std::vector<ToRank>;

  /// `plan` must outlive this; of `options` the threads are each rank's own business. Throws Refusal as deal_tensors.
  RanksState(const Plan& plan, int ranks, const MemoryXOptions& options);
  virtual ~RanksState() = default;
  RanksState(const RanksState&) = delete;
  RanksState& operator=(const RanksState&) = delete;

  std::size_t ranks() const { return dealt_.size(); }
  int moments() const { return moments_; }
  /// Its number of tensors.
  std::size_t tensors(std::size_t rank) const { return dealt_[rank].last - dealt_[rank].first; }

  /// One has come: the name is its own from now on. False: it is another's, who has not been lost.
  virtual bool enter(std::size_t rank);
  /// What it is told of its part, behind the plan; from then on it is here.
  Frame deal(std::size_t rank) const;
  void come(std::size_t rank) { here_[rank] = true; }
  bool all_here() const;
  /// What asks it to end, as it has said; empty: nothing. It serves on.
  const std::string& leaves(std::size_t rank) const { return leaves_[rank]; }
  /// Takes what it says. Throws CorruptFrame, also for what was not asked for or is missing; SwarmError; PeerLost if it
  /// says that it stands still; and what it says that it has failed of.
  void take(std::size_t rank, Frame frame);
  /// Its part of the state is gone with it, whatever it was at: what the run ends with.
  static MemoryLost lost(std::size_t rank, const std::string& why);
  /// The same of one that has said why it ends.
  static MemoryFailed failed(std::size_t rank, const std::string& why);

  /// Gradients and pieces of the state a rank takes a few at a time: false: it has no room for one now. The rest it
  /// reads whatever it is at, or a question could not get to it.
  bool spend(std::size_t rank);

  /// Gradients that were not applied are forgotten, and questions of ops. Throws Refusal as MemoryX::begin_step.
  Out begin_step(const StepAhead& ahead);
  /// Ranks that get op's gradients, ascending; each when it has room.
  std::span<const std::size_t> gets(std::size_t op) const { return gets_[op]; }
  /// Of op's words `first`, `first` + 1, ...
  Frame gradient(std::size_t op, std::size_t first, std::span<const std::int64_t> values) const;

  /// Where gradients are clipped each is asked for its squares first; how() when all have said them.
  Out norm(std::uint64_t step, std::uint64_t tokens);
  bool normed() const { return clips_ == 0 || enough(parts_.normed()); }
  Applied how(std::uint64_t step) const;
  /// The update begins.
  Out apply(std::uint64_t step, std::uint64_t tokens, const Applied& how);
  /// There is a state whose change is not over.
  bool settling() const { return parts_.begun() && !settled(); }
  bool settled() const { return enough(parts_.done()); }
  /// When it is settled.
  Settled settle() const { return parts_.settled(moments_); }

  /// Frames of op are wanted, and next those of `next`: who has their tensors is asked, if that has not been done. op
  /// has tensors.
  Out want(std::size_t op, std::optional<std::size_t> next);
  /// Of the op that is wanted: a frame has come, or its end.
  bool has_frame() const { return ops_.ready(questions_.front().number); }
  /// The next one, when there is; nothing: that was all. Then `out` asks for one more.
  std::optional<Frame> frame(Out& out);

  /// A part of the state in one frame: `count` elements of weights (0) or moments (1, 2), from `first` on.
  struct Piece {
    int vector = 0;
    std::uint64_t first = 0;
    std::size_t count = 0;
  };
  /// A state is put in the place of what there is: each rank gets these pieces, each when it has room, then End.
  std::vector<Piece> pieces(std::size_t rank) const;
  void begin_load() { parts_.begin_update(); }
  static Frame state(const Piece& piece, std::span<const float> values);

  /// All are asked for the state as it is; returns the question. What was asked before is forgotten.
  std::uint32_t snapshot(Out& out);
  bool has_piece(std::uint32_t question) const { return pieces_.ready(question); }
  struct Taken {
    Piece piece;
    Frame frame;         ///< its values
    bool twice = false;  ///< of a shard that two have, and the other's is used
  };
  /// The next piece, when there is one; nothing: that was all, and all of the state. `out` asks for one more.
  std::optional<Taken> piece(std::uint32_t question, Out& out);

 protected:
  /// So many have said all that was asked. For tests that want to see what becomes of a root that is careless.
  virtual bool enough(std::size_t count) const { return count == ranks(); }

 private:
  struct Question {
    std::size_t op;
    std::uint32_t number;
    std::uint32_t parts = 0;  // that have come
  };
  static std::string name(std::size_t rank);
  Out all(const Frame& frame) const;
  void ask(std::size_t op, Out& out);
  void check_op(std::size_t rank, const Frame& frame);
  void check_piece(std::size_t rank, const Frame& frame);

  const Plan& plan_;
  const MemoryXOptions options_;
  const double clips_;  // to this norm; 0: not
  const int moments_;
  const std::vector<Dealt> dealt_;
  const std::vector<std::size_t> rank_of_;            // [op]
  const std::vector<std::vector<std::size_t>> gets_;  // [op]
  ExactSum range_;                                    // holds nothing: it knows how many micro-batches there may be
  std::vector<bool> entered_, here_;                  // [rank]
  std::vector<std::string> leaves_;                   // [rank]: why; empty: it does not
  std::vector<std::uint64_t> room_;                   // [rank]: gradients and pieces that it takes
  Parts parts_;
  Asked ops_, pieces_;
  std::deque<Question> questions_;           // of ops: that which is answered, and the next
  std::uint32_t asked_ = 0, snapshots_ = 0;  // so many ops, snapshots
  std::vector<std::vector<bool>> came_;      // [rank]: of the last snapshot, [vector][shard]
};

}  // namespace weft
