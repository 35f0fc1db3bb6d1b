#include "tests/swarmx/simulated/root_process.hpp"

#include <utility>

#include "sw/base/invariant.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx::simulated {
namespace {

constexpr std::size_t kMemory = 1'000'000;  // numbers of the connections of MemoryX's ranks
constexpr milliseconds kTimeout{10000};     // for these to connect

memoryx::MemoryXOptions memoryx_options(const Shape& shape) {
  memoryx::MemoryXOptions options;
  options.optimizer.max_gradient_norm = shape.parted ? 0.01 : 0;  // clipping
  return options;
}

}  // namespace

Ledger::Entry FaultyRoot::record(Ledger& ledger, const Contribution& contribution, std::size_t bucket) {
  const Ledger::Entry entry = Root::record(ledger, contribution, bucket);
  if (entry == Ledger::Entry::Duplicate && without_.once) return Ledger::Entry::New;
  if (entry == Ledger::Entry::Partial && without_.overlaps) {
    for (const std::uint32_t micro_batch : contribution.micro_batches) ledger.record({&micro_batch, 1}, bucket);
    return Ledger::Entry::New;
  }
  return entry;
}

RootProcess::RootProcess(World& world, const compiler::Plan& plan, const Shape& shape, const Without& without,
                         Disk& disk, std::function<void(const std::string&)> refused)
    : Connected("root"),
      world_(world),
      plan_(plan),
      shape_(shape),
      without_(without),
      refused_(std::move(refused)),
      data_(fake_data(plan)),
      next_memory_(kMemory) {
  new_swarm();
  if (shape.memory == 0) {
    memory_ = std::make_unique<LocalRootMemory>(plan, memoryx_options(shape));
    return;
  }
  connection_of_.resize(static_cast<std::size_t>(shape.memory));
  const auto send = [this](std::size_t rank, const Frame& frame) { say(connection_of_[rank], frame); };
  auto ranks = std::make_unique<RanksRootMemory>(plan, memoryx_options(shape), shape, without, disk, send);
  ranks_ = ranks.get();
  memory_ = std::move(ranks);
}

void RootProcess::new_swarm() {
  node_state_.emplace(plan_);
  wafers_.clear();
  root_.emplace(plan_, DispatchOptions{.straggler = 3, .shortest = milliseconds(200)}, without_);
  assignment_.emplace(static_cast<std::size_t>(shape_.nodes), world_.now + milliseconds(2000));
  inbox_.clear();
  up_.clear();
  pass_children_.reset();
}

bool RootProcess::swarm_fails() {
  if (phase_ != Phase::Working || root_->complete()) return false;
  for (auto line = lines.begin(); line != lines.end();) {
    if (line->first >= kMemory) {
      ++line;
      continue;
    }
    line->second.connection->end(line->second.end).notified = true;
    line->second.connection->cut();
    line = lines.erase(line);
  }
  new_swarm();
  begin_step();
  return true;
}

std::size_t RootProcess::welcome(const std::string& child, std::vector<std::uint32_t> member_ids, bool leaf,
                                 Line line) {
  for (const std::uint32_t member_id : member_ids) root_->join(member_id);
  const std::vector<std::uint32_t> ids = member_ids;
  const std::size_t number = node_state_->join(child, std::move(member_ids), leaf);
  if (leaf) wafers_[number] = ids.front();
  lines[number] = std::move(line);
  return number;
}

std::size_t RootProcess::welcome_node(const std::string& node, std::uint16_t port, Line line) {
  const std::size_t number = welcome(node, {}, false, std::move(line));
  assignment_->add_node(number, {.name = node, .address = "node", .port = port});
  return number;
}

void RootProcess::welcome_memory(std::size_t rank, Line line) {
  const std::size_t number = next_memory_++;
  line.connection->end(line.end).number = number;
  lines[number] = std::move(line);
  if (!ranks_->ranks().reserve(rank)) return;
  rank_of_[number] = rank;
  connection_of_[rank] = number;
  say(number, ranks_->ranks().assignment_frame(rank));
  ranks_->join(rank);
}

std::optional<std::uint16_t> RootProcess::place(const std::string& wafer, std::uint32_t member_id) {
  const std::string known = without_.names ? wafer + " with member id " + std::to_string(member_id) : wafer;
  const auto node = assignment_->assign({known, "host"}, member_id);
  return node ? std::optional(node->port) : std::nullopt;
}

void RootProcess::begin() {
  if (ranks_ != nullptr) {
    world_.in(kTimeout, [this] {
      if (alive && !ranks_->ranks().all_joined()) refuse("ranks of MemoryX did not connect");
    });
  }
  proceed();
  poll();
}

void RootProcess::refuse(const std::string& why) { refused_(why); }

void RootProcess::receive(std::size_t number, const Frame& frame) {
  if (!lines.contains(number)) return;
  if (number < kMemory) {
    inbox_.emplace_back(number, frame);
  } else if (const auto at = rank_of_.find(number); at != rank_of_.end()) {
    ranks_->take(at->second, frame);
  }
  proceed();
}

void RootProcess::lost(std::size_t number) {
  lines.erase(number);
  if (number >= kMemory) {
    const auto at = rank_of_.find(number);
    if (at != rank_of_.end()) refuse(RanksState::lost_error(at->second, "its connection has ended").what());
    return;
  }
  inbox_.emplace_back(number, std::nullopt);
  proceed();
}

}  // namespace weft::swarmx::simulated
