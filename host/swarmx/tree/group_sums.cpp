#include "host/swarmx/tree/group_sums.hpp"

#include "host/swarmx/protocol/contribution.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {

void GroupSums::add(const Frame& frame, std::vector<Frame>& out) {
  const Contribution one = decode_contribution(frame);
  const auto at = sums_.try_emplace({frame.type, frame.op, frame.part}, Sum{{}, groups_}).first;
  Sum& sum = at->second;
  sum.values.resize(one.size());
  invariant(one.add_to(sum.values), "the groups of a wafer are few enough for exact sums");
  if (--sum.missing > 0) return;
  Frame whole{.type = frame.type, .op = frame.op, .part = frame.part};
  out.push_back(carry(whole, one.micro_batches, sum.values));
  sums_.erase(at);
}

}  // namespace weft::swarmx
