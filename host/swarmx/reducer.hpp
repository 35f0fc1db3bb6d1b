/// Adds up what the children of one node contribute, whatever the order it comes in, and whoever of them is lost.
///
/// A state machine without a network: frames and losses go in, frames for the children and for above come out.
///
/// A sum goes up when every task of the round that is not apart has contributed to its slot, or its seat has left. Only
/// what a round under way returns is taken, of a child's own tasks, and once. So memory is bounded by the rounds under
/// way. docs/swarm.md, A node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/contribution.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"

namespace weft {

class Reducer {
 public:
  explicit Reducer(const Plan& plan) : training_(plan, true), evaluation_(plan, false) {}

  /// A child, and the seats below it. `leaf`: it is a wafer. Returns its number, which no other child will have.
  std::size_t join(std::string name, std::vector<std::uint32_t> seats, bool leaf);

  /// A Begin goes down: who gets it, as it gets it. From now on they may contribute. Seats that nobody has are passed
  /// over. Throws CorruptFrame.
  std::vector<std::pair<std::size_t, Frame>> begin(const Frame& frame);
  /// Takes a contribution, or of a node a Left, Came or Traffic; returns what goes up for it. Throws CorruptFrame
  /// naming the child.
  std::vector<Frame> add(std::size_t child, const Frame& frame);
  /// The child is gone: the sums that now wait for nobody, then a Left of its seats.
  std::vector<Frame> lose(std::size_t child);
  /// An Apart goes down: nobody waits for these seats' tasks any more. The sums that now wait for nobody.
  std::vector<Frame> set_apart(const std::vector<std::uint32_t>& seats);

  /// A Batch that goes down: so many of its labels count, and the loss must be of as many. Of a micro-batch that is
  /// none of these a loss is of whole sequences in training.
  void sees(const Frame& batch);

  /// Who has `seat`; npos: nobody any more.
  std::size_t child_of(std::uint32_t seat) const;
  static constexpr std::size_t npos = ~std::size_t{0};

  /// Bytes that sums of gradients take: those that miss some task's part.
  std::size_t bytes() const;
  /// The step and round that wait for child's contribution, for an error message; empty if none does.
  std::string waiting_for(std::size_t child) const;

 private:
  struct Child {
    std::string name;
    std::set<std::uint32_t> seats;
    bool leaf = true;
  };
  struct Share {  // a task
    std::size_t child = 0;
    Task task;
    bool left = false;                        // its seat has
    std::size_t given = 0;                    // slots
    std::vector<bool> seen = {};              // [slot]
    std::optional<std::int64_t> tokens = {};  // that count, of its Batch frames
    bool waited_for() const { return !left && !task.apart; }
    bool over() const { return left || given == seen.size(); }  ///< nothing comes any more
  };
  struct Sum {
    std::size_t missing = 0;                        // tasks that are waited for and have not contributed
    std::vector<std::uint32_t> micro_batches = {};  // ascending; none until somebody sends something
    std::vector<std::int64_t> values = {};
    void add(FrameType type, const Contribution& contribution);
  };
  struct UnderWay {
    bool train = true;
    std::vector<Share> shares;  // by micro-batch
    std::vector<Sum> sums;      // [slot]
  };
  using Key = std::pair<std::uint64_t, std::uint32_t>;  // step and round
  using Rounds = std::map<Key, UnderWay>;

  const RoundReturns& returns(bool train) const { return train ? training_ : evaluation_; }
  Share& share_of(UnderWay& under_way, std::size_t child, std::uint32_t micro_batch, const Frame& frame) const;
  Frame frame_of(const Key& key, UnderWay& under_way, std::size_t slot) const;
  std::vector<Frame> contribute(std::size_t child, const Frame& frame);
  std::vector<Frame> leave(Child& child, const Frame& frame);
  void come(Child& child, const Frame& frame);
  static Frame traffic(const Child& child, const Frame& frame);
  /// Calls `change` for each task of the seats; nobody waits for it from then on.
  template <class Change>
  std::vector<Frame> release(const std::set<std::uint32_t>& seats, Change change);
  static bool over(const UnderWay& under_way);

  std::map<std::size_t, Child> children_;
  std::size_t next_ = 0;
  RoundReturns training_, evaluation_;
  Rounds rounds_;
};

}  // namespace weft
