#include "host/swarmx/memory/shard_assignment.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "host/swarmx/base/error.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/stream/gradient_order.hpp"

namespace weft::swarmx {
namespace {

/// Returns the tensors at which another rank's part may begin: no op streams tensors on both sides of the cut.
std::vector<std::size_t> cuts(const compiler::Plan& plan) {
  std::vector<bool> joined(plan.tensors.size());  // with the previous tensor
  for (const compiler::Op& op : plan.ops) {
    if (op.tensors.empty()) continue;
    const auto [first, last] = std::ranges::minmax(op.tensors);
    for (int t = first + 1; t <= last; ++t) joined[static_cast<std::size_t>(t)] = true;
  }
  std::vector<std::size_t> result;
  for (std::size_t t = 1; t < joined.size(); ++t)
    if (!joined[t]) result.push_back(t);
  return result;
}

memoryx::ShardRange shards_of(const compiler::Plan& plan, std::size_t first, std::size_t last) {
  const std::uint64_t begin = plan.tensors[first].offset;
  const std::uint64_t end = plan.tensors[last - 1].offset + plan.tensors[last - 1].size;
  return {begin / memoryx::kShard, memoryx::shard_count(end)};
}

// Numbers of 64 bits, which are followed by lines: the rule, the tensors without and with weight decay, which the last
// two numbers count, and the frozen tensors.
constexpr std::size_t kNumbers = 14;

}  // namespace

std::vector<ShardAssignment> assign_shards(const compiler::Plan& plan, int ranks) {
  const std::vector<std::size_t> all = cuts(plan);
  const auto count = static_cast<std::size_t>(ranks);
  if (count > all.size() + 1)
    throw Refusal("memoryx.ranks",
                  std::to_string(ranks) + ", but the tensors of this model can be assigned to at most " +
                      std::to_string(all.size() + 1),
                  "use fewer");
  std::vector<ShardAssignment> assignments;
  std::size_t first = 0, next = 0;  // a tensor; an index into `all`
  for (std::size_t k = 1; k <= count; ++k) {
    std::size_t last = plan.tensors.size();
    if (k < count) {
      const auto wanted = static_cast<double>(plan.parameters) * static_cast<double>(k) / static_cast<double>(count);
      const auto off = [&](std::size_t tensor) {
        return std::abs(static_cast<double>(plan.tensors[tensor].offset) - wanted);
      };
      const auto choice = std::span(all).subspan(next, all.size() - (count - 1 - k) - next);  // one per later rank
      const auto best = std::ranges::min_element(choice, {}, off);
      next += static_cast<std::size_t>(best - choice.begin()) + 1;
      last = *best;
    }
    assignments.push_back({first, last, shards_of(plan, first, last)});
    first = last;
  }
  return assignments;
}

std::vector<std::size_t> rank_of_ops(const compiler::Plan& plan, std::span<const ShardAssignment> assignments) {
  std::vector<std::size_t> ranks;
  for (const compiler::Op& op : plan.ops) {
    const auto has = [&](const ShardAssignment& part) {
      return !op.tensors.empty() && static_cast<std::size_t>(op.tensors.front()) < part.last;
    };
    const auto at = std::ranges::find_if(assignments, has);
    ranks.push_back(at == assignments.end() ? 0 : static_cast<std::size_t>(at - assignments.begin()));
  }
  return ranks;
}

std::vector<std::vector<std::size_t>> ranks_written(const compiler::Plan& plan,
                                                    std::span<const ShardAssignment> assignments) {
  std::vector<std::vector<std::size_t>> ranks(plan.ops.size());
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (plan.ops[op].returns != compiler::Returns::Gradient) continue;
    for (std::size_t rank = 0; rank < assignments.size(); ++rank) {
      const memoryx::ShardRange& own = assignments[rank].shards;
      const auto touches = [&](int tensor) {
        const compiler::TensorInfo& info = plan.tensors[static_cast<std::size_t>(tensor)];
        return info.size > 0 && info.offset / memoryx::kShard < own.last &&
               (info.offset + info.size - 1) / memoryx::kShard >= own.first;
      };
      if (std::ranges::any_of(compiler::tensors_of(plan.ops[op].descriptor, plan.tensors), touches))
        ranks[op].push_back(rank);
    }
  }
  return ranks;
}

Bytes encode_part(const PartOptions& part) {
  const memoryx::OptimizerOptions& o = part.optimizer;
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  const std::uint64_t numbers[kNumbers] = {part.shards.first,
                                           part.shards.last,
                                           part.seed,
                                           bits(o.beta1),
                                           bits(o.beta2),
                                           bits(o.eps),
                                           o.correct_bias ? 1U : 0U,
                                           bits(o.momentum),
                                           bits(o.dampening),
                                           o.nesterov ? 1U : 0U,
                                           bits(o.weight_decay),
                                           bits(o.max_gradient_norm),
                                           part.no_decay.size(),
                                           part.decay.size()};
  Bytes bytes(sizeof numbers);
  std::memcpy(bytes.data(), numbers, sizeof numbers);
  const auto line = [&](std::string_view name) {
    bytes.insert(bytes.end(), name.begin(), name.end());
    bytes.push_back('\n');
  };
  line(o.rule);
  for (const auto* names : {&part.no_decay, &part.decay, &part.frozen}) {
    for (const std::string& name : *names) line(name);
  }
  return bytes;
}

PartOptions decode_part(std::span<const std::uint8_t> bytes) {
  std::uint64_t numbers[kNumbers];
  const auto check = [](bool holds) {
    if (!holds) throw CorruptFrame("the shard assignment of a MemoryX rank is invalid");
  };
  check(bytes.size() >= sizeof numbers);
  std::memcpy(numbers, bytes.data(), sizeof numbers);
  const auto real = [&](std::size_t n) { return std::bit_cast<double>(numbers[n]); };
  check(numbers[0] < numbers[1] && numbers[6] <= 1 && numbers[9] <= 1);
  PartOptions part{.shards = {numbers[0], numbers[1]},
                   .optimizer = {.beta1 = real(3),
                                 .beta2 = real(4),
                                 .eps = real(5),
                                 .correct_bias = numbers[6] == 1,
                                 .momentum = real(7),
                                 .dampening = real(8),
                                 .nesterov = numbers[9] == 1,
                                 .weight_decay = real(10),
                                 .max_gradient_norm = real(11)},
                   .seed = numbers[2]};
  std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof numbers, bytes.size() - sizeof numbers);
  const auto line = [&] {
    const std::size_t end = text.find('\n');
    check(end != std::string_view::npos);
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end + 1);
    return name;
  };
  const memoryx::OptimizerRule* rule = memoryx::find_rule(line());
  check(rule != nullptr);
  part.optimizer.rule = rule->name;
  for (std::uint64_t left = numbers[12]; left > 0; --left) part.no_decay.emplace_back(line());
  for (std::uint64_t left = numbers[13]; left > 0; --left) part.decay.emplace_back(line());
  while (!text.empty()) part.frozen.emplace_back(line());
  return part;
}

}  // namespace weft::swarmx
