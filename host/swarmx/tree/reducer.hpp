/// Sums the contributions of one node's children, in whatever order they arrive and whichever children are lost.
///
/// A state machine without a network: frames and losses go in, frames for the children and for the parent come out.
///
/// A sum is sent up when every task of the pass that is not unmerged has contributed to its bucket, or its member
/// has left. Only what a pass under way returns is accepted, for a child's own tasks, and once. So memory is bounded by
/// the passes under way. docs/explanation/swarm.md, A node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {

class Reducer {
 public:
  explicit Reducer(const compiler::Plan& plan)
      : losses_(plan.losses), training_(plan, true), evaluation_(plan, false) {}

  /// Adds a child and the members below it. `leaf`: the child is a wafer. Returns its number, which is never used
  /// again.
  std::size_t join(std::string name, std::vector<std::uint32_t> member_ids, bool leaf);

  /// Takes a Begin that is sent down; returns each child's share of it. From now on these may contribute. Tasks of
  /// unknown members are skipped. Throws CorruptFrame.
  std::vector<std::pair<std::size_t, Frame>> begin(const Frame& frame);
  /// Takes a contribution, or a Left, Came or Traffic of a node; returns what is sent up for it. Throws CorruptFrame
  /// naming the child.
  std::vector<Frame> add(std::size_t child, const Frame& frame);
  /// Removes a lost child; returns the sums that no longer wait for any task, then a Left of its members.
  std::vector<Frame> remove_child(std::size_t child);
  /// Takes an Unmerged that is sent down: these members' tasks are not waited for any more. Returns the sums that no
  /// longer wait for any task.
  std::vector<Frame> set_unmerged(const std::vector<std::uint32_t>& member_ids);

  /// Takes a Batch that is sent down: a loss must be of as many tokens as its labels count. Without a Batch, the loss
  /// of a micro-batch must be of all its tokens in training, of at least one in evaluation.
  void count_labels(const Frame& batch);

  /// Returns the child that has `member_id`; npos: none any more.
  std::size_t child_of(std::uint32_t member_id) const;
  static constexpr std::size_t npos = ~std::size_t{0};

  /// Bytes of incomplete sums.
  std::size_t bytes() const;
  /// Returns the step and pass that wait for the child's contribution, for an error message; empty if none does.
  std::string waiting_for(std::size_t child) const;

 private:
  struct Child {
    std::string name;
    std::set<std::uint32_t> member_ids;
    bool leaf = true;
  };
  struct Share {  // a task
    std::size_t child = 0;
    Task task;
    bool left = false;                        // its member has left
    std::size_t given = 0;                    // buckets contributed
    std::vector<bool> seen = {};              // [bucket]
    std::vector<std::int64_t> tokens = {};    // [loss]: that count, by its Batch frames; empty without one
    bool waited_for() const { return !left && !task.unmerged; }
    bool finished() const { return left || given == seen.size(); }  ///< nothing more can arrive
  };
  struct Sum {
    std::size_t missing = 0;                        // tasks that are waited for and have not contributed
    std::vector<std::uint32_t> micro_batches = {};  // ascending; empty before the first contribution
    std::vector<std::int64_t> values = {};
    void add(FrameType type, const Contribution& contribution);
  };
  struct UnderWay {
    bool train = true;
    std::vector<Share> shares;  // ordered by micro-batch
    std::vector<Sum> sums;      // [bucket]
  };
  using Key = std::pair<std::uint64_t, std::uint32_t>;  // step and pass
  using Passes = std::map<Key, UnderWay>;

  const PassReturns& returns(bool train) const { return train ? training_ : evaluation_; }
  Share& share_of(UnderWay& under_way, std::size_t child, std::uint32_t micro_batch, const Frame& frame) const;
  Frame frame_of(const Key& key, UnderWay& under_way, std::size_t bucket) const;
  std::vector<Frame> contribute(std::size_t child, const Frame& frame);
  std::vector<Frame> remove_members(Child& child, const Frame& frame);
  void add_members(Child& child, const Frame& frame);
  static Frame traffic(const Child& child, const Frame& frame);
  /// Calls `change` for each task of the members, after which the task is not waited for. Returns the sums that no
  /// longer wait for any task.
  template <class Change>
  std::vector<Frame> release(const std::set<std::uint32_t>& member_ids, Change change);
  static bool finished(const UnderWay& under_way);

  compiler::Losses losses_;
  std::map<std::size_t, Child> children_;
  std::size_t next_ = 0;
  PassReturns training_, evaluation_;
  Passes passes_;
};

}  // namespace weft::swarmx
